// Written from clients/typescript/openapi.json by `npm run generate`.

/** The merchant of a key, and the rights of the key. */
export type Account = {
  /** The coins that orders can be paid in. */
  currencies: ("USDT" | "TRX")[];
  /** `live` for real money, `test` for a test network. */
  environment: "live" | "test";
  /** The party that pays the fee of new orders: `merchant`, or `client`. */
  feeMode: "merchant" | "client";
  /** The id of the merchant (UUID). */
  merchantId: string;
  /** The merchant's name. */
  name: string;
  /** The network of the chain, as `mainnet`, `nile` or `devnet`. */
  network: string;
  /** The rights of the key, by their names. */
  scopes: (
    | "charges:read"
    | "charges:write"
    | "deposits:read"
    | "webhooks:read"
    | "webhooks:write"
    | "settlements:read"
    | "refunds:read"
    | "refunds:write"
    | "refunds:address"
  )[];
};

/** Your money in one currency, and where it is. */
export type Balance = {
  /** All money of yours that the chain confirmed, in units of `currency` (decimal string). */
  confirmed: string;
  /** The currency of every amount of the row. */
  currency: "USDT" | "TRX";
  /** The service fees of that money, in units of `currency` (decimal string). */
  fees: string;
  /** The amount that was sent to your wallet and is not final yet, in units of `currency` (decimal string). */
  in_flight: string;
  /** The amount that has reached your own wallets for good, in units of `currency` (decimal string). */
  settled: string;
  /** The rest that you are owed, in units of `currency` (decimal string). */
  waiting: string;
  /** The money that you wait for, by the reason. Money on deposit addresses includes the fees that were not taken out yet. */
  waiting_for: {
    /** The amount that waits for this reason, in units of `currency` (decimal string). */
    amount: string;
    /** `no_settlement_account`: you have no active wallet; ask your operator. `not_planned`: it is too little or too new to be worth a transfer, your operator has not approved its wallet, or settlement is off. `in_preparation`: a transfer is being made. `price`: the network is dear at the moment. `frozen`: the transfer is refused; your operator decides. `network_cost`: the network took it when your TRX was sent, mostly 1.1 TRX for the first TRX to a new wallet; no transfer brings it, and your operator owes it to you. */
    reason: "no_settlement_account" | "not_planned" | "in_preparation" | "price" | "frozen" | "network_cost";
  }[];
};

/** The public view of a charge, for the holder of its token. */
export type Checkout = {
  /** The merchant, as the page shows it. */
  merchant: {
    /** The colour of the page: `#` and six hex digits in small letters. */
    accentColor: string;
    /** The merchant's logo, served by this service; null for none. */
    logoUrl: string | null;
    /** The merchant's name. */
    name: string;
  };
  /** The order, as the page shows it. */
  order: {
    /** The price of the order in units of `currency` (decimal string); null without an amount. */
    amount: string | null;
    /** The page that the payer goes to after giving up or too late (http or https, at most 2048 characters); null for none. */
    cancelUrl: string | null;
    /** The currency that the payer sends. Every amount of the row is in it. */
    currency: "USDT" | "TRX";
    /** The party that pays the fee: `merchant`, or `client`, whose `pay_amount` includes it. */
    feeMode: "merchant" | "client";
    /** The price in units of `fiat_currency`, exactly as you sent it (decimal string); null if not priced in fiat. */
    fiatAmount: string | null;
    /** The currency of the price; null for a price in the coin itself. */
    fiatCurrency: string | null;
    /** The exact amount that the payer must send, in units of `currency` (decimal string); null for any amount. */
    payAmount: string | null;
    /** The end of the lock of `quote_rate` (ISO 8601, UTC); null if not priced in fiat. */
    quoteExpiresAt: string | null;
    /** Units of `currency` for 1 unit of `fiat_currency`, with at most 4 decimals for USD and 10 for others; null if not priced in fiat. */
    quoteRate: string | null;
    /** Your own reference of the order; null if you gave none. */
    ref: string | null;
    /** The page that the payer goes to after payment (http or https, at most 2048 characters); null for none. */
    successUrl: string | null;
  };
  /** The address to pay to, and the time limit. */
  payment: {
    /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty if its row MAC is not valid: contact your operator. */
    address: string;
    /** The chain of the address: always `tron`. */
    chain: "tron";
    /** The end of the time to pay (ISO 8601, UTC); null for a receive address. */
    expiresAt: string | null;
  };
  /** The state for the payer, in one word. `paid` and `overpaid` are final money. */
  state: "awaiting" | "confirming" | "paid" | "underpaid" | "overpaid" | "expired" | "error";
  /** The money received so far. */
  status: {
    /** The sum of all money seen, confirmed or not, in units of `currency` (decimal string). */
    amountReceived: string;
    /** Number of blocks from the transfer's block to the newest one. It can pass the required number some seconds before the deposit is final, and stops when it is. */
    confirmations: number;
    /** The time at which it became final (ISO 8601, UTC); null until then. */
    confirmedAt: string | null;
    /** The status of the newest deposit; null before there is one. Only `CONFIRMED` is final. */
    depositStatus: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED" | null;
    /** The credited money compared with the amount due: `none`, `under`, `exact` (within the tolerance) or `over`. */
    paymentState: "none" | "under" | "exact" | "over";
    /** Number of blocks needed before the deposit can be final. Only the status shows whether it is. */
    requiredConfirmations: number;
    /** The id of the transaction on the chain: 64 hex characters in small letters. */
    txHash: string | null;
  };
};

/** The state of a transaction, as the payer of this checkout may know it. */
export type CheckoutLookup = {
  /** The last four characters of the address that was paid instead; null if the result is not `other_address`. */
  addressEnd: string | null;
  /** The amount that the transaction paid to this address, in units of `currency` (decimal string); null if unknown. */
  amount: string | null;
  /** Number of confirmations so far; null if the result is not `seen`. */
  confirmations: number | null;
  /** USDT or TRX; null if it paid neither to this address. */
  currency: "USDT" | "TRX" | null;
  /** Number of confirmations that are needed; null if the result is not `seen`. */
  requiredConfirmations: number | null;
  /** `counted`: its money is final and of this charge. `seen`: on its way to that. `failed`: it failed on the chain and moved nothing. `other_address`: it went elsewhere. `other_token`: it came here, and is no money of this charge. `not_on_tron`: a hash of another network (0x…). `not_found`: unknown so far. `busy`: too many look-ups; our own blocks do not have it, and the nodes can be queried in `retryAfterSeconds`. */
  result:
    | "counted"
    | "seen"
    | "failed"
    | "other_address"
    | "other_token"
    | "not_on_tron"
    | "not_found"
    | "busy";
  /** The seconds to wait before you ask again; null if that would change nothing. */
  retryAfterSeconds: number | null;
};

/** A deposit address as it was made. */
export type CreatedDepositAddress = {
  /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty if its row MAC is not valid: contact your operator. */
  address: string;
  /** The amount to send, in units of `currency` (decimal string): `pay_amount`, or else `expected_amount`. null means any amount, also for an order of 0. */
  amount_due: string | null;
  /** The page that the payer goes to after giving up or too late (http or https, at most 2048 characters); null for none. */
  cancel_url: string | null;
  /** The chain of the address: always `tron`. */
  chain: "tron";
  /** Unguessable text that opens the checkout of this deposit address, and nothing else. */
  checkout_token: string;
  /** The page where the payer pays: send your customer here. null if the operator set no `PUBLIC_BASE_URL`. */
  checkout_url: string | null;
  /** The currency that the payer sends. Every amount of the row is in it. */
  currency: "USDT" | "TRX";
  /** Your own name of the customer of this standing address, at most 120 characters. */
  customer_ref: string | null;
  /** The price of the order in units of `currency` (decimal string); null without an amount. */
  expected_amount: string | null;
  /** The end of the time to pay (ISO 8601, UTC); null for a receive address. */
  expires_at: string | null;
  /** The party that pays the fee: `merchant`, or `client`, whose `pay_amount` includes it. */
  fee_mode: "merchant" | "client";
  /** The price in units of `fiat_currency`, exactly as you sent it (decimal string); null if not priced in fiat. */
  fiat_amount: string | null;
  /** The currency of the price; null for a price in the coin itself. */
  fiat_currency: string | null;
  /** The id of the row (UUID); it never changes. */
  id: string;
  /** Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees them. */
  metadata: Record<string, string> | null;
  /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
  order_ref: string | null;
  /** The amount that the payer must send, with the fee, in units of `currency` (decimal string); null if the merchant pays the fee. */
  pay_amount: string | null;
  /** The end of the lock of `quote_rate` (ISO 8601, UTC); null if not priced in fiat. */
  quote_expires_at: string | null;
  /** Units of `currency` for 1 unit of `fiat_currency`, with at most 4 decimals for USD and 10 for others; null if not priced in fiat. */
  quote_rate: string | null;
  /** The sources of the rate, joined by `+`; null if not priced in fiat. */
  quote_source: string | null;
  /** `ACTIVE`: it waits for money from now on. */
  status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
  /** The page that the payer goes to after payment (http or https, at most 2048 characters); null for none. */
  success_url: string | null;
};

/** A new endpoint, with the secret that signs for it. */
export type CreatedWebhookEndpoint = {
  /** The time at which the row was created (ISO 8601, UTC). */
  created_at: string;
  /** A note of your own, at most 255 characters; null for none. */
  description: string | null;
  /** The names of the events that this endpoint receives. */
  event_types: (
    | "deposit.detected"
    | "deposit.confirming"
    | "deposit.confirmed"
    | "deposit.unmatched"
    | "deposit.stuck"
    | "deposit.reorged"
    | "deposit.failed"
    | "order.paid"
    | "order.underpaid"
    | "order.overpaid"
    | "order.expired"
    | "order.paid_late"
    | "order.accepted"
    | "settlement.completed"
    | "settlement.failed"
    | "refund.requested"
    | "refund.ready"
    | "refund.completed"
    | "refund.canceled"
    | "webhook.test"
  )[];
  /** The id of the row (UUID); it never changes. */
  id: string;
  /** Whether events are sent. While it is `false` they wait, at most 3 days. */
  is_active: boolean;
  /** The key that signs every event for this endpoint: `whsec_` and 64 hex characters. Shown only this once. */
  secret: string;
  /** `active` if events are sent, `disabled` while they wait. */
  status: "active" | "disabled";
  /** The time of the last change of the row (ISO 8601, UTC). */
  updated_at: string;
  /** The http or https URL that receives the events, at most 2048 characters, without credentials. */
  url: string;
};

/** One on-chain transfer to one of the merchant's addresses. */
export type Deposit = {
  /** The TRON address that received it (base58, 34 characters). */
  address: string;
  /** The amount sent, in units of `currency` (decimal string). */
  amount: string;
  /** The id of the block that holds the transfer: 64 hex characters. */
  block_hash: string;
  /** Height of the block that holds the transfer: its position in the chain, counted from 0. */
  block_number: number;
  /** The time that the block itself states (ISO 8601, UTC). It decides whether a payment is late. */
  block_time: string;
  /** The value of the deposit in units of `book_currency`: `amount` × `book_rate`, rounded half up to its smallest unit. */
  book_amount: string | null;
  /** The currency of your books in which the deposit is valued. Null while its value is not known, as the other `book_` fields. */
  book_currency:
    | "USD"
    | "ARS"
    | "AUD"
    | "BRL"
    | "CAD"
    | "CHF"
    | "EGP"
    | "EUR"
    | "GBP"
    | "INR"
    | "JPY"
    | "KRW"
    | "LBP"
    | "MXN"
    | "NGN"
    | "PLN"
    | "TRY"
    | null;
  /** Units of `book_currency` for 1 unit of `currency` at the time of the block. */
  book_rate: string | null;
  /** The minute of `book_rate` (ISO 8601, UTC); of a rate with several parts the oldest. */
  book_rate_at: string | null;
  /** The sources of `book_rate`, with a plus between them; `import:` marks one that was imported. */
  book_rate_sources: string | null;
  /** The chain of the address: always `tron`. */
  chain: "tron";
  /** Number of blocks from the transfer's block to the newest one. It can pass the required number some seconds before the deposit is final, and stops when it is. */
  confirmations: number;
  /** The time at which it became final (ISO 8601, UTC); null until then. */
  confirmed_at: string | null;
  /** The time at which the row was created (ISO 8601, UTC). */
  created_at: string;
  /** The currency that was sent; `amount` is in it. */
  currency: "USDT" | "TRX";
  /** The id of the deposit address that was paid (UUID). */
  deposit_address_id: string;
  /** The time at which it was first seen (ISO 8601, UTC). */
  detected_at: string;
  /** Position of the transfer within its transaction, counted from 0. */
  event_index: number;
  /** The time at which it failed for good (ISO 8601, UTC); otherwise null. */
  failed_at: string | null;
  /** Why it never became money, in one word; null if it did not fail. */
  failure_reason: string | null;
  /** The TRON address that sent it (base58); null if the chain does not name it. */
  from_address: string | null;
  /** The id of the row (UUID); it never changes. */
  id: string;
  /** Whether the transfer's block is later than the end of the time to pay. */
  late: boolean;
  /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
  order_ref: string | null;
  /** Number of blocks needed before the deposit can be final. Only the status shows whether it is. */
  required_confirmations: number;
  /** How the chain moved it: `transfer` (TRX), `log` (a token's event) or `internal` (TRX from a contract). */
  source: "transfer" | "log" | "internal";
  /** `CONFIRMED` is final money. `DETECTED` and `CONFIRMING` wait for blocks, `STUCK` waits unusually long, `REORG_PENDING` lost its block, `FAILED` never became money. */
  status: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED";
  /** Why it waits unusually long; null if it does not. `solidity`: few witnesses have built on its block. `quorum`: the nodes do not agree. `balance`: the address does not hold it. */
  stuck_reason: "solidity" | "quorum" | "balance" | null;
  /** The id of the transaction on the chain: 64 hex characters in small letters. */
  tx_hash: string;
  /** Whether it is in another currency than the deposit address asks for. Then no sum counts it. */
  unmatched: boolean;
  /** The time of the last change of the row (ISO 8601, UTC). */
  updated_at: string;
};

