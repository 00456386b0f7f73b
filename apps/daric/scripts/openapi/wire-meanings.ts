import { currencies } from "@daric/domain/asset";
import type { Vocabulary } from "./openapi-vocabulary.ts";
import { refundMeanings } from "./refund-meanings.ts";
import { settlementMeanings } from "./settlement-meanings.ts";
import { shopMeanings } from "./shop-meanings.ts";
import { webhookMeanings } from "./webhook-meanings.ts";

/**
 * The meaning of each name on the wire, with its unit. It covers `order_ref` of a row and `orderRef` of a
 * body or event alike. A prefix limits a meaning to one place: a component, an operation's id, or the part of
 * a path before an `{id}`. A schema's own description wins.
 */
export const wireMeanings: Vocabulary["meanings"] = {
  // of every answer
  success: "Whether the request succeeded: `true` with `data`, `false` with `error`.",
  message: "A sentence for people. Its words may change: decide by `success` and by the `code` of the error.",
  data: "The requested row; in lists the rows of one page.",
  meta: "The number of this page, and the number of rows in all.",
  page: "Number of the page, counted from 1.",
  limit: "Number of rows on one page, at most 100.",
  total: "Number of rows on all pages together, exact at the time of the answer.",
  error: "The fault, for a program to act on.",
  code: "The kind of refusal in capitals. A code never changes its meaning; new ones may be added.",
  details: "Every invalid field, with the rule that it breaks.",
  path: "The field as in the request: `amount`, or `eventTypes.0` for the first of a list.",
  "Error.message": "The fault in a sentence for people; in `details` the rule that the field breaks.",
  correlation_id:
    "The `x-correlation-id` of the request, or a new one. The operator finds the request by it.",
  doc_url: "The page that explains this code, its causes and its cures.",

  // names
  id: "The id of the row (UUID); it never changes.",
  "deposit-addresses.id": "The id of the deposit address (UUID), from create or the list.",
  "deposits.id": "The id of the deposit (UUID), from a list or an event.",
  "endpoints.id": "The id of the webhook endpoint (UUID), from create or the list.",
  "payment-links.id": "The id of the payment link (UUID), from create or the list.",
  "deliveries.id": "The id of the delivery (UUID), from the list.",
  "events.id": "The id of the event (UUID), from the list or a webhook.",
  deposit_address_id: "The id of the deposit address that was paid (UUID).",
  deposit_id: "The id of the deposit (UUID); `reference_id` of its deliveries.",
  settlement_account_id:
    "The id of the settlement account that receives the money (UUID); null for the default account.",
  token: "The `checkout_token` of a deposit address. Anyone with it may read the checkout.",
  checkout_token: "Unguessable text that opens the checkout of this deposit address, and nothing else.",
  checkout_url:
    "The page where the payer pays: send your customer here. null if the operator set no `PUBLIC_BASE_URL`.",

  // the amount due and its address
  kind: "`order` has an amount, `open` takes any amount for a time, `receive` is a standing address.",
  address:
    "The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty if its row MAC is not valid: contact your operator.",
  chain: "The chain of the address: always `tron`.",
  currency: "The currency that the payer sends. Every amount of the row is in it.",
  amount: "Money in units of `currency`, as a decimal string with at most 6 decimals, never a number.",
  "createDepositAddress.amount":
    "The price of the order: units of `currency`, or of `pricingCurrency` with no more decimals than it has. " +
    "Leave it out for an open or a receive address.",
  pricing_currency:
    "The currency of `amount`, to convert at the current rate; leave it out for a price in the coin. `GET /v1/currencies` lists those that can be priced.",
  reusable: "`true` finds or creates a standing address that never expires. Not together with `amount`.",
  expected_amount: "The price of the order in units of `currency` (decimal string); null without an amount.",
  pay_amount:
    "The amount that the payer must send, with the fee, in units of `currency` (decimal string); null if the merchant pays the fee.",
  "Checkout.pay_amount":
    "The exact amount that the payer must send, in units of `currency` (decimal string); null for any amount.",
  "Checkout.amount":
    "The price of the order in units of `currency` (decimal string); null without an amount.",
  amount_due:
    "The amount to send, in units of `currency` (decimal string): `pay_amount`, or else `expected_amount`. null means any amount, also for an order of 0.",
  order_amount: "The price of the order in units of `currency` (decimal string); null without an amount.",
  fee_mode: "The party that pays the fee: `merchant`, or `client`, whose `pay_amount` includes it.",
  "Account.merchant_id": "The id of the merchant (UUID).",
  "Account.environment": "`live` for real money, `test` for a test network.",
  "Account.network": "The network of the chain, as `mainnet`, `nile` or `devnet`.",
  "Account.scopes": "The rights of the key, by their names.",
  "Account.fee_mode": "The party that pays the fee of new orders: `merchant`, or `client`.",
  "Account.currencies": "The coins that orders can be paid in.",
  "PricingCurrency.code": "The value of `pricingCurrency`, by ISO 4217.",
  "PricingCurrency.decimals": "The number of decimals that an amount in it may have.",
  "PricingCurrency.sources": "The sources that price it on this deployment.",
  "PricingCurrency.available":
    "Whether an order in it can be priced now: false also with fewer than three sources; null if it is not known, since no request asked in the last minute.",
  "PricingCurrency.resting":
    "Whether its exchange markets are closed, from Friday to Sunday 17:00 in New York.",
  fiat_currency: "The currency of the price; null for a price in the coin itself.",
  fiat_amount:
    "The price in units of `fiat_currency`, exactly as you sent it (decimal string); null if not priced in fiat.",
  quote_rate:
    "Units of `currency` for 1 unit of `fiat_currency`, with at most 4 decimals for USD and 10 for others; null if not priced in fiat.",
  quote_source: "The sources of the rate, joined by `+`; null if not priced in fiat.",
  quote_expires_at: "The end of the lock of `quote_rate` (ISO 8601, UTC); null if not priced in fiat.",
  expires_at: "The end of the time to pay (ISO 8601, UTC); null for a receive address.",
  order_ref:
    "Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.",
  customer_ref: "Your own name of the customer of this standing address, at most 120 characters.",
  ref: "Your own reference of the order; null if you gave none.",
  label: "A note of your own, at most 120 characters. The payer never sees it.",
  metadata:
    "Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees them.",
  success_url:
    "The page that the payer goes to after payment (http or https, at most 2048 characters); null for none.",
  cancel_url:
    "The page that the payer goes to after giving up or too late (http or https, at most 2048 characters); null for none.",

  // the progress
  status: "The state of the row, one of those in the list. No state is skipped without an event.",
  "DepositAddress.status":
    "`ACTIVE` waits for money, `EXPIRED` is past its time, `ARCHIVED` is paid or archived.",
  "CreatedDepositAddress.status": "`ACTIVE`: it waits for money from now on.",
  "listDepositAddresses.status": "Only rows in this status.",
  "listDepositAddresses.chain": "Only rows of this chain.",
  "listDepositAddresses.kind":
    "Only `order` (with an amount), `open` (any amount, for a time) or `receive` (standing); `order` adds `payment_status`.",
  "listDepositAddresses.order_ref":
    "Only rows with exactly this reference of yours: look here before you create.",
  "listDepositAddresses.payment_status":
    "Only orders whose `payment_status` is this one now; rows then have it.",
  payment_status:
    "The progress of the payment in one word. Only for orders, when retrieved and in lists with `kind=order` or `paymentStatus`.",
  payment_state:
    "The credited money compared with the amount due: `none`, `under`, `exact` (within the tolerance) or `over`.",
  amount_received:
    "The sum of confirmed money, in units of `currency` (decimal string). The chain cannot take it back.",
  "Checkout.amount_received":
    "The sum of all money seen, confirmed or not, in units of `currency` (decimal string).",
  amount_pending:
    "The sum of money that was seen and is not final yet, in units of `currency` (decimal string).",
  difference:
    "Credited money minus the amount due, in units of `currency` (decimal string, negative if short); null if no amount is due. For a price in fiat each payment is credited by its own quote.",
  paid_late: "Whether only money after its time and the late window paid it.",
  paid_at:
    "The time at which the confirmed deposits first added up to paid (ISO 8601, UTC); null until then.",
  previous_secret_expires_at:
    "The time until which deliveries also carry the signature of the previous secret (ISO 8601, UTC); null if they do not.",
  accepted_at: "The time at which you accepted it as paid (ISO 8601, UTC); otherwise null.",
  accept_reason: "Your reason for accepting it; null if it was not accepted or you gave none.",
  rest_of: "The id of the order that this one asks the missing money of (UUID); otherwise null.",
  payment_link_id: "The id of the payment link that the order was made by (UUID); otherwise null.",
  payer_ref:
    "The `ref` in the address of the payment link; null without one. The payer's side typed it, so it proves nothing.",
  customer_email:
    "The payer's e-mail address, the first that was given; null without one. Nothing proves that it is the payer's. It is forgotten 90 days after the last change of the order.",
  customer_email_source:
    "Where `customer_email` came from: `api` (you), `link` (the form of a payment link) or `page` (the payment page); null without one.",
  customer_email_later:
    "The newest other address that was typed on the page after the first; null without one. No mail goes there.",
  "PaymentLink.token": "The unguessable end of `url`.",
  "PaymentLink.url": "The public page of the link; null where the operator has set no public address.",
  "PaymentLink.status":
    "`active`, `disabled` (paused, or closed by the operator), `sold_out` or `expired`. Only an active link takes new orders.",
  title: "The name of the sold thing, shown on the page and as the `label` of its orders.",
  "PaymentLink.description": "More about it, shown on the page; null without any.",
  "createPaymentLink.description": "More about it, shown on the page; null without any.",
  "updatePaymentLink.description": "More about it, shown on the page; null without any.",
  "PaymentLink.amount":
    "The fixed amount, in units of `currency`, or of `pricing_currency` (decimal string); null if the payer chooses.",
  "createPaymentLink.amount":
    "The fixed amount, in units of `currency`, or of `pricing_currency` (decimal string); null if the payer chooses.",
  min_amount:
    "The least amount that the payer may choose, in units of `currency` or `pricing_currency` (decimal string); null without a bound.",
  max_amount:
    "The largest amount that the payer may choose, in units of `currency` or `pricing_currency` (decimal string); null without a bound.",
  suggested_amounts:
    "The amounts that the page offers with one tap, in units of `currency` or `pricing_currency` (decimal strings).",
  thanks: "The text on the page of a paid order; null without any.",
  "PaymentLink.currency": "The coin that the orders are paid in.",
  "createPaymentLink.currency": "The coin that the orders are paid in.",
  "PaymentLink.pricing_currency": "The currency of the amounts; null if they are in `currency`.",
  max_payments:
    "The number of orders that may be paid; null without a limit. Open orders hold a place until they expire.",
  "PaymentLink.expires_at":
    "The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on.",
  "createPaymentLink.expires_at":
    "The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on.",
  "updatePaymentLink.expires_at":
    "The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on.",
  ask: "The questions of the page to the payer: `name`, which it then requires, and `note`.",
  order_ref_prefix: "The beginning of each order's `order_ref`; null without any.",
  orders_open:
    "The number of orders that wait for money. With `max_payments` also those that have expired with a part of it: each holds a place.",
  orders_paid:
    "The number of orders that are paid or accepted. Late money can make more of them than `max_payments`.",
  "updatePaymentLink.is_active": "Whether the link takes new orders: `false` pauses it.",
  "PaymentLink.success_url": "Where the page of a paid order leads; null without one.",
  "createPaymentLink.success_url": "Where the page of a paid order leads; null without one.",
  "PaymentLink.cancel_url": "Where the page of an expired or cancelled order leads; null without one.",
  "createPaymentLink.cancel_url": "Where the page of an expired or cancelled order leads; null without one.",
  order_ref_paid:
    "Whether another charge of this reference is paid. Do not cancel your order then. Absent from events of earlier versions.",
  rest_completes:
    "Whether with this event the order of `restOf` is paid too: deliver that order. Absent from events of earlier versions.",
  created_at: "The time at which the row was created (ISO 8601, UTC).",
  updated_at: "The time of the last change of the row (ISO 8601, UTC).",
  deposit: "The deposit of the transaction, in its current state.",
  deposit_address: "The deposit address that it paid, as far as it explains what happened to the money.",
  deposits: "The confirmed deposits of the order, first to last, at most 20 of them.",

  // settlement
  confirmed: "All money of yours that the chain confirmed, in units of `currency` (decimal string).",
  fees: "The service fees of that money, in units of `currency` (decimal string).",
  settled: "The amount that has reached your own wallets for good, in units of `currency` (decimal string).",
  in_flight:
    "The amount that was sent to your wallet and is not final yet, in units of `currency` (decimal string).",
  waiting: "The rest that you are owed, in units of `currency` (decimal string).",
  waiting_for:
    "The money that you wait for, by the reason. Money on deposit addresses includes the fees that were not taken out yet.",
  reason:
    "`no_settlement_account`: you have no active wallet; ask your operator. `not_planned`: it is too little or too new to be worth a transfer, your operator has not approved its wallet, or settlement is off. `in_preparation`: a transfer is being made. `price`: the network is dear at the moment. `frozen`: the transfer is refused; your operator decides. `network_cost`: the network took it when your TRX was sent, mostly 1.1 TRX for the first TRX to a new wallet; no transfer brings it, and your operator owes it to you.",
  "Balance.amount": "The amount that waits for this reason, in units of `currency` (decimal string).",
  "Balance.currency": "The currency of every amount of the row.",
  "StatementBalance.currency": "The currency of every amount of the row.",
  opening: "The amount that you were owed when the month began, in units of `currency` (decimal string).",
  closing: "The amount that you are owed at the end of the month, in units of `currency` (decimal string).",
  "StatementBalance.confirmed":
    "The amount that was confirmed in the month, in units of `currency` (decimal string).",
  "StatementBalance.fees": "The fees of the month, in units of `currency` (decimal string).",
  "StatementBalance.settled":
    "The amount that reached your wallets in the month, in units of `currency` (decimal string).",
  month: "The calendar month in the merchant's time zone, like `2026-11`.",
  time_zone: "The time zone of the merchant's days and months, by its name of the IANA.",
  format: "`csv` answers every entry as CSV; otherwise JSON.",
  bom: "`0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets.",
  "Statement.from": "The first moment of the month (ISO 8601, UTC).",
  "Statement.to": "The first moment of the next month (ISO 8601, UTC).",
  is_closed: "Whether the month is over, so that its entries do not change any more.",
  balances: "One row for each currency; `opening` + `confirmed` − `fees` − `settled` = `closing`.",
  entry_count: "Number of entries of the month, on all pages together.",
  entries: "One page of the month's entries, oldest first.",
  booked_at: "The time at which it was booked (ISO 8601, UTC).",
  "StatementEntry.kind":
    "`deposit` is confirmed money, `unmatched` is money in another currency than was asked for. `fee` and `fixed_fee` are the service's; `fee_returned` is the share of a surplus that you refunded to its sender. `sweep` was sent to your wallet, `outflow` was moved there by hand.",
  "StatementEntry.amount":
    "The amount that it adds to your balance, in units of `currency` (decimal string); negative if it takes from it.",
  "StatementEntry.currency": "The currency of `amount`.",
  "StatementEntry.deposit_address_id": "The id of the deposit address that it is about (UUID).",
  "StatementEntry.deposit_id": "The id of the deposit (UUID); null for a `sweep` and an `outflow`.",
  "StatementEntry.order_ref": "Your own reference of the order; null if you gave none.",
  "SettlementAccount.address": "The TRON address of your wallet (base58, 34 characters).",
  "SettlementAccount.label": "The operator's note of it, at most 120 characters; null for none.",
  "SettlementAccount.status": "`active` takes new charges; `disabled` takes none.",
  is_default: "Whether charges that name no settlement account use this one.",

  ...settlementMeanings,
  ...refundMeanings,

  // deposits
  "Deposit.amount": "The amount sent, in units of `currency` (decimal string).",
  "Deposit.address": "The TRON address that received it (base58, 34 characters).",
  "Deposit.currency": "The currency that was sent; `amount` is in it.",
  "Deposit.status":
    "`CONFIRMED` is final money. `DETECTED` and `CONFIRMING` wait for blocks, `STUCK` waits unusually long, " +
    "`REORG_PENDING` lost its block, `FAILED` never became money.",
  deposit_status: "The status of the newest deposit; null before there is one. Only `CONFIRMED` is final.",
  source:
    "How the chain moved it: `transfer` (TRX), `log` (a token's event) or `internal` (TRX from a contract).",
  tx_hash: "The id of the transaction on the chain: 64 hex characters in small letters.",
  event_index: "Position of the transfer within its transaction, counted from 0.",
  from_address: "The TRON address that sent it (base58); null if the chain does not name it.",
  block_number: "Height of the block that holds the transfer: its position in the chain, counted from 0.",
  block_hash: "The id of the block that holds the transfer: 64 hex characters.",
  block_time: "The time that the block itself states (ISO 8601, UTC). It decides whether a payment is late.",
  book_currency:
    "The currency of your books in which the deposit is valued. Null while its value is not known, as the other `book_` fields.",
  book_amount:
    "The value of the deposit in units of `book_currency`: `amount` × `book_rate`, rounded half up to its smallest unit.",
  book_rate: "Units of `book_currency` for 1 unit of `currency` at the time of the block.",
  book_rate_sources:
    "The sources of `book_rate`, with a plus between them; `import:` marks one that was imported.",
  "exportPayments.payment":
    "`paid`: only orders that are paid or accepted. `short`: only those with some confirmed money that are neither.",
  "exportPayments.payment_link_id": "Only orders made by this payment link, by its id (UUID).",
  "exportPayments.payer_ref": "Only orders whose link was opened with this `ref`.",
  book_rate_at: "The minute of `book_rate` (ISO 8601, UTC); of a rate with several parts the oldest.",
  confirmations:
    "Number of blocks from the transfer's block to the newest one. It can pass the required number some seconds before the deposit is final, and stops when it is.",
  required_confirmations:
    "Number of blocks needed before the deposit can be final. Only the status shows whether it is.",
  late: "Whether the transfer's block is later than the end of the time to pay.",
  unmatched: "Whether it is in another currency than the deposit address asks for. Then no sum counts it.",
  stuck_reason:
    "Why it waits unusually long; null if it does not. `solidity`: few witnesses have built on its block. `quorum`: the nodes do not agree. `balance`: the address does not hold it.",
  failure_reason: "Why it never became money, in one word; null if it did not fail.",
  detected_at: "The time at which it was first seen (ISO 8601, UTC).",
  confirmed_at: "The time at which it became final (ISO 8601, UTC); null until then.",
  failed_at: "The time at which it failed for good (ISO 8601, UTC); otherwise null.",
  previous_status: "The status before this event; null if there was none.",
  "listDeposits.status": "Only deposits in this status.",
  "listDeposits.currency": "Only deposits of this currency.",
  "listDeposits.deposit_address_id": "Only deposits to the deposit address with this id (UUID).",
  "listDeposits.order_ref": "Only deposits to deposit addresses with exactly this reference of yours.",
  "listDeposits.tx_hash":
    "Only deposits of the transaction with this id: 64 hex characters, or an explorer's link with them.",
  from: "Only rows created at this time or later (ISO 8601 with an offset).",
  to: "Only rows created before this time (ISO 8601 with an offset).",

  ...shopMeanings,
  ...webhookMeanings,

  // the checkout
  state: "The state for the payer, in one word. `paid` and `overpaid` are final money.",
  merchant: "The merchant, as the page shows it.",
  name: "The merchant's name.",
  logo_url: "The merchant's logo, served by this service; null for none.",
  accent_color: "The colour of the page: `#` and six hex digits in small letters.",
  checkout_languages:
    "The languages of the payment page that the merchant chose, by their tags; null for all that are offered.",
  embed_origins: "The origins whose pages may show the payment page in a frame.",
  embedOrigin:
    "The origins whose pages may show the payment page in a frame, with commas between; empty for none. It needs a fresh proof.",
  embed_script: "The script that opens the payment page inside a page of the shop.",
  integrity: "What a browser compares the script with, for the attribute of this name.",
  offered_languages: "The languages of the payment page that the operator offers, by their tags.",
  order: "The order, as the page shows it.",
  payment: "The address to pay to, and the time limit.",
  "Checkout.status": "The money received so far.",
  result: "The state of the transaction, in one word.",
  address_end:
    "The last four characters of the address that was paid instead; null if the result is not `other_address`.",
  retry_after_seconds: "The seconds to wait before you ask again; null if that would change nothing.",
  "CheckoutLookup.amount":
    "The amount that the transaction paid to this address, in units of `currency` (decimal string); null if unknown.",
  "CheckoutLookup.currency": `${currencies.join(" or ")}; null if it paid neither to this address.`,
  "CheckoutLookup.confirmations": "Number of confirmations so far; null if the result is not `seen`.",
  "CheckoutLookup.required_confirmations":
    "Number of confirmations that are needed; null if the result is not `seen`.",
};
