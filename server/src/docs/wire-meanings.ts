import type { Vocabulary } from "./openapi-vocabulary.ts";

/**
 * What each name on the wire means, with its unit: one word, one meaning, in `order_ref` of a row and in `orderRef` of a
 * body or event alike. A name that means something else in one place is written with that place before it: its component,
 * the id of its operation, or the part of a path that stands before an `{id}`. What a schema says of itself wins.
 */
export const wireMeanings: Vocabulary["meanings"] = {
  // of every answer
  success: "Whether the request did what it asked: `true` with `data`, `false` with `error`.",
  message: "A sentence for people: its words may change, so decide by `success` and by the error's `code`.",
  data: "What was asked for; in lists one page of rows.",
  meta: "Which page this is, and how many rows there are in all.",
  page: "Number of the page, counted from 1.",
  limit: "Number of rows on one page, at most 100.",
  total: "Number of rows on all pages together, exact at the time of the answer.",
  error: "What is wrong, for a program to act on.",
  code: "The kind of refusal in capitals. A code never changes its meaning; new ones may be added.",
  details: "Every field that is not valid, each with the rule that it broke.",
  path: "The field as the request wrote it: `amount`, or `eventTypes.0` for the first of a list.",
  "Error.message": "The fault in a sentence for people; in `details` the rule that the field broke.",
  correlation_id:
    "The `x-correlation-id` of the request, or one made for it. The operator finds the request by it.",
  doc_url: "The page that explains this code, its causes and its cures.",

  // names
  id: "The row's own id (UUID), the same for ever.",
  "deposit-addresses.id": "The id of the deposit address, as create and the list answered it (UUID).",
  "deposits.id": "The id of the deposit, as lists and the events of the deposit say it (UUID).",
  "endpoints.id": "The id of the webhook endpoint, as create and the list answered it (UUID).",
  "deliveries.id": "The id of the delivery, as the list answered it (UUID).",
  deposit_address_id: "The id of the deposit address that was paid (UUID).",
  deposit_id: "The id of the deposit (UUID); `reference_id` of its deliveries.",
  settlement_account_id:
    "The id of the settlement account that receives the money (UUID); null for the account that is the default.",
  token: "The `checkout_token` of a deposit address. Whoever has it may read the checkout.",
  checkout_token: "Unguessable text that opens the checkout of this deposit address, and nothing else.",
  checkout_url:
    "The page where the payer pays: send your customer here. null where the operator set no public address.",

  // what is to be paid
  kind: "`order` has an amount, `open` takes any amount for a time, `receive` is a standing address.",
  address:
    "The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty where it cannot be proven to be the one that was issued: tell your operator.",
  chain: "The chain of the address. There is one: `tron`.",
  currency: "The currency that the payer sends. Every amount of the row is in it.",
  amount: "Money in units of `currency`, as a decimal string with at most 6 decimals, never a number.",
  "createDepositAddress.amount":
    "What the order is over: units of `currency`, or USD with at most 2 decimals where it is priced in USD. " +
    "Left out for an open or a receive address.",
  pricing_currency:
    "`USD` if `amount` is in US dollars and is to be converted at the rate of now; else left out.",
  reusable: "`true` finds or makes a standing address that never expires. Not together with `amount`.",
  expected_amount: "What the order is over, in units of `currency` (decimal string); null without an amount.",
  pay_amount:
    "What the payer must send where the payer bears the fee, in units of `currency` (decimal string); else null.",
  "Checkout.pay_amount":
    "Exactly what the payer must send, in units of `currency` (decimal string); null where any amount will do.",
  "Checkout.amount":
    "What the order is over, in units of `currency` (decimal string); null without an amount.",
  amount_due:
    "What the payer must send, in units of `currency` (decimal string): `pay_amount`, else `expected_amount`; null where any amount will do, also of an order of 0.",
  order_amount: "What the order is over, in units of `currency` (decimal string); null without an amount.",
  fee_mode: "Who bears the fee: `merchant`, or `client`, where `pay_amount` has it on top.",
  fiat_currency: "`USD` if the order is priced in US dollars; else null.",
  fiat_amount: "The price in US dollars exactly as it was sent (decimal string); null if not priced in USD.",
  quote_rate: "Units of `currency` per 1 USD, with at most 4 decimals; null if not priced in USD.",
  quote_source: "The sources that the rate was made of, joined by `+`; null if not priced in USD.",
  quote_expires_at: "Until when `quote_rate` is locked (ISO 8601, UTC); null if not priced in USD.",
  expires_at: "Until when it can be paid in time (ISO 8601, UTC); null for a receive address.",
  order_ref:
    "Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique.",
  customer_ref: "Your own name of the customer whose standing address this is, at most 120 characters.",
  ref: "Your own reference of the order; null where none was given.",
  label: "A note of your own, at most 120 characters. The payer never sees it.",
  metadata:
    "Up to 20 texts of your own by key, 2 kB together, returned in rows and events; the payer never sees them.",
  success_url:
    "Where the payer goes once it is paid (http or https, at most 2048 characters); null for nowhere.",
  cancel_url:
    "Where the payer goes who gives up or is too late (http or https, at most 2048 characters); null for nowhere.",

  // what became of it
  status: "Where the row stands: the states are those of the list, and a state is never skipped silently.",
  "DepositAddress.status":
    "`ACTIVE` is waited for, `EXPIRED` is past its time, `ARCHIVED` is paid or put away.",
  "CreatedDepositAddress.status": "`ACTIVE`: it is waited for from now on.",
  "listDepositAddresses.status": "Only those in this status.",
  "listDepositAddresses.chain": "Only those of this chain.",
  "listDepositAddresses.kind":
    "Only `order` (with an amount), `open` (any amount, for a time) or `receive` (standing); `order` adds `payment_status`.",
  "listDepositAddresses.order_ref":
    "Only those with exactly this reference of yours: look here before you create.",
  payment_status:
    "How far an order is paid, in one word. Only of orders, on retrieve and in lists with `kind=order`.",
  payment_state:
    "What is credited of the money received, against what is due: `none`, `under`, `exact` (within the tolerance) or `over`.",
  amount_received:
    "The sum of what is confirmed, in units of `currency` (decimal string): money that the chain cannot take back.",
  "Checkout.amount_received":
    "The sum of what was seen, confirmed or not, in units of `currency` (decimal string).",
  amount_pending: "The sum of what was seen and is not final yet, in units of `currency` (decimal string).",
  difference:
    "What is credited minus what is due, in units of `currency` (decimal string, negative if short); null where nothing is due. Credited is what was received, or of a price in USD what each payment was worth by its own quote.",
  paid_late: "Whether it was paid only by money that came after its time and the late window.",
  paid_at: "When the confirmed deposits first added up to paid (ISO 8601, UTC); null while they do not.",
  previous_secret_expires_at:
    "Until when deliveries are signed with the secret before too (ISO 8601, UTC); null where they are not.",
  accepted_at: "When you accepted it as paid although the sums say otherwise (ISO 8601, UTC); else null.",
  accept_reason: "Why you accepted it, in your words; null where it was not accepted or no reason was given.",
  created_at: "When the row was made (ISO 8601, UTC).",
  updated_at: "When the row last changed (ISO 8601, UTC).",
  deposit: "The deposit that the transaction made, as it stands now.",
  deposit_address: "What it was sent to, as far as it says what became of the money.",
  deposits: "The confirmed deposits of the order, first to last, at most 20 of them.",

  // deposits
  "Deposit.amount": "What was sent, in units of `currency` (decimal string).",
  "Deposit.address": "The TRON address that was paid (base58, 34 characters).",
  "Deposit.currency": "The currency that was sent. Its `amount` is in it.",
  "Deposit.status":
    "`CONFIRMED` is final money. `DETECTED` and `CONFIRMING` wait for blocks, `STUCK` waits unusually long, " +
    "`REORG_PENDING` lost its block, `FAILED` never became money.",
  deposit_status: "Where the newest deposit stands; null before there is one. Only `CONFIRMED` is final.",
  source:
    "How the chain moved it: `transfer` (TRX), `log` (a token's event) or `internal` (TRX from a contract).",
  tx_hash: "The id of the transaction on the chain: 64 hex characters in small letters.",
  event_index: "Position of the transfer within its transaction, counted from 0.",
  from_address: "The TRON address that sent it (base58); null where the chain does not say.",
  block_number: "Height of the block that holds the transfer: its position in the chain, counted from 0.",
  block_hash: "The id of the block that holds the transfer: 64 hex characters.",
  block_time: "The time that the block itself states (ISO 8601, UTC). It decides whether a payment is late.",
  confirmations:
    "Number of blocks from the transfer's up to the newest one. It can reach and pass what is required some seconds before the deposit is final, and stands still once it is.",
  required_confirmations:
    "Number of blocks needed before the deposit can be final. Whether it is, the status says alone.",
  late: "Whether the transfer's block is later than the end of the time to pay.",
  unmatched: "Whether it is in the other currency than the deposit address asks for. Then it is in no sum.",
  stuck_reason: "Why it waits unusually long, in one word; null where it does not.",
  failure_reason: "Why it never became money, in one word; null where it did not fail.",
  detected_at: "When it was first seen (ISO 8601, UTC).",
  confirmed_at: "When it became final (ISO 8601, UTC); null while it is not.",
  failed_at: "When it was given up (ISO 8601, UTC); null where it was not.",
  previous_status: "The status before this event; null where it had none.",
  "listDeposits.status": "Only deposits in this status.",
  "listDeposits.currency": "Only deposits of this currency.",
  "listDeposits.deposit_address_id": "Only deposits to the deposit address with this id (UUID).",
  "listDeposits.order_ref": "Only deposits to deposit addresses with exactly this reference of yours.",
  "listDeposits.tx_hash": "Only deposits of the transaction with this id: 64 hex characters.",
  from: "Only rows made at this moment or later (ISO 8601 with an offset).",
  to: "Only rows made before this moment (ISO 8601 with an offset).",

  // webhooks
  url: "The http or https address that receives the events, at most 2048 characters, without credentials.",
  description: "A note of your own, at most 255 characters; null for none.",
  event_types: "The names of the events that are sent to this endpoint.",
  is_active: "Whether events are sent. While it is `false` they wait, at most 3 days.",
  "WebhookEndpoint.status": "`active` if events are sent, `disabled` while they wait.",
  "CreatedWebhookEndpoint.status": "`active` if events are sent, `disabled` while they wait.",
  "listWebhookEndpoints.status": "Only endpoints in this status.",
  secret:
    "The key that signs every event for this endpoint: `whsec_` and 64 hex characters. Shown this once.",
  deleted: "`true`: the endpoint and its secret are gone, and nothing more is sent there.",
  ok: "Whether the endpoint answered with a 2xx status in time.",
  duration_ms: "How long the endpoint took to answer, in milliseconds.",
  status_code: "The HTTP status code that the endpoint answered; none where no answer came.",
  "WebhookTestResult.error": "Why it failed, in one word; left out where the endpoint accepted.",
  event_id: "The id of the event, `id` in its body: the same at every attempt, so drop what you saw before.",
  event_type: "The name of the event, `event` in its body.",
  endpoint_id: "The id of the endpoint that it is sent to (UUID).",
  reference_id:
    "What the event is of (UUID): the deposit, or for `order.*` the deposit address; null for a test.",
  "listWebhookDeliveries.status": "Only deliveries in this status.",
  "listWebhookDeliveries.reference_id":
    "Only deliveries about the deposit or deposit address with this id (UUID).",
  "WebhookDelivery.status":
    "`DELIVERED` and `EXHAUSTED` are ends; `FAILED` waits for its next attempt, `SENDING` is under way.",
  "WebhookDeliveryDetail.status":
    "`DELIVERED` and `EXHAUSTED` are ends; `FAILED` waits for its next attempt, `SENDING` is under way.",
  attempt_count: "Number of attempts so far.",
  "WebhookDelivery.attempts": "Number of attempts so far, the same as `attempt_count`.",
  "WebhookDeliveryDetail.attempts": "Every attempt, first to last.",
  last_status_code: "The HTTP status code of the last attempt; null where no answer came.",
  last_error: "Why the last attempt failed, in one word; null where it did not or there was none.",
  next_attempt_at: "When it is tried next (ISO 8601, UTC); null where it is not.",
  number: "Number of the attempt, counted from 1.",
  trigger: "What made us try: the schedule, a test, or a resend that was asked for.",
  response_snippet: "The beginning of what the endpoint answered, at most 2 KiB; null where no answer came.",
  "WebhookAttempt.error": "Why the attempt failed, in one word; null where the endpoint accepted.",
  "WebhookAttempt.status_code": "The HTTP status code that the endpoint answered; null where no answer came.",
  attempted_at: "When the attempt began (ISO 8601, UTC).",

  // events
  "DepositEvent.id": "The id of the event (UUID). Delivery is at least once: drop an id that you have seen.",
  "OrderEvent.id": "The id of the event (UUID). Delivery is at least once: drop an id that you have seen.",
  "TestEvent.id": "The id of the event (UUID).",
  event: "The name of the event.",
  api_version: "The version of the contract that the body follows.",
  environment: "`live` for real money, `test` for the test environment.",
  "DepositEvent.created_at": "When it happened (ISO 8601, UTC).",
  "OrderEvent.created_at": "When it happened (ISO 8601, UTC).",
  "TestEvent.created_at": "When the test was asked for (ISO 8601, UTC).",
  sequence: "Number of the event among those of its deposit or order, from 1: drop one older than you have.",
  "DepositEvent.data": "The deposit, and what is known of its deposit address.",
  "OrderEvent.data": "The order with its confirmed sums.",
  "TestEvent.data": "What a test says; there is no payment behind it.",
  "TestEvent.message": "A sentence for people.",
  "DepositEvent.amount": "What this deposit sent, in units of `currency` (decimal string).",
  "DepositEvent.status": "The status of the deposit after this event. Only `CONFIRMED` is final money.",

  // the checkout
  state: "What the payer is told, in one word. `paid` and `overpaid` are final money.",
  merchant: "Who is paid, as the page shows it.",
  name: "The merchant's name.",
  logo_url: "The merchant's logo, a picture that is served here; null for none.",
  accent_color: "The colour of the page: `#` and six hex digits in small letters.",
  order: "What is to be paid.",
  payment: "Where and until when it is to be paid.",
  "Checkout.status": "What has been received so far.",
  result: "What became of the transaction, in one word.",
  address_end:
    "The last four characters of the address that was paid instead; null where the result is not `other_address`.",
  retry_after_seconds: "When to ask again, in seconds; null where asking again changes nothing.",
  "CheckoutLookup.amount":
    "What the transaction brought here, in units of `currency` (decimal string); null where that is not known.",
  "CheckoutLookup.currency": "USDT or TRX; null where neither came here.",
  "CheckoutLookup.confirmations": "Number of confirmations so far; null where the result is not `seen`.",
  "CheckoutLookup.required_confirmations":
    "Number of confirmations that are needed; null where the result is not `seen`.",
};