/** An order, an open address or a standing receive address. */
export type DepositAddress = {
  /** Your reason for accepting it; null if it was not accepted or you gave none. */
  accept_reason: string | null;
  /** The time at which you accepted it as paid (ISO 8601, UTC); otherwise null. */
  accepted_at: string | null;
  /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty if its row MAC is not valid: contact your operator. */
  address: string;
  /** The amount to send, in units of `currency` (decimal string): `pay_amount`, or else `expected_amount`. null means any amount, also for an order of 0. */
  amount_due: string | null;
  /** The sum of money that was seen and is not final yet, in units of `currency` (decimal string). */
  amount_pending: string;
  /** The sum of confirmed money, in units of `currency` (decimal string). The chain cannot take it back. */
  amount_received: string;
  /** The page that the payer goes to after giving up or too late (http or https, at most 2048 characters); null for none. */
  cancel_url: string | null;
  /** The chain of the address: always `tron`. */
  chain: "tron";
  /** Unguessable text that opens the checkout of this deposit address, and nothing else. */
  checkout_token: string;
  /** The page where the payer pays: send your customer here. null if the operator set no `PUBLIC_BASE_URL`. */
  checkout_url: string | null;
  /** The time at which the row was created (ISO 8601, UTC). */
  created_at: string;
  /** The currency that the payer sends. Every amount of the row is in it. */
  currency: "USDT" | "TRX";
  /** The payer's e-mail address, the first that was given; null without one. Nothing proves that it is the payer's. It is forgotten 90 days after the last change of the order. */
  customer_email: string | null;
  /** The newest other address that was typed on the page after the first; null without one. No mail goes there. */
  customer_email_later: string | null;
  /** Where `customer_email` came from: `api` (you), `link` (the form of a payment link) or `page` (the payment page); null without one. */
  customer_email_source: "api" | "link" | "page" | null;
  /** Your own name of the customer of this standing address, at most 120 characters. */
  customer_ref: string | null;
  /** The price of the order in units of `currency` (decimal string); null without an amount. */
  expected_amount: string | null;
  /** The end of the time to pay (ISO 8601, UTC); null for a receive address. */
  expires_at: string | null;
  /** The party that pays the fee: `merchant`, or `client`, whose `pay_amount` includes it. */
  fee_mode: "merchant" | "client";
  /** The price in units of `fiat_currency`, exactly as you sent it (decimal string); null if not priced in fiat. */
  fiat_amount: string | null;
  /** The currency of the price; null for a price in the coin itself. */
  fiat_currency: string | null;
  /** The id of the row (UUID); it never changes. */
  id: string;
  /** `order` has an amount, `open` takes any amount for a time, `receive` is a standing address. */
  kind: "order" | "receive" | "open";
  /** A note of your own, at most 120 characters. The payer never sees it. */
  label: string | null;
  /** Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees them. */
  metadata: Record<string, string> | null;
  /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
  order_ref: string | null;
  /** Whether only money after its time and the late window paid it. */
  paid_late: boolean;
  /** The amount that the payer must send, with the fee, in units of `currency` (decimal string); null if the merchant pays the fee. */
  pay_amount: string | null;
  /** The texts that the payer typed at the payment link; null without any. They prove nothing. */
  payer: {
    /** The name that the payer typed; null without one. */
    name: string | null;
    /** The note that the payer typed; null without one. */
    note: string | null;
  } | null;
  /** The `ref` in the address of the payment link; null without one. The payer's side typed it, so it proves nothing. */
  payer_ref: string | null;
  /** The id of the payment link that the order was made by (UUID); otherwise null. */
  payment_link_id: string | null;
  /** The credited money compared with the amount due: `none`, `under`, `exact` (within the tolerance) or `over`. */
  payment_state: "none" | "under" | "exact" | "over";
  /** The progress of the payment in one word. Only for orders, when retrieved and in lists with `kind=order` or `paymentStatus`. */
  payment_status?: "paid" | "confirming" | "detected" | "awaiting" | "expired";
  /** The end of the lock of `quote_rate` (ISO 8601, UTC); null if not priced in fiat. */
  quote_expires_at: string | null;
  /** Units of `currency` for 1 unit of `fiat_currency`, with at most 4 decimals for USD and 10 for others; null if not priced in fiat. */
  quote_rate: string | null;
  /** The sources of the rate, joined by `+`; null if not priced in fiat. */
  quote_source: string | null;
  /** The sum that completed refunds moved on the chain, in units of `currency` (decimal string). Refunds of another coin are not in it. */
  refunded_amount: string;
  /** The id of the order that this one asks the missing money of (UUID); otherwise null. */
  rest_of: string | null;
  /** The id of the settlement account that receives the money (UUID); null for the default account. */
  settlement_account_id: string | null;
  /** `ACTIVE` waits for money, `EXPIRED` is past its time, `ARCHIVED` is paid or archived. */
  status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
  /** The page that the payer goes to after payment (http or https, at most 2048 characters); null for none. */
  success_url: string | null;
  /** The time of the last change of the row (ISO 8601, UTC). */
  updated_at: string;
};

/** The body of an event of a deposit. */
export type DepositEvent = {
  /** The version of the contract that the body follows. */
  apiVersion: "v1";
  /** The time of the event (ISO 8601, UTC). */
  createdAt: string;
  /** The deposit, and the facts of its deposit address. */
  data: {
    /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty if its row MAC is not valid: contact your operator. */
    address: string;
    /** The amount of this deposit, in units of `currency` (decimal string). */
    amount: string;
    /** The sum of confirmed money, in units of `currency` (decimal string). The chain cannot take it back. */
    amountReceived: string;
    /** The id of the block that holds the transfer: 64 hex characters. */
    blockHash: string;
    /** Height of the block that holds the transfer: its position in the chain, counted from 0. */
    blockNumber: number;
    /** The chain of the address: always `tron`. */
    chain: "tron";
    /** Number of blocks from the transfer's block to the newest one. It can pass the required number some seconds before the deposit is final, and stops when it is. */
    confirmations: number;
    /** The time at which it became final (ISO 8601, UTC); null until then. */
    confirmedAt: string | null;
    /** The currency that the payer sends. Every amount of the row is in it. */
    currency: "USDT" | "TRX";
    /** The id of the deposit address that was paid (UUID). */
    depositAddressId: string;
    /** The id of the deposit (UUID); `reference_id` of its deliveries. */
    depositId: string;
    /** The time at which it was first seen (ISO 8601, UTC). */
    detectedAt: string;
    /** Credited money minus the amount due, in units of `currency` (decimal string, negative if short); null if no amount is due. For a price in fiat each payment is credited by its own quote. */
    difference: string | null;
    /** Position of the transfer within its transaction, counted from 0. */
    eventIndex: number;
    /** The party that pays the fee: `merchant`, or `client`, whose `pay_amount` includes it. */
    feeMode: "merchant" | "client";
    /** The price in units of `fiat_currency`, exactly as you sent it (decimal string); null if not priced in fiat. */
    fiatAmount: string | null;
    /** The currency of the price; null for a price in the coin itself. */
    fiatCurrency: string | null;
    /** A note of your own, at most 120 characters. The payer never sees it. */
    label: string | null;
    /** Whether the transfer's block is later than the end of the time to pay. */
    late: boolean;
    /** Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees them. */
    metadata: Record<string, string> | null;
    /** The price of the order in units of `currency` (decimal string); null without an amount. */
    orderAmount: string | null;
    /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
    orderRef: string | null;
    /** The amount that the payer must send, with the fee, in units of `currency` (decimal string); null if the merchant pays the fee. */
    payAmount: string | null;
    /** The `ref` in the address of the payment link; null without one. The payer's side typed it, so it proves nothing. */
    payerRef?: string | null;
    /** The id of the payment link that the order was made by (UUID); otherwise null. */
    paymentLinkId?: string | null;
    /** The credited money compared with the amount due: `none`, `under`, `exact` (within the tolerance) or `over`. */
    paymentState: "none" | "under" | "exact" | "over";
    /** The status before this event; null if there was none. */
    previousStatus: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED" | null;
    /** Units of `currency` for 1 unit of `fiat_currency`, with at most 4 decimals for USD and 10 for others; null if not priced in fiat. */
    quoteRate: string | null;
    /** Number of blocks needed before the deposit can be final. Only the status shows whether it is. */
    requiredConfirmations: number;
    /** The status of the deposit after this event. Only `CONFIRMED` is final money. */
    status: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED";
    /** The id of the transaction on the chain: 64 hex characters in small letters. */
    txHash: string;
    /** Whether it is in another currency than the deposit address asks for. Then no sum counts it. */
    unmatched: boolean;
  };
  /** `live` for real money, `test` for the test environment. */
  environment: "live" | "test";
  /** The name of the event. */
  event:
    | "deposit.detected"
    | "deposit.confirming"
    | "deposit.confirmed"
    | "deposit.unmatched"
    | "deposit.stuck"
    | "deposit.reorged"
    | "deposit.failed";
  /** The id of the event (UUID). Delivery is at least once: drop an id that you have seen. */
  id: string;
  /** Number of the event among those of its deposit, order or refund, from 1: drop one older than you have. */
  sequence: number;
};

/** A refusal. `details` names every invalid field. */
export type ErrorBody = {
  /** The `x-correlation-id` of the request, or a new one. The operator finds the request by it. */
  correlationId: string;
  /** The fault, for a program to act on. */
  error: {
    /** The kind of refusal in capitals. A code never changes its meaning; new ones may be added. */
    code:
      | "EXPECTED_AMOUNT_REQUIRED"
      | "USD_AMOUNT_REQUIRED"
      | "RATE_UNAVAILABLE"
      | "MAX_ACTIVE_ADDRESSES"
      | "SETTLEMENT_ACCOUNT_NOT_FOUND"
      | "NO_SETTLEMENT_ACCOUNT"
      | "INVALID_WEBHOOK_URL"
      | "INVALID_EVENT_TYPE"
      | "INVALID_JSON"
      | "UNAUTHORIZED"
      | "WRONG_ENVIRONMENT"
      | "INSUFFICIENT_SCOPE"
      | "NOT_FOUND"
      | "METHOD_NOT_ALLOWED"
      | "ORDER_ALREADY_PAID"
      | "PAYMENT_IN_PROGRESS"
      | "NOTHING_RECEIVED"
      | "ORDER_NOT_EXPIRED"
      | "ORDER_CLOSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "LINK_CLOSED"
      | "REFUND_CLOSED"
      | "REFUND_REF_TAKEN"
      | "REFUND_EXCEEDS_RECEIVED"
      | "EXPORT_TOO_LARGE"
      | "LINK_SOLD_OUT"
      | "VALIDATION_ERROR"
      | "FIAT_AMOUNT_REQUIRED"
      | "NOT_FIAT_PRICED"
      | "SETTLEMENT_ACCOUNT_DISABLED"
      | "TOO_MANY_ENDPOINTS"
      | "CAP_REACHED"
      | "NOT_RESENDABLE"
      | "SIGN_IN_FAILED"
      | "CODE_REQUIRED"
      | "WRONG_CODE"
      | "SESSION_ENDED"
      | "CSRF_REFUSED"
      | "REAUTHENTICATION_REQUIRED"
      | "SECOND_FACTOR_REQUIRED"
      | "MERCHANT_SUSPENDED"
      | "WALLET_NOT_CONFIRMED"
      | "CHANGED_MEANWHILE"
      | "LINK_NOT_VALID"
      | "SHOP_CODE_NOT_VALID"
      | "LAST_OWNER"
      | "RATE_LIMITED"
      | "INTERNAL_ERROR"
      | "SERVICE_UNAVAILABLE";
    /** Every invalid field, with the rule that it breaks. */
    details?: {
      /** The fault in a sentence for people; in `details` the rule that the field breaks. */
      message: string;
      /** The field as in the request: `amount`, or `eventTypes.0` for the first of a list. */
      path: string;
    }[];
    /** The explanation of the code: an absolute URL if the service has a public base URL, else a path. */
    docUrl: string;
  };
  /** The fault in a sentence for people; in `details` the rule that the field breaks. */
  message: string;
  /** Whether the request succeeded: `true` with `data`, `false` with `error`. */
  success: false;
};

/** An event, with the fields of its webhook's body. */
export type EventRow = {
  /** The version of the contract that the body follows. */
  apiVersion: "v1";
  /** The time of the event (ISO 8601, UTC). */
  createdAt: string;
  /** The content of the webhook of this name; null once it is not kept any more. */
  data: Record<string, unknown> | null;
  /** `live` for real money, `test` for the test environment. */
  environment: "live" | "test";
  /** The name of the event. */
  event:
    | "deposit.detected"
    | "deposit.confirming"
    | "deposit.confirmed"
    | "deposit.unmatched"
    | "deposit.stuck"
    | "deposit.reorged"
    | "deposit.failed"
    | "order.paid"
    | "order.underpaid"
    | "order.overpaid"
    | "order.expired"
    | "order.paid_late"
    | "order.accepted"
    | "settlement.completed"
    | "settlement.failed"
    | "refund.requested"
    | "refund.ready"
    | "refund.completed"
    | "refund.canceled"
    | "webhook.test";
  /** The id of the event (UUID), `id` in its webhook. */
  id: string;
  /** Number of the event among those of its deposit, order or refund, from 1: drop one older than you have. */
  sequence: number;
};

/** The order of a click, and where to pay it. */
export type LinkOrder = {
  /** The page where the payer pays: send your customer here. null if the operator set no `PUBLIC_BASE_URL`. */
  checkout_url: string | null;
  /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
  order_ref: string | null;
};

/** One deposit that a transaction made, and what became of it. */
export type LookupRow = {
  /** The deposit of the transaction, in its current state. */
  deposit: Deposit;
  /** The deposit address that it paid, as far as it explains what happened to the money. */
  deposit_address: PaidDepositAddress;
  /** The effect of the transaction on the merchant: it paid one of its addresses. */
  kind: "deposit";
};

/** The body of an event of an order. */
export type OrderEvent = {
  /** The version of the contract that the body follows. */
  apiVersion: "v1";
  /** The time of the event (ISO 8601, UTC). */
  createdAt: string;
  /** The order with its confirmed sums. */
  data: {
    /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty if its row MAC is not valid: contact your operator. */
    address: string;
    /** The sum of confirmed money, in units of `currency` (decimal string). The chain cannot take it back. */
    amountReceived: string;
    /** The chain of the address: always `tron`. */
    chain: "tron";
    /** The currency that the payer sends. Every amount of the row is in it. */
    currency: "USDT" | "TRX";
    /** The id of the deposit address that was paid (UUID). */
    depositAddressId: string;
    /** The confirmed deposits of the order, first to last, at most 20 of them. */
    deposits: {
      /** Money in units of `currency`, as a decimal string with at most 6 decimals, never a number. */
      amount: string;
      /** The time at which it became final (ISO 8601, UTC); null until then. */
      confirmedAt: string;
      /** The id of the deposit (UUID); `reference_id` of its deliveries. */
      depositId: string;
      /** The id of the transaction on the chain: 64 hex characters in small letters. */
      txHash: string;
    }[];
    /** Credited money minus the amount due, in units of `currency` (decimal string, negative if short); null if no amount is due. For a price in fiat each payment is credited by its own quote. */
    difference: string | null;
    /** The end of the time to pay (ISO 8601, UTC); null for a receive address. */
    expiresAt: string | null;
    /** The party that pays the fee: `merchant`, or `client`, whose `pay_amount` includes it. */
    feeMode: "merchant" | "client";
    /** The price in units of `fiat_currency`, exactly as you sent it (decimal string); null if not priced in fiat. */
    fiatAmount: string | null;
    /** The currency of the price; null for a price in the coin itself. */
    fiatCurrency: string | null;
    /** A note of your own, at most 120 characters. The payer never sees it. */
    label: string | null;
    /** Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees them. */
    metadata: Record<string, string> | null;
    /** The price of the order in units of `currency` (decimal string); null without an amount. */
    orderAmount: string | null;
    /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
    orderRef: string | null;
    /** Whether another charge of this reference is paid. Do not cancel your order then. Absent from events of earlier versions. */
    orderRefPaid?: boolean;
    /** The time at which the confirmed deposits first added up to paid (ISO 8601, UTC); null until then. */
    paidAt: string | null;
    /** Whether only money after its time and the late window paid it. */
    paidLate: boolean;
    /** The amount that the payer must send, with the fee, in units of `currency` (decimal string); null if the merchant pays the fee. */
    payAmount: string | null;
    /** The `ref` in the address of the payment link; null without one. The payer's side typed it, so it proves nothing. */
    payerRef?: string | null;
    /** The id of the payment link that the order was made by (UUID); otherwise null. */
    paymentLinkId?: string | null;
    /** The credited money compared with the amount due: `none`, `under`, `exact` (within the tolerance) or `over`. */
    paymentState: "none" | "under" | "exact" | "over";
    /** Units of `currency` for 1 unit of `fiat_currency`, with at most 4 decimals for USD and 10 for others; null if not priced in fiat. */
    quoteRate: string | null;
    /** Whether with this event the order of `restOf` is paid too: deliver that order. Absent from events of earlier versions. */
    restCompletes?: boolean;
    /** The id of the order that this one asks the missing money of (UUID); otherwise null. */
    restOf?: string | null;
  };
  /** `live` for real money, `test` for the test environment. */
  environment: "live" | "test";
  /** The name of the event. */
  event:
    | "order.paid"
    | "order.underpaid"
    | "order.overpaid"
    | "order.expired"
    | "order.paid_late"
    | "order.accepted";
  /** The id of the event (UUID). Delivery is at least once: drop an id that you have seen. */
  id: string;
  /** Number of the event among those of its deposit, order or refund, from 1: drop one older than you have. */
  sequence: number;
};

/** The address that a deposit was sent to, in its current state. */
export type PaidDepositAddress = {
  /** The amount to send, in units of `currency` (decimal string): `pay_amount`, or else `expected_amount`. null means any amount, also for an order of 0. */
  amount_due: string | null;
  /** The sum of confirmed money, in units of `currency` (decimal string). The chain cannot take it back. */
  amount_received: string;
  /** The currency that it is to be paid in. */
  currency: "USDT" | "TRX";
  /** The customer of a receive address. */
  customer_ref: string | null;
  /** The end of the time to pay (ISO 8601, UTC); null for a receive address. */
  expires_at: string | null;
  /** The id to retrieve the deposit address by. */
  id: string;
  /** The kind of the address: an order, an open or a receive address. */
  kind: "order" | "receive" | "open";
  /** The merchant's own reference of the order. */
  order_ref: string | null;
  /** All confirmed money of the address relative to the amount due. */
  payment_state: "none" | "under" | "exact" | "over";
  /** Of an order; else null. */
  payment_status: "paid" | "confirming" | "detected" | "awaiting" | "expired" | null;
  /** Of a rest: the first order, which it completes. */
  rest_of: string | null;
  /** Where the deposit address stands now. */
  status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
};

/** A template of orders: its page makes one on each click. */
export type PaymentLink = {
  /** The fixed amount, in units of `currency`, or of `pricing_currency` (decimal string); null if the payer chooses. */
  amount: string | null;
  /** The questions of the page to the payer: `name`, which it then requires, and `note`. */
  ask: ("name" | "note" | "email")[];
  /** Where the page of an expired or cancelled order leads; null without one. */
  cancel_url: string | null;
  /** The time at which the row was created (ISO 8601, UTC). */
  created_at: string;
  /** The coin that the orders are paid in. */
  currency: "USDT" | "TRX";
  /** More about it, shown on the page; null without any. */
  description: string | null;
  /** The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on. */
  expires_at: string | null;
  /** The id of the row (UUID); it never changes. */
  id: string;
  /** The largest amount that the payer may choose, in units of `currency` or `pricing_currency` (decimal string); null without a bound. */
  max_amount: string | null;
  /** The number of orders that may be paid; null without a limit. Open orders hold a place until they expire. */
  max_payments: number | null;
  /** Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees them. */
  metadata: Record<string, string> | null;
  /** The least amount that the payer may choose, in units of `currency` or `pricing_currency` (decimal string); null without a bound. */
  min_amount: string | null;
  /** The beginning of each order's `order_ref`; null without any. */
  order_ref_prefix: string | null;
  /** The number of orders that wait for money. With `max_payments` also those that have expired with a part of it: each holds a place. */
  orders_open: number;
  /** The number of orders that are paid or accepted. Late money can make more of them than `max_payments`. */
  orders_paid: number;
  /** The currency of the amounts; null if they are in `currency`. */
  pricing_currency: string | null;
  /** The id of the settlement account that receives the money (UUID); null for the default account. */
  settlement_account_id: string | null;
  /** `active`, `disabled` (paused, or closed by the operator), `sold_out` or `expired`. Only an active link takes new orders. */
  status: "active" | "disabled" | "sold_out" | "expired";
  /** Where the page of a paid order leads; null without one. */
  success_url: string | null;
  /** The amounts that the page offers with one tap, in units of `currency` or `pricing_currency` (decimal strings). */
  suggested_amounts: string[];
  /** The text on the page of a paid order; null without any. */
  thanks: string | null;
  /** The name of the sold thing, shown on the page and as the `label` of its orders. */
  title: string;
  /** The unguessable end of `url`. */
  token: string;
  /** The time of the last change of the row (ISO 8601, UTC). */
  updated_at: string;
  /** The public page of the link; null where the operator has set no public address. */
  url: string | null;
};

/** A currency that orders can be priced in. */
export type PricingCurrency = {
  /** Whether an order in it can be priced now: false also with fewer than three sources; null if it is not known, since no request asked in the last minute. */
  available: boolean | null;
  /** The value of `pricingCurrency`, by ISO 4217. */
  code: string;
  /** The number of decimals that an amount in it may have. */
  decimals: number;
  /** Whether its exchange markets are closed, from Friday to Sunday 17:00 in New York. */
  resting: boolean;
  /** The sources that price it on this deployment. */
  sources: string[];
};

/** Money that a merchant promises back to a payer. */
export type Refund = {
  /** The TRON address that the refund goes to (base58); null until the payer names it, and if its row MAC is not valid. */
  address: string | null;
  /** The amount that goes back, in units of `currency` (decimal string). */
  amount: string;
  /** The time at which you canceled it (ISO 8601, UTC); otherwise null. */
  canceled_at: string | null;
  /** The time until which `claim_url` takes an address (ISO 8601, UTC). */
  claim_expires_at: string;
  /** The page where the payer names the address: send it to the payer alone. Only in the answer about one refund, for the scope `refunds:write`; otherwise null. */
  claim_url: string | null;
  /** The time at which its transfer was final (ISO 8601, UTC); null until then. */
  completed_at: string | null;
  /** The coin that goes back; it may differ from that of the order. */
  currency: "USDT" | "TRX";
  /** The TRON address that sent most of a large surplus (base58): another one needs a confirmation with a reason. null for any other refund. */
  default_address: string | null;
  /** The id of the deposit address whose money goes back (UUID). */
  deposit_address_id: string;
  /** The part of the order's price in fiat that you asked to refund, exactly as you sent it (decimal string); null without one. */
  fiat_amount: string | null;
  /** The id of the refund (UUID). */
  id: string;
  /** Why an owner or admin must confirm it; null if nothing is in doubt. `address`: a key or a person sent the address. `paid_money`: the money paid the order. `other_address`: a large surplus is to go to another address than its sender's. `order_changed`: money came, or the order was accepted, after the request. */
  needs_confirmation: "address" | "paid_money" | "other_address" | "order_changed" | null;
  /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
  order_ref: string | null;
  /** The amount that the chain moved, in units of `currency` (decimal string); null until the refund is `COMPLETED`. */
  paid_amount: string | null;
  /** The time until which address and amount stay as they are, since a person opened its payment (ISO 8601, UTC); null if none did. */
  pay_until: string | null;
  /** The last time at which it became `READY` (ISO 8601, UTC); null until then. */
  ready_at: string | null;
  /** Your reason for the refund, at most 500 characters; null if you gave none. */
  reason: string | null;
  /** Your own reference of the refund, at most 120 characters; null if you gave none. */
  refund_ref: string | null;
  /** The time of the request (ISO 8601, UTC). */
  requested_at: string;
  /** The time at which its transfer was seen in a block (ISO 8601, UTC); null until then. */
  sent_at: string | null;
  /** `REQUESTED` waits for an address or a confirmation, `READY` for your payment. `SENT` is on the chain, `COMPLETED` is final, and `CANCELED` is not to be paid. */
  status: "REQUESTED" | "READY" | "SENT" | "CANCELED" | "COMPLETED";
  /** The id of the transaction that paid it: 64 hex characters in small letters; null before one is seen. */
  tx_hash: string | null;
};

/** A refund, as its payer sees it. */
export type RefundClaim = {
  /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty if its row MAC is not valid: contact your operator. */
  address: string | null;
  /** Whether the address sent money of the order. It may be that of an exchange. null without an address. */
  address_paid_order: boolean | null;
  /** Money in units of `currency`, as a decimal string with at most 6 decimals, never a number. */
  amount: string;
  /** The time until which `claim_url` takes an address (ISO 8601, UTC). */
  claim_expires_at: string;
  /** The currency that the payer sends. Every amount of the row is in it. */
  currency: "USDT" | "TRX";
  /** The TRON address that sent most of a large surplus (base58): another one needs a confirmation with a reason. null for any other refund. */
  default_address: string | null;
  /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
  order_ref: string | null;
  /** The amount that the chain moved, in units of `currency` (decimal string); null until the refund is `COMPLETED`. */
  paid_amount: string | null;
  /** The name of the shop. */
  shop: string;
  /** The state of the row, one of those in the list. No state is skipped without an event. */
  status: "REQUESTED" | "READY" | "SENT" | "CANCELED" | "COMPLETED";
  /** Whether the link takes an address now. It takes one, once. */
  takes_address: boolean;
  /** The id of the transaction on the chain: 64 hex characters in small letters. */
  tx_hash: string | null;
  /** Whether the shop must confirm the refund before it is ready. */
  waits_for_shop: boolean;
};

/** The body of an event of a refund. */
export type RefundEvent = {
  /** The version of the contract that the body follows. */
  apiVersion: "v1";
  /** The time of the event (ISO 8601, UTC). */
  createdAt: string;
  /** The refund as it was at the event. */
  data: {
    /** The TRON address that the refund goes to (base58); null until the payer names it. */
    address: string | null;
    /** The amount that goes back, in units of `currency` (decimal string). */
    amount: string;
    /** The time at which you canceled it (ISO 8601, UTC); otherwise null. */
    canceledAt: string | null;
    /** The chain of the address: always `tron`. */
    chain: "tron";
    /** The time at which its transfer was final (ISO 8601, UTC); null until then. */
    completedAt: string | null;
    /** The coin that goes back; it may differ from that of the order. */
    currency: "USDT" | "TRX";
    /** The id of the deposit address whose money goes back (UUID). */
    depositAddressId: string;
    /** The part of the order's price in fiat that you asked to refund, exactly as you sent it (decimal string); null without one. */
    fiatAmount: string | null;
    /** Up to 20 texts of your own by key, 2 kB together. Rows and events repeat them; the payer never sees them. */
    metadata: Record<string, string> | null;
    /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
    orderRef: string | null;
    /** The last time at which it became `READY` (ISO 8601, UTC); null until then. */
    readyAt: string | null;
    /** Your reason for the refund; null if you gave none. */
    reason: string | null;
    /** The id of the refund (UUID); `reference_id` of its deliveries. */
    refundId: string;
    /** The time of the request (ISO 8601, UTC). */
    requestedAt: string;
    /** The time at which its transfer was seen in a block (ISO 8601, UTC); null until then. */
    sentAt: string | null;
    /** The status of the refund after this event. Only `COMPLETED` is final money, and only `CANCELED` may still change to it. */
    status: "REQUESTED" | "READY" | "SENT" | "CANCELED" | "COMPLETED";
    /** The id of the transaction that paid it: 64 hex characters in small letters; null before one is seen. */
    txHash: string | null;
  };
  /** `live` for real money, `test` for the test environment. */
  environment: "live" | "test";
  /** The name of the event. */
  event: "refund.requested" | "refund.ready" | "refund.completed" | "refund.canceled";
  /** The id of the event (UUID). Delivery is at least once: drop an id that you have seen. */
  id: string;
  /** Number of the event among those of its deposit, order or refund, from 1: drop one older than you have. */
  sequence: number;
};

/** An endpoint, with the new secret that signs for it. */
export type RotatedWebhookEndpoint = {
  /** The time at which the row was created (ISO 8601, UTC). */
  created_at: string;
  /** A note of your own, at most 255 characters; null for none. */
  description: string | null;
  /** The names of the events that this endpoint receives. */
  event_types: (
    | "deposit.detected"
    | "deposit.confirming"
    | "deposit.confirmed"
    | "deposit.unmatched"
    | "deposit.stuck"
    | "deposit.reorged"
    | "deposit.failed"
    | "order.paid"
    | "order.underpaid"
    | "order.overpaid"
    | "order.expired"
    | "order.paid_late"
    | "order.accepted"
    | "settlement.completed"
    | "settlement.failed"
    | "refund.requested"
    | "refund.ready"
    | "refund.completed"
    | "refund.canceled"
    | "webhook.test"
  )[];
  /** The id of the row (UUID); it never changes. */
  id: string;
  /** Whether events are sent. While it is `false` they wait, at most 3 days. */
  is_active: boolean;
  /** The time until which deliveries also carry the signature of the previous secret (ISO 8601, UTC); null if they do not. */
  previous_secret_expires_at: string | null;
  /** The key that signs every event for this endpoint: `whsec_` and 64 hex characters. Shown only this once. */
  secret: string;
  /** The state of the row, one of those in the list. No state is skipped without an event. */
  status: "active" | "disabled";
  /** The time of the last change of the row (ISO 8601, UTC). */
  updated_at: string;
  /** The http or https URL that receives the events, at most 2048 characters, without credentials. */
  url: string;
};

/** The result of a resend of many deliveries. */
export type SentAgain = {
  /** Number of deliveries that are due now, the last of them after 50 ms for each. */
  deliveries: number;
};

/** Transfers out of deposit addresses to one of your wallets, planned together. */
export type Settlement = {
  /** The TRON address of the wallet that is paid (base58). */
  address: string;
  /** The amount that has arrived at your wallet, in units of `currency` (decimal string). */
  amount: string;
  /** The chain of the address: always `tron`. */
  chain: "tron";
  /** The time at which it was planned (ISO 8601, UTC). */
  created_at: string;
  /** The currency of `amount` and `fees_paid`. */
  currency: "USDT" | "TRX";
  /** The time at which it ended (ISO 8601, UTC); null while it is open. */
  ended_at: string | null;
  /** The reason why the rest of it waits, in words; null without a rest. */
  failure_reason: string | null;
  /** The part of its fees that has arrived at the operator's wallet, in units of `currency` (decimal string). */
  fees_paid: string;
  /** The id of the settlement (UUID). */
  id: string;
  /** The network's fees for it, in units of TRX (decimal string). The operator bears it. */
  network_cost: string;
  /** The id of the settlement account that is paid (UUID). */
  settlement_account_id: string;
  /** `OPEN` while transfers of it are made, `COMPLETED` once all of it has arrived, `FAILED` if part of it could not be sent. */
  status: "OPEN" | "COMPLETED" | "FAILED";
  /** Number of its sweeps, in any status. */
  sweep_count: number;
};

/** A wallet of yours that your money goes to. */
export type SettlementAccount = {
  /** The TRON address of your wallet (base58, 34 characters). */
  address: string;
  /** The chain of the address: always `tron`. */
  chain: "tron";
  /** The time at which the row was created (ISO 8601, UTC). */
  created_at: string;
  /** The id of the row (UUID); it never changes. */
  id: string;
  /** Whether charges that name no settlement account use this one. */
  is_default: boolean;
  /** The operator's note of it, at most 120 characters; null for none. */
  label: string | null;
  /** `active` takes new charges; `disabled` takes none. */
  status: "active" | "disabled";
  /** The time of the last change of the row (ISO 8601, UTC). */
  updated_at: string;
};

/** A settlement with its sweeps and their transactions. */
export type SettlementDetail = {
  /** The TRON address of the wallet that is paid (base58). */
  address: string;
  /** The amount that has arrived at your wallet, in units of `currency` (decimal string). */
  amount: string;
  /** The chain of the address: always `tron`. */
  chain: "tron";
  /** The time at which it was planned (ISO 8601, UTC). */
  created_at: string;
  /** The currency of `amount` and `fees_paid`. */
  currency: "USDT" | "TRX";
  /** The time at which it ended (ISO 8601, UTC); null while it is open. */
  ended_at: string | null;
  /** The reason why the rest of it waits, in words; null without a rest. */
  failure_reason: string | null;
  /** The part of its fees that has arrived at the operator's wallet, in units of `currency` (decimal string). */
  fees_paid: string;
  /** The id of the settlement (UUID). */
  id: string;
  /** The network's fees for it, in units of TRX (decimal string). The operator bears it. */
  network_cost: string;
  /** The id of the settlement account that is paid (UUID). */
  settlement_account_id: string;
  /** `OPEN` while transfers of it are made, `COMPLETED` once all of it has arrived, `FAILED` if part of it could not be sent. */
  status: "OPEN" | "COMPLETED" | "FAILED";
  /** Number of its sweeps, in any status. */
  sweep_count: number;
  /** Its transfers out of deposit addresses. */
  sweeps: Sweep[];
};

/** The body of an event of a settlement. */
export type SettlementEvent = {
  /** The version of the contract that the body follows. */
  apiVersion: "v1";
  /** The time of the event (ISO 8601, UTC). */
  createdAt: string;
  /** The settlement, and what of it has arrived. */
  data: {
    /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty if its row MAC is not valid: contact your operator. */
    address: string;
    /** Money in units of `currency`, as a decimal string with at most 6 decimals, never a number. */
    amount: string;
    /** The chain of the address: always `tron`. */
    chain: "tron";
    /** The time of the event (ISO 8601, UTC). */
    createdAt: string;
    /** The currency that the payer sends. Every amount of the row is in it. */
    currency: "USDT" | "TRX";
    /** The time at which it ended (ISO 8601, UTC); null while it is open. */
    endedAt: string;
    /** Why it never became money, in one word; null if it did not fail. */
    failureReason: string | null;
    /** The part of its fees that has arrived at the operator's wallet, in units of `currency` (decimal string). */
    feesPaid: string;
    /** The id of the settlement account that receives the money (UUID); null for the default account. */
    settlementAccountId: string;
    /** The id of the settlement (UUID). */
    settlementId: string;
    /** Number of its sweeps, in any status. */
    sweepCount: number;
    /** Its transfers that have arrived, at most 20. */
    transfers: {
      /** Money in units of `currency`, as a decimal string with at most 6 decimals, never a number. */
      amount: string;
      /** Whom it pays: the `merchant`, or the `operator` for its fees. */
      recipient: "merchant" | "operator";
      /** The id of the transaction on the chain: 64 hex characters in small letters. */
      txHash: string;
    }[];
  };
  /** `live` for real money, `test` for the test environment. */
  environment: "live" | "test";
  /** The name of the event. */
  event: "settlement.completed" | "settlement.failed";
  /** The id of the event (UUID). Delivery is at least once: drop an id that you have seen. */
  id: string;
  /** Number of the event among those of its deposit, order or refund, from 1: drop one older than you have. */
  sequence: number;
};

/** The key and the webhook endpoint of a shop. No other answer has the key or the secret. */
export type ShopConnection = {
  /** The key of the shop, with `charges:read charges:write deposits:read webhooks:read refunds:read refunds:write`. Shown only this once. */
  apiKey: string;
  /** The id of the shop's webhook endpoint (UUID). */
  endpointId: string;
  /** The id of the merchant whose shop it is (UUID). */
  merchantId: string;
  /** The key that signs every event for the shop: `whsec_` and 64 hex characters. Shown only this once. */
  webhookSecret: string;
};

/** A test case that was played on the devnet. */
export type SimulatedPayment = {
  /** The paid TRON address in base58. */
  address: string;
  /** `exact`: the amount due. `under`: half of it. `over`: half as much again. `twice`: the amount due in two transactions. `late`: the amount due, after the order has expired. `wrong_coin`: as many of the other currency. `reorged`: the amount due, in a block that leaves the chain after it was read. If nothing is due, the amount is 10. */
  case: "exact" | "under" | "over" | "twice" | "late" | "wrong_coin" | "reorged";
  /** The deposit address that was paid (UUID). */
  deposit_address_id: string;
  /** The events that follow if nothing else is paid. An endpoint receives those that it subscribes to, in any order. */
  expected_events: (
    | "deposit.detected"
    | "deposit.confirming"
    | "deposit.confirmed"
    | "deposit.unmatched"
    | "deposit.stuck"
    | "deposit.reorged"
    | "deposit.failed"
    | "order.paid"
    | "order.underpaid"
    | "order.overpaid"
    | "order.expired"
    | "order.paid_late"
    | "order.accepted"
    | "settlement.completed"
    | "settlement.failed"
    | "refund.requested"
    | "refund.ready"
    | "refund.completed"
    | "refund.canceled"
    | "webhook.test"
  )[];
  /** true for `reorged`: the newest blocks of the whole devnet were replaced, with the payments of all merchants in them. */
  forked_devnet: boolean;
  /** The next steps in a sentence for people. */
  next: string;
  /** The payments, in the order in which they were sent. */
  payments: {
    /** The amount, in units of the payment's currency. */
    amount: string;
    /** The currency sent: USDT or TRX. */
    currency: "USDT" | "TRX";
    /** Id of the transaction, 64 hex characters. */
    tx_hash: string;
  }[];
};

/** A case of a refund that was played on the devnet. */
export type SimulatedRefund = {
  /** The TRON address that the refund goes to (base58); null without one. */
  address: string | null;
  /** `claim`: the payer names an address by the claim link. `pay`: the exact amount is paid to it. `short`: the amount is short by the smallest part of the coin. */
  case: "claim" | "pay" | "short";
  /** The events that follow. An endpoint receives those that it subscribes to. */
  expected_events: (
    | "deposit.detected"
    | "deposit.confirming"
    | "deposit.confirmed"
    | "deposit.unmatched"
    | "deposit.stuck"
    | "deposit.reorged"
    | "deposit.failed"
    | "order.paid"
    | "order.underpaid"
    | "order.overpaid"
    | "order.expired"
    | "order.paid_late"
    | "order.accepted"
    | "settlement.completed"
    | "settlement.failed"
    | "refund.requested"
    | "refund.ready"
    | "refund.completed"
    | "refund.canceled"
    | "webhook.test"
  )[];
  /** The next steps in a sentence for people. */
  next: string;
  /** The payment that was sent; none for `claim`. */
  payments: {
    /** The amount, in units of the payment's currency. */
    amount: string;
    /** The currency sent: USDT or TRX. */
    currency: "USDT" | "TRX";
    /** Id of the transaction, 64 hex characters. */
    tx_hash: string;
  }[];
  /** The id of the refund (UUID); `reference_id` of its deliveries. */
  refund_id: string;
  /** The status of the refund afterwards. */
  status: "REQUESTED" | "READY" | "SENT" | "CANCELED" | "COMPLETED";
};

/** A calendar month of your time zone: balances that foot, and a page of entries. */
export type Statement = {
  /** One row for each currency; `opening` + `confirmed` − `fees` − `settled` = `closing`. */
  balances: StatementBalance[];
  /** One page of the month's entries, oldest first. */
  entries: StatementEntry[];
  /** Number of entries of the month, on all pages together. */
  entry_count: number;
  /** The first moment of the month (ISO 8601, UTC). */
  from: string;
  /** Whether the month is over, so that its entries do not change any more. */
  is_closed: boolean;
  /** The calendar month in the merchant's time zone, like `2026-11`. */
  month: string;
  /** The time zone of the merchant's days and months, by its name of the IANA. */
  time_zone: string;
  /** The first moment of the next month (ISO 8601, UTC). */
  to: string;
};

/** A month in one currency. */
export type StatementBalance = {
  /** The amount that you are owed at the end of the month, in units of `currency` (decimal string). */
  closing: string;
  /** The amount that was confirmed in the month, in units of `currency` (decimal string). */
  confirmed: string;
  /** The currency of every amount of the row. */
  currency: "USDT" | "TRX";
  /** The fees of the month, in units of `currency` (decimal string). */
  fees: string;
  /** The amount that you were owed when the month began, in units of `currency` (decimal string). */
  opening: string;
  /** The amount that reached your wallets in the month, in units of `currency` (decimal string). */
  settled: string;
};

/** One change of what you are owed. */
export type StatementEntry = {
  /** The amount that it adds to your balance, in units of `currency` (decimal string); negative if it takes from it. */
  amount: string;
  /** The time at which it was booked (ISO 8601, UTC). */
  booked_at: string;
  /** The currency of `amount`. */
  currency: "USDT" | "TRX";
  /** The id of the deposit address that it is about (UUID). */
  deposit_address_id: string;
  /** The id of the deposit (UUID); null for a `sweep` and an `outflow`. */
  deposit_id: string | null;
  /** `deposit` is confirmed money, `unmatched` is money in another currency than was asked for. `fee` and `fixed_fee` are the service's; `fee_returned` is the share of a surplus that you refunded to its sender. `sweep` was sent to your wallet, `outflow` was moved there by hand. */
  kind: "deposit" | "unmatched" | "fee" | "fixed_fee" | "fee_returned" | "sweep" | "outflow";
  /** Your own reference of the order; null if you gave none. */
  order_ref: string | null;
  /** The id of the transaction on the chain: 64 hex characters in small letters. */
  tx_hash: string | null;
};

/** One transfer out of a deposit address. */
export type Sweep = {
  /** The TRON address that is swept (base58). */
  address: string;
  /** The amount that is sent, in units of the settlement's currency (decimal string). */
  amount: string;
  /** The id of the deposit address that is swept (UUID). */
  deposit_address_id: string;
  /** The TRON address of the wallet that it pays (base58). */
  destination: string;
  /** The id of the sweep (UUID). */
  id: string;
  /** Why it waits, is frozen or was given up, in words; null where nothing is to be said. */
  reason: string | null;
  /** Whom it pays: the `merchant`, or the `operator` for its fees. */
  recipient: "merchant" | "operator";
  /** How far it is. `SOLID` and `RECLAIMED` have arrived. `WAITING` waits for a price, `RETRY` is planned again, `FROZEN` waits for the operator, `DROPPED` was given up before anything was sent. */
  status:
    | "PLANNED"
    | "ACTIVATING"
    | "RESOURCED"
    | "SIGNED"
    | "SENT"
    | "SOLID"
    | "RECLAIMED"
    | "WAITING"
    | "RETRY"
    | "FROZEN"
    | "DROPPED";
  /** Its transactions on the chain, in their order. */
  transactions: SweepTransaction[];
};

/** A transaction on the chain for one sweep. */
export type SweepTransaction = {
  /** Height of the block that holds it; null while none is known. */
  block_number: number | null;
  /** The network's fee from its sender, in units of TRX (decimal string); null while it is not known. */
  fee: string | null;
  /** `landed`, `failed` on the chain, `expired` without a block, or `refused` by the signer; null while it is under way. */
  outcome: "landed" | "failed" | "expired" | "refused" | null;
  /** `sweep` is the transfer itself. `top_up` sends TRX to the address before, `delegate` lends it energy, `undelegate` takes that back. */
  purpose: "sweep" | "top_up" | "delegate" | "undelegate";
  /** The id of the transaction on the chain; null before it is signed. */
  tx_hash: string | null;
};

/** The body of the event that a test sends. */
export type TestEvent = {
  /** The version of the contract that the body follows. */
  apiVersion: "v1";
  /** The time at which the test was requested (ISO 8601, UTC). */
  createdAt: string;
  /** The content of a test; there is no payment behind it. */
  data: {
    /** The id of the endpoint that it is sent to (UUID). */
    endpointId: string;
    /** A sentence for people. */
    message: string;
  };
  /** `live` for real money, `test` for the test environment. */
  environment: "live" | "test";
  /** The name of the event. */
  event: "webhook.test";
  /** The id of the event (UUID). */
  id: string;
  /** Number of the event among those of its deposit, order or refund, from 1: drop one older than you have. */
  sequence: number;
};

/** One attempt to deliver. */
export type WebhookAttempt = {
  /** The time at which the attempt began (ISO 8601, UTC). */
  attempted_at: string;
  /** How long the endpoint took to answer, in milliseconds. */
  duration_ms: number;
  /** Why the attempt failed, in one word; null if the endpoint accepted it. */
  error:
    | "dns_error"
    | "blocked_address"
    | "connect_refused"
    | "connect_timeout"
    | "connect_error"
    | "tls_error"
    | "timeout"
    | "reset"
    | "invalid_response"
    | "response_too_large"
    | "http_status"
    | "lease_expired"
    | "body_missing"
    | "event_refused"
    | "endpoint_deleted"
    | "parked_too_long"
    | "expired"
    | null;
  /** Number of the attempt, counted from 1. */
  number: number;
  /** The beginning of the answer, at most 2 KiB; null without an answer. */
  response_snippet: string | null;
  /** The HTTP status code of the answer; null without an answer. */
  status_code: number | null;
  /** The reason for the attempt: the schedule, a test, or a resend. */
  trigger: "schedule" | "resend" | "test";
};

/** An event on its way to one endpoint. */
export type WebhookDelivery = {
  /** Number of attempts so far. */
  attempt_count: number;
  /** Number of attempts so far, the same as `attempt_count`. */
  attempts: number;
  /** The time at which the row was created (ISO 8601, UTC). */
  created_at: string;
  /** The id of the deposit address that the event speaks of, or that its deposit paid (UUID); null for a test. */
  deposit_address_id: string | null;
  /** The id of the endpoint that it is sent to (UUID). */
  endpoint_id: string;
  /** The URL of that endpoint as it is now; null once the endpoint is gone. */
  endpoint_url: string | null;
  /** The id of the event, `id` in its body: the same in every attempt, so drop an id that you have seen. */
  event_id: string;
  /** The name of the event, `event` in its body. */
  event_type:
    | "deposit.detected"
    | "deposit.confirming"
    | "deposit.confirmed"
    | "deposit.unmatched"
    | "deposit.stuck"
    | "deposit.reorged"
    | "deposit.failed"
    | "order.paid"
    | "order.underpaid"
    | "order.overpaid"
    | "order.expired"
    | "order.paid_late"
    | "order.accepted"
    | "settlement.completed"
    | "settlement.failed"
    | "refund.requested"
    | "refund.ready"
    | "refund.completed"
    | "refund.canceled"
    | "webhook.test";
  /** The id of the row (UUID); it never changes. */
  id: string;
  /** Why the last attempt failed, in one word; null if it did not or there was none. */
  last_error:
    | "dns_error"
    | "blocked_address"
    | "connect_refused"
    | "connect_timeout"
    | "connect_error"
    | "tls_error"
    | "timeout"
    | "reset"
    | "invalid_response"
    | "response_too_large"
    | "http_status"
    | "lease_expired"
    | "body_missing"
    | "event_refused"
    | "endpoint_deleted"
    | "parked_too_long"
    | "expired"
    | null;
  /** The HTTP status code of the last attempt; null without an answer. */
  last_status_code: number | null;
  /** The time of the next attempt (ISO 8601, UTC); null if there is none. */
  next_attempt_at: string | null;
  /** Your own reference of that deposit address; null if you gave none. */
  order_ref: string | null;
  /** The subject of the event (UUID): the deposit, for `order.*` the deposit address, for `refund.*` the refund, for `settlement.*` the settlement; null for a test. */
  reference_id: string | null;
  /** `DELIVERED` and `EXHAUSTED` are final; `FAILED` waits for its next attempt, `SENDING` is in progress. */
  status: "PENDING" | "SENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED";
  /** The time of the last change of the row (ISO 8601, UTC). */
  updated_at: string;
};

/** A delivery with every attempt made of it. */
export type WebhookDeliveryDetail = {
  /** Number of attempts so far. */
  attempt_count: number;
  /** Every attempt, first to last. */
  attempts: WebhookAttempt[];
  /** The time at which the row was created (ISO 8601, UTC). */
  created_at: string;
  /** The id of the deposit address that the event speaks of, or that its deposit paid (UUID); null for a test. */
  deposit_address_id: string | null;
  /** The id of the endpoint that it is sent to (UUID). */
  endpoint_id: string;
  /** The URL of that endpoint as it is now; null once the endpoint is gone. */
  endpoint_url: string | null;
  /** The id of the event, `id` in its body: the same in every attempt, so drop an id that you have seen. */
  event_id: string;
  /** The name of the event, `event` in its body. */
  event_type:
    | "deposit.detected"
    | "deposit.confirming"
    | "deposit.confirmed"
    | "deposit.unmatched"
    | "deposit.stuck"
    | "deposit.reorged"
    | "deposit.failed"
    | "order.paid"
    | "order.underpaid"
    | "order.overpaid"
    | "order.expired"
    | "order.paid_late"
    | "order.accepted"
    | "settlement.completed"
    | "settlement.failed"
    | "refund.requested"
    | "refund.ready"
    | "refund.completed"
    | "refund.canceled"
    | "webhook.test";
  /** The id of the row (UUID); it never changes. */
  id: string;
  /** Why the last attempt failed, in one word; null if it did not or there was none. */
  last_error:
    | "dns_error"
    | "blocked_address"
    | "connect_refused"
    | "connect_timeout"
    | "connect_error"
    | "tls_error"
    | "timeout"
    | "reset"
    | "invalid_response"
    | "response_too_large"
    | "http_status"
    | "lease_expired"
    | "body_missing"
    | "event_refused"
    | "endpoint_deleted"
    | "parked_too_long"
    | "expired"
    | null;
  /** The HTTP status code of the last attempt; null without an answer. */
  last_status_code: number | null;
  /** The time of the next attempt (ISO 8601, UTC); null if there is none. */
  next_attempt_at: string | null;
  /** Your own reference of that deposit address; null if you gave none. */
  order_ref: string | null;
  /** The subject of the event (UUID): the deposit, for `order.*` the deposit address, for `refund.*` the refund, for `settlement.*` the settlement; null for a test. */
  reference_id: string | null;
  /** `DELIVERED` and `EXHAUSTED` are final; `FAILED` waits for its next attempt, `SENDING` is in progress. */
  status: "PENDING" | "SENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED";
  /** The time of the last change of the row (ISO 8601, UTC). */
  updated_at: string;
};

/** A receiver of a merchant's events. */
export type WebhookEndpoint = {
  /** The time at which the row was created (ISO 8601, UTC). */
  created_at: string;
  /** A note of your own, at most 255 characters; null for none. */
  description: string | null;
  /** The names of the events that this endpoint receives. */
  event_types: (
    | "deposit.detected"
    | "deposit.confirming"
    | "deposit.confirmed"
    | "deposit.unmatched"
    | "deposit.stuck"
    | "deposit.reorged"
    | "deposit.failed"
    | "order.paid"
    | "order.underpaid"
    | "order.overpaid"
    | "order.expired"
    | "order.paid_late"
    | "order.accepted"
    | "settlement.completed"
    | "settlement.failed"
    | "refund.requested"
    | "refund.ready"
    | "refund.completed"
    | "refund.canceled"
    | "webhook.test"
  )[];
  /** The id of the row (UUID); it never changes. */
  id: string;
  /** Whether events are sent. While it is `false` they wait, at most 3 days. */
  is_active: boolean;
  /** `active` if events are sent, `disabled` while they wait. */
  status: "active" | "disabled";
  /** The time of the last change of the row (ISO 8601, UTC). */
  updated_at: string;
  /** The http or https URL that receives the events, at most 2048 characters, without credentials. */
  url: string;
};

/** How the receiver of an endpoint answers. */
export type WebhookEndpointHealth = {
  /** Number of attempts in the last 24 hours, to the hour, without tests. */
  attempts: number;
  /** Number of failed attempts since its last success. */
  failed_attempts: number;
  /** The time of the first failure after its last success (ISO 8601, UTC); null if the last attempt succeeded or there is none. */
  failing_since: string | null;
  /** Whether it gets one attempt a minute only, after five failures in a row, until one succeeds. */
  is_suspended: boolean;
  /** The time of the last attempt that it accepted, to the minute (ISO 8601, UTC); null if there is none. */
  last_success_at: string | null;
  /** Since when the delivery is due that waits longest (ISO 8601, UTC); null if none is due. While it is disabled, all wait. */
  oldest_due_at: string | null;
  /** 95 % of these attempts took at most so many milliseconds, rounded up by at most 19 %; null without an attempt. */
  p95_ms: number | null;
  /** Number of accepted attempts divided by that of all of them, from 0 to 1; null without an attempt. */
  success_rate: number | null;
};

/** The endpoint's answer to a test. */
export type WebhookTestResult = {
  /** How long the endpoint took to answer, in milliseconds. */
  durationMs: number;
  /** Present if the endpoint is disabled: it gets only tests, and its events wait until it is enabled. */
  endpointStatus?: "disabled";
  /** Why it failed: a sentence that ends with the `last_error` of the delivery log; left out if the endpoint accepted the test. */
  error?: string;
  /** Whether the endpoint answered with a 2xx status in time. */
  ok: boolean;
  /** The HTTP status code of the answer; none without an answer. */
  statusCode?: number;
};

/** The input and output of each operation of the contract, by its method and path. */
export type Operations = {
  /** See whose key this is. The merchant, the environment and the network of the key, and what it may do. Any key may call it. */
  "GET /v1/account": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Account;
  };
  /** See what you are owed and where it is. One row for each currency: `confirmed` − `fees` = `settled` + `in_flight` + `waiting`. `waiting_for` names what you wait for by the reason why. The key needs the scope `settlements:read`. */
  "GET /v1/balances": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: Balance[];
  };
  /** Retrieve what a payer may see. The content of the hosted page, not older than a second. No key: the token is the capability. Ask every few seconds at most, with the ETag of the last answer in If-None-Match; or open a websocket at this path with /live behind it, which sends `{ "type": "checkout", "data": … }` at once and after every change. */
  "GET /v1/checkout/{token}": {
    path: {
      /** The `checkout_token` of a deposit address. Anyone with it may read the checkout. */
      token: string;
    };
    query: undefined;
    body: undefined;
    answer: Checkout;
  };
  /** Look up a payer's transaction. For a payer who has paid and does not see it. A payment to any address of the order and its rests counts. Never reveals another order: of a payment elsewhere it returns only the last four characters of the address. Six a minute for a token. A node is queried for the rest, within a limit for the merchant and the address; beyond it the result is `busy`. */
  "POST /v1/checkout/{token}/lookup": {
    path: {
      /** The `checkout_token` of a deposit address. Anyone with it may read the checkout. */
      token: string;
    };
    query: undefined;
    body: {
      /** The id of the transaction on the chain: 64 hex characters in small letters. */
      txHash: string;
    };
    answer: CheckoutLookup;
  };
  /** Lock a fresh rate for an order priced in fiat. While the last quote holds it stays; once it has lapsed there is a new one. Returns what a payer may see. */
  "POST /v1/checkout/{token}/requote": {
    path: {
      /** The `checkout_token` of a deposit address. Anyone with it may read the checkout. */
      token: string;
    };
    query: undefined;
    body: undefined;
    answer: Checkout;
  };
  /** Play a test case: have the devnet pay a checkout. Only on the devnet network. Like simulatePayment, with a checkout token instead of a key: the page's test panel uses it. */
  "POST /v1/checkout/{token}/simulate": {
    path: {
      /** The `checkout_token` of a deposit address. Anyone with it may read the checkout. */
      token: string;
    };
    query: undefined;
    body: {
      /** `exact`: the amount due. `under`: half of it. `over`: half as much again. `twice`: the amount due in two transactions. `late`: the amount due, after the order has expired. `wrong_coin`: as many of the other currency. `reorged`: the amount due, in a block that leaves the chain after it was read. If nothing is due, the amount is 10. */
      case: "exact" | "under" | "over" | "twice" | "late" | "wrong_coin" | "reorged";
    };
    answer: SimulatedPayment;
  };
  /** List the currencies of prices. The values of `pricingCurrency`, with their decimals and sources. It needs no key. A currency with fewer than three sources cannot be priced. */
  "GET /v1/currencies": {
    path: undefined;
    query: undefined;
    body: undefined;
    answer: PricingCurrency[];
  };
  /** List deposit addresses. Newest first. Every filter narrows the list further. `address` is empty in a row whose address cannot be proven to be ours. The key needs the scope `charges:read`. */
  "GET /v1/deposit-addresses": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** The id of a row: the list begins with the row after it, and `page` counts from there. Reading on from the last row of a page costs the same at any depth, and no row is skipped or repeated. */
      after?: string | undefined;
      /** Only rows in this status. */
      status?: "ACTIVE" | "EXPIRED" | "ARCHIVED" | undefined;
      /** Only rows of this chain. */
      chain?: "tron" | undefined;
      /** Only `order` (with an amount), `open` (any amount, for a time) or `receive` (standing); `order` adds `payment_status`. */
      kind?: "order" | "receive" | "open" | undefined;
      /** Only rows with exactly this reference of yours: look here before you create. */
      orderRef?: string | undefined;
      /** Your own name of the customer of this standing address, at most 120 characters. */
      customerRef?: string | undefined;
      /** The id of the payment link that the order was made by (UUID); otherwise null. */
      paymentLinkId?: string | undefined;
      /** The `ref` in the address of the payment link; null without one. The payer's side typed it, so it proves nothing. */
      payerRef?: string | undefined;
      /** Only orders whose `payment_status` is this one now; rows then have it. */
      paymentStatus?: "paid" | "confirming" | "detected" | "awaiting" | "expired" | undefined;
      /** Only rows created at this time or later (ISO 8601 with an offset). */
      from?: string | undefined;
      /** Only rows created before this time (ISO 8601 with an offset). */
      to?: string | undefined;
    };
    body: undefined;
    answer: DepositAddress[];
  };
  /** Create an order, an open address or a receive address. With `amount` an order, with `reusable` a standing receive address, else an open address for any amount. There is no idempotency key: look for your `orderRef` in the list before you send it again. The key needs the scope `charges:write`. */
  "POST /v1/deposit-addresses": {
    path: undefined;
    query: undefined;
    body: {
      /** The price of the order: units of `currency`, or of `pricingCurrency` with no more decimals than it has. Leave it out for an open or a receive address. */
      amount?: string | null | undefined;
      /** Ignored: the key of the request counts. */
      apiKeyId?: string | undefined;
      /** The page that the payer goes to after giving up or too late (http or https, at most 2048 characters); null for none. */
      cancelUrl?: string | null | undefined;
      /** The chain of the address: always `tron`. */
      chain?: "tron" | null | undefined;
      /** The currency that the payer sends. Every amount of the row is in it. */
      currency?: "USDT" | "TRX" | null | undefined;
      /** The payer's e-mail address, for the receipt and what the payer has to know. The first address of an order counts. It is encrypted, kept 90 days after the last change of the order, and never in webhooks. */
      customerEmail?: string | null | undefined;
      /** With `reusable`: your own reference of the customer. Each customer has one standing address, found or created. */
      customerRef?: string | null | undefined;
      /** A note of your own, at most 120 characters. The payer never sees it. */
      label?: string | null | undefined;
      /** Text of your own by name, which only you can read. At most 20 keys of 1 to 40 characters. Values have at most 500 characters, and all together at most 2048 bytes, as JSON without blanks in UTF-8. */
      metadata?: Record<string, string> | null | undefined;
      /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
      orderRef?: string | null | undefined;
      /** The currency of `amount`, to convert at the current rate; leave it out for a price in the coin. `GET /v1/currencies` lists those that can be priced. */
      pricingCurrency?:
        | "USD"
        | "ARS"
        | "AUD"
        | "BRL"
        | "CAD"
        | "CHF"
        | "EGP"
        | "EUR"
        | "GBP"
        | "INR"
        | "JPY"
        | "KRW"
        | "LBP"
        | "MXN"
        | "NGN"
        | "PLN"
        | "TRY"
        | "USDT"
        | null
        | undefined;
      /** `true` finds or creates a standing address that never expires. Not together with `amount`. */
      reusable?: boolean | null | undefined;
      /** The id of the settlement account that receives the money (UUID); null for the default account. */
      settlementAccountId?: string | null | undefined;
      /** The page that the payer goes to after payment (http or https, at most 2048 characters); null for none. */
      successUrl?: string | null | undefined;
    };
    answer: CreatedDepositAddress;
  };
  /** Retrieve a deposit address. One deposit address with the amounts that it has received so far. Prefer webhooks to polling. The key needs the scope `charges:read`. */
  "GET /v1/deposit-addresses/{id}": {
    path: {
      /** The id of the deposit address (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: DepositAddress;
  };
  /** Accept the received amount of an order as full payment. For an order short of its due: it is ARCHIVED, counts as paid from then on, and `order.accepted` is sent. `payment_state` still compares the received amount with the due. The key needs the scope `charges:write`. */
  "POST /v1/deposit-addresses/{id}/accept": {
    path: {
      /** The id of the deposit address (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: {
      /** The reason to accept the received money as the full price. Only the merchant can read it. */
      reason?: string | null | undefined;
    };
    answer: DepositAddress;
  };
  /** Archive a deposit address that is no longer needed. Its status becomes ARCHIVED. Later payments to it are still recorded and announced. The key needs the scope `charges:write`. */
  "POST /v1/deposit-addresses/{id}/archive": {
    path: {
      /** The id of the deposit address (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: DepositAddress;
  };
  /** Give an order or an open address more time. Moves `expires_at` and the end of the late window while it is ACTIVE and its time is not over; a quote keeps its end. The key needs the scope `charges:write`. */
  "POST /v1/deposit-addresses/{id}/extend": {
    path: {
      /** The id of the deposit address (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: {
      /** By how many seconds `expires_at` and the end of the late window move. `expires_at` ends at most 90 days behind `created_at`. */
      seconds: number;
    };
    answer: DepositAddress;
  };
  /** Promise money back to the payer. Send `claim_url` to the payer, who names an address there. An owner or admin pays from a wallet of the merchant, and the service recognises the transfer. An order that is not paid is ARCHIVED first: later money to it is late. Where the money paid the order, a person must confirm. The key needs the scope `refunds:write`. */
  "POST /v1/deposit-addresses/{id}/refunds": {
    path: {
      /** The id of the deposit address (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: {
      /** Where the money goes, if the payer need not name it. It needs the scope `refunds:address`, and waits for an owner or admin. */
      address?: string | null | undefined;
      /** Of the coin. Without it: what came too much, else all that is left. */
      amount?: string | null | undefined;
      /** `true` in a person's session: the order's `customer_email` is the payer's, although the payer's side typed it. The claim link is mailed there. */
      confirmEmail?: boolean | null | undefined;
      /** The coin that goes back; by default that of the order. Name another one that came. */
      currency?: "USDT" | "TRX" | null | undefined;
      /** A part of the order's price in fiat: the same part of the coins that paid it, never today's rate. */
      fiatAmount?: string | null | undefined;
      /** Shown to your people, and in events. */
      reason?: string | null | undefined;
      /** Your own reference: the same one on the same order answers the same refund. */
      refundRef?: string | null | undefined;
    };
    answer: Refund;
  };
  /** Ask for the rest of an order that is short. Makes an order of what is missing, with the same `order_ref`: send the customer to its `checkout_url`. The short order is ARCHIVED, and later money to it is late. When the rest is paid, its `order.paid` has `restCompletes: true`, and the short order is accepted. While a rest is open and asks for what is missing, the answer is that same row. The `id` of a rest stands for its first order. The key needs the scope `charges:write`. */
  "POST /v1/deposit-addresses/{id}/rest": {
    path: {
      /** The id of the deposit address (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: DepositAddress;
  };
  /** List deposits. Newest first. Every filter narrows the list further. The key needs the scope `deposits:read`. */
  "GET /v1/deposits": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** The id of a row: the list begins with the row after it, and `page` counts from there. Reading on from the last row of a page costs the same at any depth, and no row is skipped or repeated. */
      after?: string | undefined;
      /** Only deposits in this status. */
      status?: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED" | undefined;
      /** Only deposits of this currency. */
      currency?: "USDT" | "TRX" | undefined;
      /** Only deposits to the deposit address with this id (UUID). */
      depositAddressId?: string | undefined;
      /** Only deposits to deposit addresses with exactly this reference of yours. */
      orderRef?: string | undefined;
      /** The id of the payment link that the order was made by (UUID); otherwise null. */
      paymentLinkId?: string | undefined;
      /** The `ref` in the address of the payment link; null without one. The payer's side typed it, so it proves nothing. */
      payerRef?: string | undefined;
      /** The transaction's id on the chain: 64 hex characters, in any case; or an explorer's link that holds it. */
      txHash?: string | undefined;
      /** Only rows created at this time or later (ISO 8601 with an offset). */
      from?: string | undefined;
      /** Only rows created before this time (ISO 8601 with an offset). */
      to?: string | undefined;
    };
    body: undefined;
    answer: Deposit[];
  };
  /** Retrieve a deposit. One transfer to one of your addresses, with how final it is. The key needs the scope `deposits:read`. */
  "GET /v1/deposits/{id}": {
    path: {
      /** The id of the deposit (UUID), from a list or an event. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: Deposit;
  };
  /** List events, oldest first. Every event of yours in one fixed order, whether or not it was delivered. To catch up, read on from the last one that you handled. An event that is new comes after all that were listed before. Pass `next` of `meta` as `after`. With `types` a page may be empty although `has_more` is true: one call reads past 1,000 events at most. The key needs the scope `webhooks:read`. */
  "GET /v1/events": {
    path: undefined;
    query: {
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** The id of an event: the page begins with the event after it. `newest` answers an empty page, to read on from now. Left out, the page begins with your first event. */
      after?: string | undefined;
      /** Only events with these names, with commas between. */
      types?: string | undefined;
    };
    body: undefined;
    answer: EventRow[];
  };
  /** Retrieve an event. One event, with the body of its webhook. The key needs the scope `webhooks:read`. */
  "GET /v1/events/{id}": {
    path: {
      /** The id of the event (UUID), from the list or a webhook. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: EventRow;
  };
  /** Create an order by a payment link. The same as a click on the page of a link. No key: the token is the capability. With the same `attempt` the answer is the same order, while that can be paid or is paid. A browser's request must come from a page of this service. */
  "POST /v1/links/{token}/orders": {
    path: {
      /** The `checkout_token` of a deposit address. Anyone with it may read the checkout. */
      token: string;
    };
    query: undefined;
    body: {
      /** Money in units of `currency`, as a decimal string with at most 6 decimals, never a number. */
      amount?: string | null | undefined;
      /** A random text of your own for this click: sent again, it answers the same order. */
      attempt?: string | null | undefined;
      /** The payer's e-mail address, where the link asks for it and the service has a mail server; else it is not kept. */
      email?: string | null | undefined;
      /** The payer's name, where the link asks for it. */
      name?: string | null | undefined;
      /** The payer's note, where the link asks for one. */
      note?: string | null | undefined;
      /** The `ref` in the address of the payment link. */
      ref?: string | null | undefined;
    };
    answer: LinkOrder;
  };
  /** Look up the deposits of a transaction. Every deposit of yours in one transaction, with its deposit address. A transaction without any is an empty list. The key needs the scope `deposits:read`. */
  "GET /v1/lookup": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** The transaction's id on the chain: 64 hex characters, in any case; or an explorer's link that holds it. */
      txHash: string;
    };
    body: undefined;
    answer: LookupRow[];
  };
  /** List payment links. Newest first. The orders of one link are `GET /v1/deposit-addresses?paymentLinkId=`. The key needs the scope `charges:read`. */
  "GET /v1/payment-links": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** The id of a row: the list begins with the row after it, and `page` counts from there. Reading on from the last row of a page costs the same at any depth, and no row is skipped or repeated. */
      after?: string | undefined;
      /** The state of the row, one of those in the list. No state is skipped without an event. */
      status?: "active" | "disabled" | "sold_out" | "expired" | undefined;
    };
    body: undefined;
    answer: PaymentLink[];
  };
  /** Create a payment link. A template of orders with a public page at `url`. Each click there makes an order; looking makes none. Without `amount` the payer chooses one within `minAmount` and `maxAmount`. The key needs the scope `charges:write`. */
  "POST /v1/payment-links": {
    path: undefined;
    query: undefined;
    body: {
      /** The fixed amount, in units of `currency`, or of `pricing_currency` (decimal string); null if the payer chooses. */
      amount?: string | null | undefined;
      /** The questions of the page to the payer: `name`, which it then requires, and `note`. */
      ask?: ("name" | "note" | "email")[] | null | undefined;
      /** Where the page of an expired or cancelled order leads; null without one. */
      cancelUrl?: string | null | undefined;
      /** The coin that the orders are paid in. */
      currency?: "USDT" | "TRX" | null | undefined;
      /** More about it, shown on the page; null without any. */
      description?: string | null | undefined;
      /** The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on. */
      expiresAt?: string | null | undefined;
      /** The largest amount, where the payer chooses it. */
      maxAmount?: string | null | undefined;
      /** The number of orders that may be paid; null without a limit. An order of a limited link lives 15 minutes. */
      maxPayments?: number | null | undefined;
      /** Text of your own by name, which only you can read. At most 20 keys of 1 to 40 characters. Values have at most 500 characters, and all together at most 2048 bytes, as JSON without blanks in UTF-8. */
      metadata?: Record<string, string> | null | undefined;
      /** The least amount, where the payer chooses it. */
      minAmount?: string | null | undefined;
      /** The beginning of each order's `order_ref`; 8 random characters follow. */
      orderRefPrefix?: string | null | undefined;
      /** The currency of `amount`, to convert at the current rate; leave it out for a price in the coin. `GET /v1/currencies` lists those that can be priced. */
      pricingCurrency?:
        | "USD"
        | "ARS"
        | "AUD"
        | "BRL"
        | "CAD"
        | "CHF"
        | "EGP"
        | "EUR"
        | "GBP"
        | "INR"
        | "JPY"
        | "KRW"
        | "LBP"
        | "MXN"
        | "NGN"
        | "PLN"
        | "TRY"
        | "USDT"
        | null
        | undefined;
      /** The id of the settlement account that receives the money (UUID); null for the default account. */
      settlementAccountId?: string | null | undefined;
      /** Where the page of a paid order leads; null without one. */
      successUrl?: string | null | undefined;
      /** The amounts that the page offers with one tap, in units of `currency` or `pricing_currency` (decimal strings). */
      suggestedAmounts?: string[] | null | undefined;
      /** Shown on the page of an order that is paid. */
      thanks?: string | null | undefined;
      /** The name of the sold thing, shown on the page and as the `label` of its orders. */
      title: string;
    };
    answer: PaymentLink;
  };
  /** Retrieve a payment link. One payment link, with how many of its orders are open and paid. The key needs the scope `charges:read`. */
  "GET /v1/payment-links/{id}": {
    path: {
      /** The id of the payment link (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: PaymentLink;
  };
  /** Change or pause a payment link. A missing field stays as it is. A change never reaches an order that exists. `isActive: false` pauses the link. The key needs the scope `charges:write`. */
  "PATCH /v1/payment-links/{id}": {
    path: {
      /** The id of the payment link (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: {
      /** More about it, shown on the page; null without any. */
      description?: string | null | undefined;
      /** The end of new orders (ISO 8601, UTC); null without an end. Orders that exist go on. */
      expiresAt?: string | null | undefined;
      /** False pauses the link: it takes no new orders. */
      isActive?: boolean | undefined;
      /** The number of orders that may be paid; null without a limit. An order of a limited link lives 15 minutes. */
      maxPayments?: number | null | undefined;
      /** The name of the sold thing, shown on the page and as the `label` of its orders. */
      title?: string | undefined;
    };
    answer: PaymentLink;
  };
  /** Retrieve a refund as its payer sees it. No key: the token at the end of `claim_url` is the capability. Once the link took an address it shows that one. */
  "GET /v1/refund-claims/{token}": {
    path: {
      /** The `checkout_token` of a deposit address. Anyone with it may read the checkout. */
      token: string;
    };
    query: undefined;
    body: undefined;
    answer: RefundClaim;
  };
  /** Name the address that gets a refund. No key: the token is the capability. A link takes one address, once; the same one again answers the same. Ten refused addresses close the link. At most six requests a minute for a link. */
  "POST /v1/refund-claims/{token}": {
    path: {
      /** The `checkout_token` of a deposit address. Anyone with it may read the checkout. */
      token: string;
    };
    query: undefined;
    body: {
      /** The payer's own TRON address, which is to get the money. The link takes one, once. */
      address: string;
    };
    answer: RefundClaim;
  };
  /** List refunds. Newest first. `claim_url` is null in lists. The key needs the scope `refunds:read`. */
  "GET /v1/refunds": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** The id of a row: the list begins with the row after it, and `page` counts from there. Reading on from the last row of a page costs the same at any depth, and no row is skipped or repeated. */
      after?: string | undefined;
      /** Only refunds in this status. */
      status?: "REQUESTED" | "READY" | "SENT" | "CANCELED" | "COMPLETED" | undefined;
      /** Only refunds of the deposit address with this id (UUID). */
      depositAddressId?: string | undefined;
    };
    body: undefined;
    answer: Refund[];
  };
  /** Retrieve a refund. One refund. `claim_url` is there for keys with `refunds:write` alone. The key needs the scope `refunds:read`. */
  "GET /v1/refunds/{id}": {
    path: {
      /** The id of the refund (UUID), from its request, a list or an event. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: Refund;
  };
  /** Ask the payer for an address again. Makes a new `claim_url`, and the old one is dead. A refund that was READY waits for the new address; do not pay the old one. The key needs the scope `refunds:write`. */
  "POST /v1/refunds/{id}/ask-again": {
    path: {
      /** The id of the refund (UUID), from its request, a list or an event. */
      id: string;
    };
    query: undefined;
    body: {
      /** `true` in a person's session: the order's `customer_email` is the payer's, although the payer's side typed it. The claim link is mailed there. */
      confirmEmail?: boolean | null | undefined;
    };
    answer: Refund;
  };
  /** Cancel a refund that is not on the chain. One that was READY is watched for 30 days more: a transfer that fits completes it all the same. A second time it answers the same. The key needs the scope `refunds:write`. */
  "POST /v1/refunds/{id}/cancel": {
    path: {
      /** The id of the refund (UUID), from its request, a list or an event. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: Refund;
  };
  /** Confirm a refund that is in doubt. In the session of an owner or admin alone, with a fresh proof. Where there are two, another person than the one that asked for the refund. The role needs the right `refunds:pay`. */
  "POST /v1/refunds/{id}/confirm": {
    path: {
      /** The id of the refund (UUID), from its request, a list or an event. */
      id: string;
    };
    query: undefined;
    body: {
      /** The address that the person saw. Where it is another one by now, nothing is confirmed. */
      address?: string | null | undefined;
      /** Why another address than the sender's is paid; needed where `needs_confirmation` is `other_address`. */
      reason?: string | null | undefined;
    };
    answer: Refund;
  };
  /** Open the payment of a refund. In the session of an owner or admin alone. Address and amount stay for half an hour, until `pay_until`. Pay from a wallet of your own: no key of the service pays. The role needs the right `refunds:pay`. */
  "POST /v1/refunds/{id}/pay": {
    path: {
      /** The id of the refund (UUID), from its request, a list or an event. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: Refund;
  };
  /** Say which transaction paid a refund. In the session of an owner or admin alone, with a fresh proof. Its sender is a paying wallet of yours from then on. `paid_amount` will be what it moved. The role needs the right `refunds:pay`. */
  "POST /v1/refunds/{id}/transaction": {
    path: {
      /** The id of the refund (UUID), from its request, a list or an event. */
      id: string;
    };
    query: undefined;
    body: {
      /** The transaction that paid the refund. */
      txHash: string;
    };
    answer: Refund;
  };
  /** List your settlement accounts. The default first, then newest first. Your operator adds, disables and orders them; no API key can. The key needs the scope `settlements:read`. */
  "GET /v1/settlement-accounts": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
    };
    body: undefined;
    answer: SettlementAccount[];
  };
  /** List settlements. Newest first. A settlement is the transfers of one plan to one of your wallets. The key needs the scope `settlements:read`. */
  "GET /v1/settlements": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** The id of a row: the list begins with the row after it, and `page` counts from there. Reading on from the last row of a page costs the same at any depth, and no row is skipped or repeated. */
      after?: string | undefined;
      /** The state of the row, one of those in the list. No state is skipped without an event. */
      status?: "OPEN" | "COMPLETED" | "FAILED" | undefined;
      /** The currency that the payer sends. Every amount of the row is in it. */
      currency?: "USDT" | "TRX" | undefined;
    };
    body: undefined;
    answer: Settlement[];
  };
  /** Retrieve a settlement. With its sweeps, their transactions on the chain, and what these have cost. The key needs the scope `settlements:read`. */
  "GET /v1/settlements/{id}": {
    path: {
      /** The id of the row (UUID); it never changes. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: SettlementDetail;
  };
  /** Connect a shop by its code. No key: the code of *Connect a shop* in the dashboard is the capability. It works once, within ten minutes. The shop gets a key and a webhook endpoint, and a few seconds later a `webhook.test`. A refused request makes nothing, and the code stays. */
  "POST /v1/shop-connections": {
    path: undefined;
    query: undefined;
    body: {
      /** The code that the dashboard shows. Small letters, blanks and missing hyphens do no harm. */
      code: string;
      /** The address of the shop, at most 120 characters. Its key has this name, and its endpoint this description. */
      site: string;
      /** The http or https URL of the shop that receives the events, at most 2048 characters. */
      webhookUrl: string;
    };
    answer: ShopConnection;
  };
  /** Retrieve the statement of a month. A calendar month in your time zone; `is_closed` says whether it is over. `opening` + `confirmed` − `fees` − `settled` = `closing`, and the `amount` of all entries adds up to the same. `page` and `limit` choose entries. `format=csv` answers all of them as `text/csv`, between the opening and the closing balances; `bom=0` writes them for programs. The balances of a month that is not over are `so_far` in place of `closing`. `format=xlsx` has up to 100,000 entries, and `format=pdf` up to 5,000, for people. The key needs the scope `settlements:read`. */
  "GET /v1/statements": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** The calendar month in the merchant's time zone, like `2026-11`. */
      month: string;
      /** `csv` answers every entry as CSV; otherwise JSON. */
      format?: "json" | "csv" | "xlsx" | "pdf" | undefined;
      /** The language of the PDF. */
      language?: string | undefined;
      /** `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets. */
      bom?: "0" | "1" | undefined;
      /** The mark between the columns of CSV. */
      separator?: "," | ";" | "tab" | undefined;
      /** The decimal mark of CSV. */
      decimal?: "." | "," | undefined;
    };
    body: undefined;
    answer: Statement;
  };
  /** Play a test case: have the devnet pay a deposit address. Only on the devnet network. A real, signed payment on the local chain: the service reads it like any other. Moves no clock and mines no block. The key needs the scope `charges:write`. */
  "POST /v1/test/deposit-addresses/{id}/simulate": {
    path: {
      /** The id of the deposit address (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: {
      /** `exact`: the amount due. `under`: half of it. `over`: half as much again. `twice`: the amount due in two transactions. `late`: the amount due, after the order has expired. `wrong_coin`: as many of the other currency. `reorged`: the amount due, in a block that leaves the chain after it was read. If nothing is due, the amount is 10. */
      case: "exact" | "under" | "over" | "twice" | "late" | "wrong_coin" | "reorged";
    };
    answer: SimulatedPayment;
  };
  /** Play a test case of a refund: its payer, or its payment. Only on the devnet network. A real, signed payment on the local chain, which the service recognises like any other. The devnet's wallet becomes a paying wallet of yours by `pay`. The key needs the scope `refunds:write`. */
  "POST /v1/test/refunds/{id}/simulate": {
    path: {
      /** The id of the refund (UUID), from its request, a list or an event. */
      id: string;
    };
    query: undefined;
    body: {
      /** `claim`: the payer names an address by the claim link. `pay`: the exact amount is paid to it. `short`: the amount is short by the smallest part of the coin. */
      case: "claim" | "pay" | "short";
    };
    answer: SimulatedRefund;
  };
  /** List webhook deliveries. Newest first: each event on its way to each endpoint. The key needs the scope `webhooks:read`. */
  "GET /v1/webhooks/deliveries": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** The id of a row: the list begins with the row after it, and `page` counts from there. Reading on from the last row of a page costs the same at any depth, and no row is skipped or repeated. */
      after?: string | undefined;
      /** Only deliveries in this status. */
      status?: "PENDING" | "SENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED" | undefined;
      /** Only deliveries about the deposit, deposit address or refund with this id (UUID). */
      referenceId?: string | undefined;
      /** Only deliveries to the endpoint with this id (UUID). */
      endpointId?: string | undefined;
      /** Only deliveries about deposit addresses with exactly this reference of yours, and about their deposits. */
      orderRef?: string | undefined;
    };
    body: undefined;
    answer: WebhookDelivery[];
  };
  /** Send many deliveries once more. The matching deliveries of active endpoints, oldest first, one every 50 ms beside new events. By default these are the `FAILED` and `EXHAUSTED` ones of the last 30 days. Each goes out with the same bytes. At most 6 calls a minute. The key needs the scope `webhooks:write`. */
  "POST /v1/webhooks/deliveries/resend": {
    path: undefined;
    query: undefined;
    body: {
      /** Only deliveries to the endpoint with this id (UUID). */
      endpointId?: string | undefined;
      /** Only deliveries of events with these names. */
      eventTypes?: string[] | undefined;
      /** The first moment (ISO 8601 with an offset), at most 30 days before `to`. */
      from?: string | undefined;
      /** Only deliveries about the deposit, deposit address or refund with this id (UUID). */
      referenceId?: string | undefined;
      /** Only deliveries in this status; `FAILED` and `EXHAUSTED` where it is not given. */
      status?: "FAILED" | "DELIVERED" | "EXHAUSTED" | undefined;
      /** The moment after the last one (ISO 8601 with an offset); now where it is not given. */
      to?: string | undefined;
    };
    answer: SentAgain;
  };
  /** Retrieve a webhook delivery. One delivery with every attempt that was made. The key needs the scope `webhooks:read`. */
  "GET /v1/webhooks/deliveries/{id}": {
    path: {
      /** The id of the delivery (UUID), from the list. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookDeliveryDetail;
  };
  /** Send a delivery once more. One more attempt at once with the same bytes and the same endpoint, whatever the status of the delivery. At most 6 a minute for one endpoint, together with its test events. The key needs the scope `webhooks:write`. */
  "POST /v1/webhooks/deliveries/{id}/resend": {
    path: {
      /** The id of the delivery (UUID), from the list. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookDelivery;
  };
  /** List webhook endpoints. Newest first, without their secrets. The key needs the scope `webhooks:read`. */
  "GET /v1/webhooks/endpoints": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** The id of a row: the list begins with the row after it, and `page` counts from there. Reading on from the last row of a page costs the same at any depth, and no row is skipped or repeated. */
      after?: string | undefined;
      /** Only endpoints in this status. */
      status?: "active" | "disabled" | undefined;
    };
    body: undefined;
    answer: WebhookEndpoint[];
  };
  /** Create a webhook endpoint. The answer holds the secret that signs its events; no other answer ever does. The key needs the scope `webhooks:write`. */
  "POST /v1/webhooks/endpoints": {
    path: undefined;
    query: undefined;
    body: {
      /** A note of your own, at most 255 characters; null for none. */
      description?: string | null | undefined;
      /** Event types: deposit.detected, deposit.confirming, deposit.confirmed, deposit.unmatched, deposit.stuck, deposit.reorged, deposit.failed, order.paid, order.underpaid, order.overpaid, order.expired, order.paid_late, order.accepted, settlement.completed, settlement.failed, refund.requested, refund.ready, refund.completed, refund.canceled, webhook.test. */
      eventTypes?: string[] | null | undefined;
      /** The http or https URL that receives the events, at most 2048 characters, without credentials. */
      url: string;
    };
    answer: CreatedWebhookEndpoint;
  };
  /** Retrieve a webhook endpoint. One endpoint, without its secret. The key needs the scope `webhooks:read`. */
  "GET /v1/webhooks/endpoints/{id}": {
    path: {
      /** The id of the webhook endpoint (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookEndpoint;
  };
  /** Update a webhook endpoint. Changes the given fields and leaves the others. While it is not active its events wait. The key needs the scope `webhooks:write`. */
  "PATCH /v1/webhooks/endpoints/{id}": {
    path: {
      /** The id of the webhook endpoint (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: {
      /** A note of your own, at most 255 characters; null for none. */
      description?: string | null | undefined;
      /** Event types: deposit.detected, deposit.confirming, deposit.confirmed, deposit.unmatched, deposit.stuck, deposit.reorged, deposit.failed, order.paid, order.underpaid, order.overpaid, order.expired, order.paid_late, order.accepted, settlement.completed, settlement.failed, refund.requested, refund.ready, refund.completed, refund.canceled, webhook.test. */
      eventTypes?: string[] | undefined;
      /** Whether events are sent. While it is `false` they wait, at most 3 days. */
      isActive?: boolean | undefined;
      /** The http or https URL that receives the events, at most 2048 characters, without credentials. */
      url?: string | undefined;
    };
    answer: WebhookEndpoint;
  };
  /** Delete a webhook endpoint. No more events are sent to it, and its secret is erased. Waiting deliveries end as `EXHAUSTED`. The key needs the scope `webhooks:write`. */
  "DELETE /v1/webhooks/endpoints/{id}": {
    path: {
      /** The id of the webhook endpoint (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      /** `true`: the endpoint and its secret are gone, and no event is sent there any more. */
      deleted: true;
      /** The id of the row (UUID); it never changes. */
      id: string;
    };
  };
  /** Retrieve the health of a webhook endpoint. How its receiver answers: the last success, since when it fails, what waits, and the attempts of the last 24 hours without tests. The key needs the scope `webhooks:read`. */
  "GET /v1/webhooks/endpoints/{id}/health": {
    path: {
      /** The id of the webhook endpoint (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookEndpointHealth;
  };
  /** Send an endpoint what it missed. The events from `from` to `to` that the endpoint subscribes to now and did not accept, oldest first, one every 50 ms beside new events. Also those from before it was created. At most 6 calls a minute, together with its test events. The key needs the scope `webhooks:write`. */
  "POST /v1/webhooks/endpoints/{id}/recover": {
    path: {
      /** The id of the webhook endpoint (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: {
      /** The first moment (ISO 8601 with an offset), at most 30 days before `to`. */
      from: string;
      /** The moment after the last one (ISO 8601 with an offset); now where it is not given. */
      to?: string | undefined;
    };
    answer: SentAgain;
  };
  /** Give a webhook endpoint a new secret. Makes a new secret, which is shown this once. For as long as the overlap lasts every delivery is signed with the secret before too, so that receivers can change over. A second rotation within it ends the oldest secret. The key needs the scope `webhooks:write`. */
  "POST /v1/webhooks/endpoints/{id}/rotate-secret": {
    path: {
      /** The id of the webhook endpoint (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: {
      /** For how many seconds deliveries are signed with the secret before too; 86400, a day, where it is not given. */
      overlapSeconds?: number | null | undefined;
    };
    answer: RotatedWebhookEndpoint;
  };
  /** Send a test event and wait for the answer. One signed `webhook.test`, one attempt, also to an endpoint that is disabled. At most 6 a minute for one endpoint, together with its resends. The key needs the scope `webhooks:write`. */
  "POST /v1/webhooks/endpoints/{id}/test": {
    path: {
      /** The id of the webhook endpoint (UUID), from create or the list. */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookTestResult;
  };
};

/** The input of each operation of the contract that answers a file, by its method and path. */
export type Downloads = {
  /** Download the receipt of a payment as PDF. The price and the payments, with the value of each transfer in the currency of your books. It is a receipt of payment, not a tax invoice. The key needs the scope `charges:read`. */
  "GET /v1/deposit-addresses/{id}/receipt": {
    path: {
      /** The id of the deposit address (UUID), from create or the list. */
      id: string;
    };
    query: {
      /** The language of the receipt. */
      language?: string | undefined;
    };
  };
  /** Download fees as a file. A row for each fee that the service charged or gave back, oldest first, with its deposit and its value. Made from `from` on and before `to`. CSV and JSON stream any number of rows, and XLSX has at most 100,000. `bom=0` writes CSV for programs. The key needs the scope `settlements:read`. */
  "GET /v1/exports/fees": {
    path: undefined;
    query: {
      /** The kind of file. XLSX is for spreadsheets, JSON for programs. */
      format?: "csv" | "xlsx" | "json" | undefined;
      /** `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets. */
      bom?: "0" | "1" | undefined;
      /** The mark between the columns of CSV. */
      separator?: "," | ";" | "tab" | undefined;
      /** The decimal mark of CSV. */
      decimal?: "." | "," | undefined;
      /** Only rows created at this time or later (ISO 8601 with an offset). */
      from?: string | undefined;
      /** Only rows created before this time (ISO 8601 with an offset). */
      to?: string | undefined;
    };
  };
  /** Download the journal as a file. The books in double entry: a row for each line of an entry, oldest first. The last row counts the entries whose value is not known yet. Made from `from` on and before `to`. CSV and JSON stream any number of rows, and XLSX has at most 100,000. `bom=0` writes CSV for programs. The key needs the scope `settlements:read`. */
  "GET /v1/exports/journal": {
    path: undefined;
    query: {
      /** The kind of file. XLSX is for spreadsheets, JSON for programs. */
      format?: "csv" | "xlsx" | "json" | undefined;
      /** `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets. */
      bom?: "0" | "1" | undefined;
      /** The mark between the columns of CSV. */
      separator?: "," | ";" | "tab" | undefined;
      /** The decimal mark of CSV. */
      decimal?: "." | "," | undefined;
      /** Only rows created at this time or later (ISO 8601 with an offset). */
      from?: string | undefined;
      /** Only rows created before this time (ISO 8601 with an offset). */
      to?: string | undefined;
    };
  };
  /** Download payments as a file. A row for each payment, newest first, with its price, its value and their difference. Made from `from` on and before `to`. CSV and JSON stream any number of rows, and XLSX has at most 100,000. `bom=0` writes CSV for programs. The key needs the scope `charges:read`. */
  "GET /v1/exports/payments": {
    path: undefined;
    query: {
      /** The kind of file. XLSX is for spreadsheets, JSON for programs. */
      format?: "csv" | "xlsx" | "json" | undefined;
      /** `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets. */
      bom?: "0" | "1" | undefined;
      /** The mark between the columns of CSV. */
      separator?: "," | ";" | "tab" | undefined;
      /** The decimal mark of CSV. */
      decimal?: "." | "," | undefined;
      /** Only rows created at this time or later (ISO 8601 with an offset). */
      from?: string | undefined;
      /** Only rows created before this time (ISO 8601 with an offset). */
      to?: string | undefined;
      /** `order` has an amount, `open` takes any amount for a time, `receive` is a standing address. */
      kind?: "order" | "receive" | "open" | undefined;
      /** The state of the row, one of those in the list. No state is skipped without an event. */
      status?: "ACTIVE" | "EXPIRED" | "ARCHIVED" | undefined;
      /** `paid`: only orders that are paid or accepted. `short`: only those with some confirmed money that are neither. */
      payment?: "paid" | "short" | undefined;
      /** How `order_ref` begins, letter by letter. */
      reference?: string | undefined;
      /** Only orders made by this payment link, by its id (UUID). */
      paymentLinkId?: string | undefined;
      /** Only orders whose link was opened with this `ref`. */
      payerRef?: string | undefined;
    };
  };
  /** Download refunds as a file. A row for each refund, newest first, with the value of what it paid. Made from `from` on and before `to`. CSV and JSON stream any number of rows, and XLSX has at most 100,000. `bom=0` writes CSV for programs. The key needs the scope `refunds:read`. */
  "GET /v1/exports/refunds": {
    path: undefined;
    query: {
      /** The kind of file. XLSX is for spreadsheets, JSON for programs. */
      format?: "csv" | "xlsx" | "json" | undefined;
      /** `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets. */
      bom?: "0" | "1" | undefined;
      /** The mark between the columns of CSV. */
      separator?: "," | ";" | "tab" | undefined;
      /** The decimal mark of CSV. */
      decimal?: "." | "," | undefined;
      /** Only rows created at this time or later (ISO 8601 with an offset). */
      from?: string | undefined;
      /** Only rows created before this time (ISO 8601 with an offset). */
      to?: string | undefined;
      /** The state of the row, one of those in the list. No state is skipped without an event. */
      status?: "REQUESTED" | "READY" | "SENT" | "CANCELED" | "COMPLETED" | undefined;
      /** The id of the deposit address that was paid (UUID). */
      depositAddressId?: string | undefined;
    };
  };
  /** Download settlements as a file. A row for each settlement, newest first, with the values of what it paid and cost. Made from `from` on and before `to`. CSV and JSON stream any number of rows, and XLSX has at most 100,000. `bom=0` writes CSV for programs. The key needs the scope `settlements:read`. */
  "GET /v1/exports/settlements": {
    path: undefined;
    query: {
      /** The kind of file. XLSX is for spreadsheets, JSON for programs. */
      format?: "csv" | "xlsx" | "json" | undefined;
      /** `0` writes CSV for programs: without the byte order mark, with names and times of the API. Texts are as they were typed: formulas too. Otherwise it is for spreadsheets. */
      bom?: "0" | "1" | undefined;
      /** The mark between the columns of CSV. */
      separator?: "," | ";" | "tab" | undefined;
      /** The decimal mark of CSV. */
      decimal?: "." | "," | undefined;
      /** Only rows created at this time or later (ISO 8601 with an offset). */
      from?: string | undefined;
      /** Only rows created before this time (ISO 8601 with an offset). */
      to?: string | undefined;
      /** The state of the row, one of those in the list. No state is skipped without an event. */
      status?: "OPEN" | "COMPLETED" | "FAILED" | undefined;
      /** The currency that the payer sends. Every amount of the row is in it. */
      currency?: "USDT" | "TRX" | undefined;
    };
  };
};

/** The body of each webhook, by the name of its event. */
export type WebhookBodies = {
  /** A payment is final */
  "deposit.confirmed": DepositEvent;
  /** A payment has a block above it */
  "deposit.confirming": DepositEvent;
  /** A payment was seen */
  "deposit.detected": DepositEvent;
  /** A payment came to nothing */
  "deposit.failed": DepositEvent;
  /** A payment lost its block */
  "deposit.reorged": DepositEvent;
  /** A payment waits unusually long */
  "deposit.stuck": DepositEvent;
  /** A payment is in the other currency */
  "deposit.unmatched": DepositEvent;
  /** An order was accepted short of its due */
  "order.accepted": OrderEvent;
  /** An order expired with nothing */
  "order.expired": OrderEvent;
  /** More than was due has come */
  "order.overpaid": OrderEvent;
  /** An order is paid */
  "order.paid": OrderEvent;
  /** An order is paid too late */
  "order.paid_late": OrderEvent;
  /** An order expired short */
  "order.underpaid": OrderEvent;
  /** A refund was canceled */
  "refund.canceled": RefundEvent;
  /** A refund is paid */
  "refund.completed": RefundEvent;
  /** A refund can be paid */
  "refund.ready": RefundEvent;
  /** A refund was asked for */
  "refund.requested": RefundEvent;
  /** Money has reached your wallet */
  "settlement.completed": SettlementEvent;
  /** Money cannot be sent to your wallet */
  "settlement.failed": SettlementEvent;
  /** A test that you asked for */
  "webhook.test": TestEvent;
};

/** The names of the events. */
export const webhookEventNames = [
  "deposit.confirmed",
  "deposit.confirming",
  "deposit.detected",
  "deposit.failed",
  "deposit.reorged",
  "deposit.stuck",
  "deposit.unmatched",
  "order.accepted",
  "order.expired",
  "order.overpaid",
  "order.paid",
  "order.paid_late",
  "order.underpaid",
  "refund.canceled",
  "refund.completed",
  "refund.ready",
  "refund.requested",
  "settlement.completed",
  "settlement.failed",
  "webhook.test",
] as const satisfies readonly (keyof WebhookBodies)[];
