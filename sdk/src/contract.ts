// Written from sdk/openapi.json by `npm run generate`.

/** The public view of a charge, for whoever holds its token. */
export type Checkout = {
  /** Who is paid, as the page shows it. */
  merchant: {
    /** The colour of the page: `#` and six hex digits in small letters. */
    accentColor: string;
    /** The merchant's logo, a picture that is served here; null for none. */
    logoUrl: string | null;
    /** The merchant's name. */
    name: string;
  };
  /** What is to be paid. */
  order: {
    /** What the order is over, in units of `currency` (decimal string); null without an amount. */
    amount: string | null;
    /** Where the payer goes who gives up or is too late (http or https, at most 2048 characters); null for nowhere. */
    cancelUrl: string | null;
    /** The currency that the payer sends. Every amount of the row is in it. */
    currency: "USDT" | "TRX";
    /** Who bears the fee: `merchant`, or `client`, where `pay_amount` has it on top. */
    feeMode: "merchant" | "client";
    /** The price in US dollars exactly as it was sent (decimal string); null if not priced in USD. */
    fiatAmount: string | null;
    /** `USD` if the order is priced in US dollars; else null. */
    fiatCurrency: "USD" | null;
    /** Exactly what the payer must send, in units of `currency` (decimal string); null where any amount will do. */
    payAmount: string | null;
    /** Until when `quote_rate` is locked (ISO 8601, UTC); null if not priced in USD. */
    quoteExpiresAt: string | null;
    /** Units of `currency` per 1 USD, with at most 4 decimals; null if not priced in USD. */
    quoteRate: string | null;
    /** Your own reference of the order; null where none was given. */
    ref: string | null;
    /** Where the payer goes once it is paid (http or https, at most 2048 characters); null for nowhere. */
    successUrl: string | null;
  };
  /** Where and until when it is to be paid. */
  payment: {
    /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty where it cannot be proven to be the one that was issued: tell your operator. */
    address: string;
    /** The chain of the address. There is one: `tron`. */
    chain: "tron";
    /** Until when it can be paid in time (ISO 8601, UTC); null for a receive address. */
    expiresAt: string | null;
  };
  /** What the payer is told, in one word. `paid` and `overpaid` are final money. */
  state: "awaiting" | "confirming" | "paid" | "underpaid" | "overpaid" | "expired" | "error";
  /** What has been received so far. */
  status: {
    /** The sum of what was seen, confirmed or not, in units of `currency` (decimal string). */
    amountReceived: string;
    /** Number of blocks from the transfer's up to the newest one. It can reach and pass what is required some seconds before the deposit is final, and stands still once it is. */
    confirmations: number;
    /** When it became final (ISO 8601, UTC); null while it is not. */
    confirmedAt: string | null;
    /** Where the newest deposit stands; null before there is one. Only `CONFIRMED` is final. */
    depositStatus: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED" | null;
    /** What is credited of the money received, against what is due: `none`, `under`, `exact` (within the tolerance) or `over`. */
    paymentState: "none" | "under" | "exact" | "over";
    /** Number of blocks needed before the deposit can be final. Whether it is, the status says alone. */
    requiredConfirmations: number;
    /** The id of the transaction on the chain: 64 hex characters in small letters. */
    txHash: string | null;
  };
};

/** What became of a transaction, as the payer of this checkout may know it. */
export type CheckoutLookup = {
  /** The last four characters of the address that was paid instead; null where the result is not `other_address`. */
  addressEnd: string | null;
  /** What the transaction brought here, in units of `currency` (decimal string); null where that is not known. */
  amount: string | null;
  /** Number of confirmations so far; null where the result is not `seen`. */
  confirmations: number | null;
  /** USDT or TRX; null where neither came here. */
  currency: "USDT" | "TRX" | null;
  /** Number of confirmations that are needed; null where the result is not `seen`. */
  requiredConfirmations: number | null;
  /** `counted`: its money is final and of this charge. `seen`: on its way to that. `failed`: it failed on the chain and moved nothing. `other_address`: it went elsewhere. `other_token`: it came here, and is no money of this charge. `not_on_tron`: a hash of another network (0x…). `not_found`: nobody knows it yet. `busy`: too many ask; our own blocks do not show it, and the nodes can be asked in `retryAfterSeconds`. */
  result:
    | "counted"
    | "seen"
    | "failed"
    | "other_address"
    | "other_token"
    | "not_on_tron"
    | "not_found"
    | "busy";
  /** When to ask again, in seconds; null where asking again changes nothing. */
  retryAfterSeconds: number | null;
};

/** A deposit address as it was made. */
export type CreatedDepositAddress = {
  /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty where it cannot be proven to be the one that was issued: tell your operator. */
  address: string;
  /** What the payer must send, in units of `currency` (decimal string): `pay_amount`, else `expected_amount`; null where any amount will do, also of an order of 0. */
  amount_due: string | null;
  /** Where the payer goes who gives up or is too late (http or https, at most 2048 characters); null for nowhere. */
  cancel_url: string | null;
  /** The chain of the address. There is one: `tron`. */
  chain: "tron";
  /** Unguessable text that opens the checkout of this deposit address, and nothing else. */
  checkout_token: string;
  /** The page where the payer pays: send your customer here. null where the operator set no public address. */
  checkout_url: string | null;
  /** The currency that the payer sends. Every amount of the row is in it. */
  currency: "USDT" | "TRX";
  /** Your own name of the customer whose standing address this is, at most 120 characters. */
  customer_ref: string | null;
  /** What the order is over, in units of `currency` (decimal string); null without an amount. */
  expected_amount: string | null;
  /** Until when it can be paid in time (ISO 8601, UTC); null for a receive address. */
  expires_at: string | null;
  /** Who bears the fee: `merchant`, or `client`, where `pay_amount` has it on top. */
  fee_mode: "merchant" | "client";
  /** The price in US dollars exactly as it was sent (decimal string); null if not priced in USD. */
  fiat_amount: string | null;
  /** `USD` if the order is priced in US dollars; else null. */
  fiat_currency: "USD" | null;
  /** The row's own id (UUID), the same for ever. */
  id: string;
  /** Up to 20 texts of your own by key, 2 kB together, returned in rows and events; the payer never sees them. */
  metadata: Record<string, string> | null;
  /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
  order_ref: string | null;
  /** What the payer must send where the payer bears the fee, in units of `currency` (decimal string); else null. */
  pay_amount: string | null;
  /** Until when `quote_rate` is locked (ISO 8601, UTC); null if not priced in USD. */
  quote_expires_at: string | null;
  /** Units of `currency` per 1 USD, with at most 4 decimals; null if not priced in USD. */
  quote_rate: string | null;
  /** The sources that the rate was made of, joined by `+`; null if not priced in USD. */
  quote_source: string | null;
  /** `ACTIVE`: it is waited for from now on. */
  status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
  /** Where the payer goes once it is paid (http or https, at most 2048 characters); null for nowhere. */
  success_url: string | null;
};

/** A new endpoint, with the secret that signs for it. */
export type CreatedWebhookEndpoint = {
  /** When the row was made (ISO 8601, UTC). */
  created_at: string;
  /** A note of your own, at most 255 characters; null for none. */
  description: string | null;
  /** The names of the events that are sent to this endpoint. */
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
    | "webhook.test"
  )[];
  /** The row's own id (UUID), the same for ever. */
  id: string;
  /** Whether events are sent. While it is `false` they wait, at most 3 days. */
  is_active: boolean;
  /** The key that signs every event for this endpoint: `whsec_` and 64 hex characters. Shown this once. */
  secret: string;
  /** `active` if events are sent, `disabled` while they wait. */
  status: "active" | "disabled";
  /** When the row last changed (ISO 8601, UTC). */
  updated_at: string;
  /** The http or https address that receives the events, at most 2048 characters, without credentials. */
  url: string;
};

/** One on-chain transfer to one of the merchant's addresses. */
export type Deposit = {
  /** The TRON address that was paid (base58, 34 characters). */
  address: string;
  /** What was sent, in units of `currency` (decimal string). */
  amount: string;
  /** The id of the block that holds the transfer: 64 hex characters. */
  block_hash: string;
  /** Height of the block that holds the transfer: its position in the chain, counted from 0. */
  block_number: number;
  /** The time that the block itself states (ISO 8601, UTC). It decides whether a payment is late. */
  block_time: string;
  /** The chain of the address. There is one: `tron`. */
  chain: "tron";
  /** Number of blocks from the transfer's up to the newest one. It can reach and pass what is required some seconds before the deposit is final, and stands still once it is. */
  confirmations: number;
  /** When it became final (ISO 8601, UTC); null while it is not. */
  confirmed_at: string | null;
  /** When the row was made (ISO 8601, UTC). */
  created_at: string;
  /** The currency that was sent. Its `amount` is in it. */
  currency: "USDT" | "TRX";
  /** The id of the deposit address that was paid (UUID). */
  deposit_address_id: string;
  /** When it was first seen (ISO 8601, UTC). */
  detected_at: string;
  /** Position of the transfer within its transaction, counted from 0. */
  event_index: number;
  /** When it was given up (ISO 8601, UTC); null where it was not. */
  failed_at: string | null;
  /** Why it never became money, in one word; null where it did not fail. */
  failure_reason: string | null;
  /** The TRON address that sent it (base58); null where the chain does not say. */
  from_address: string | null;
  /** The row's own id (UUID), the same for ever. */
  id: string;
  /** Whether the transfer's block is later than the end of the time to pay. */
  late: boolean;
  /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
  order_ref: string | null;
  /** Number of blocks needed before the deposit can be final. Whether it is, the status says alone. */
  required_confirmations: number;
  /** How the chain moved it: `transfer` (TRX), `log` (a token's event) or `internal` (TRX from a contract). */
  source: "transfer" | "log" | "internal";
  /** `CONFIRMED` is final money. `DETECTED` and `CONFIRMING` wait for blocks, `STUCK` waits unusually long, `REORG_PENDING` lost its block, `FAILED` never became money. */
  status: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED";
  /** Why it waits unusually long, in one word; null where it does not. */
  stuck_reason: string | null;
  /** The id of the transaction on the chain: 64 hex characters in small letters. */
  tx_hash: string;
  /** Whether it is in the other currency than the deposit address asks for. Then it is in no sum. */
  unmatched: boolean;
  /** When the row last changed (ISO 8601, UTC). */
  updated_at: string;
};

/** An order, an open address or a standing receive address. */
export type DepositAddress = {
  /** Why you accepted it, in your words; null where it was not accepted or no reason was given. */
  accept_reason: string | null;
  /** When you accepted it as paid although the sums say otherwise (ISO 8601, UTC); else null. */
  accepted_at: string | null;
  /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty where it cannot be proven to be the one that was issued: tell your operator. */
  address: string;
  /** What the payer must send, in units of `currency` (decimal string): `pay_amount`, else `expected_amount`; null where any amount will do, also of an order of 0. */
  amount_due: string | null;
  /** The sum of what was seen and is not final yet, in units of `currency` (decimal string). */
  amount_pending: string;
  /** The sum of what is confirmed, in units of `currency` (decimal string): money that the chain cannot take back. */
  amount_received: string;
  /** Where the payer goes who gives up or is too late (http or https, at most 2048 characters); null for nowhere. */
  cancel_url: string | null;
  /** The chain of the address. There is one: `tron`. */
  chain: "tron";
  /** Unguessable text that opens the checkout of this deposit address, and nothing else. */
  checkout_token: string;
  /** The page where the payer pays: send your customer here. null where the operator set no public address. */
  checkout_url: string | null;
  /** When the row was made (ISO 8601, UTC). */
  created_at: string;
  /** The currency that the payer sends. Every amount of the row is in it. */
  currency: "USDT" | "TRX";
  /** Your own name of the customer whose standing address this is, at most 120 characters. */
  customer_ref: string | null;
  /** What the order is over, in units of `currency` (decimal string); null without an amount. */
  expected_amount: string | null;
  /** Until when it can be paid in time (ISO 8601, UTC); null for a receive address. */
  expires_at: string | null;
  /** Who bears the fee: `merchant`, or `client`, where `pay_amount` has it on top. */
  fee_mode: "merchant" | "client";
  /** The price in US dollars exactly as it was sent (decimal string); null if not priced in USD. */
  fiat_amount: string | null;
  /** `USD` if the order is priced in US dollars; else null. */
  fiat_currency: "USD" | null;
  /** The row's own id (UUID), the same for ever. */
  id: string;
  /** `order` has an amount, `open` takes any amount for a time, `receive` is a standing address. */
  kind: "order" | "receive" | "open";
  /** A note of your own, at most 120 characters. The payer never sees it. */
  label: string | null;
  /** Up to 20 texts of your own by key, 2 kB together, returned in rows and events; the payer never sees them. */
  metadata: Record<string, string> | null;
  /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
  order_ref: string | null;
  /** Whether it was paid only by money that came after its time and the late window. */
  paid_late: boolean;
  /** What the payer must send where the payer bears the fee, in units of `currency` (decimal string); else null. */
  pay_amount: string | null;
  /** What is credited of the money received, against what is due: `none`, `under`, `exact` (within the tolerance) or `over`. */
  payment_state: "none" | "under" | "exact" | "over";
  /** How far an order is paid, in one word. Only of orders, on retrieve and in lists with `kind=order`. */
  payment_status?: "paid" | "confirming" | "detected" | "awaiting" | "expired";
  /** Until when `quote_rate` is locked (ISO 8601, UTC); null if not priced in USD. */
  quote_expires_at: string | null;
  /** Units of `currency` per 1 USD, with at most 4 decimals; null if not priced in USD. */
  quote_rate: string | null;
  /** The sources that the rate was made of, joined by `+`; null if not priced in USD. */
  quote_source: string | null;
  /** The id of the settlement account that receives the money (UUID); null for the account that is the default. */
  settlement_account_id: string | null;
  /** `ACTIVE` is waited for, `EXPIRED` is past its time, `ARCHIVED` is paid or put away. */
  status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
  /** Where the payer goes once it is paid (http or https, at most 2048 characters); null for nowhere. */
  success_url: string | null;
  /** When the row last changed (ISO 8601, UTC). */
  updated_at: string;
};

/** The body of an event of a deposit. */
export type DepositEvent = {
  /** The version of the contract that the body follows. */
  apiVersion: "v1";
  /** When it happened (ISO 8601, UTC). */
  createdAt: string;
  /** The deposit, and what is known of its deposit address. */
  data: {
    /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty where it cannot be proven to be the one that was issued: tell your operator. */
    address: string;
    /** What this deposit sent, in units of `currency` (decimal string). */
    amount: string;
    /** The sum of what is confirmed, in units of `currency` (decimal string): money that the chain cannot take back. */
    amountReceived: string;
    /** The id of the block that holds the transfer: 64 hex characters. */
    blockHash: string;
    /** Height of the block that holds the transfer: its position in the chain, counted from 0. */
    blockNumber: number;
    /** The chain of the address. There is one: `tron`. */
    chain: "tron";
    /** Number of blocks from the transfer's up to the newest one. It can reach and pass what is required some seconds before the deposit is final, and stands still once it is. */
    confirmations: number;
    /** When it became final (ISO 8601, UTC); null while it is not. */
    confirmedAt: string | null;
    /** The currency that the payer sends. Every amount of the row is in it. */
    currency: "USDT" | "TRX";
    /** The id of the deposit address that was paid (UUID). */
    depositAddressId: string;
    /** The id of the deposit (UUID); `reference_id` of its deliveries. */
    depositId: string;
    /** When it was first seen (ISO 8601, UTC). */
    detectedAt: string;
    /** What is credited minus what is due, in units of `currency` (decimal string, negative if short); null where nothing is due. Credited is what was received, or of a price in USD what each payment was worth by its own quote. */
    difference: string | null;
    /** Position of the transfer within its transaction, counted from 0. */
    eventIndex: number;
    /** Who bears the fee: `merchant`, or `client`, where `pay_amount` has it on top. */
    feeMode: "merchant" | "client";
    /** The price in US dollars exactly as it was sent (decimal string); null if not priced in USD. */
    fiatAmount: string | null;
    /** `USD` if the order is priced in US dollars; else null. */
    fiatCurrency: "USD" | null;
    /** A note of your own, at most 120 characters. The payer never sees it. */
    label: string | null;
    /** Whether the transfer's block is later than the end of the time to pay. */
    late: boolean;
    /** Up to 20 texts of your own by key, 2 kB together, returned in rows and events; the payer never sees them. */
    metadata: Record<string, string> | null;
    /** What the order is over, in units of `currency` (decimal string); null without an amount. */
    orderAmount: string | null;
    /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
    orderRef: string | null;
    /** What the payer must send where the payer bears the fee, in units of `currency` (decimal string); else null. */
    payAmount: string | null;
    /** What is credited of the money received, against what is due: `none`, `under`, `exact` (within the tolerance) or `over`. */
    paymentState: "none" | "under" | "exact" | "over";
    /** The status before this event; null where it had none. */
    previousStatus: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED" | null;
    /** Units of `currency` per 1 USD, with at most 4 decimals; null if not priced in USD. */
    quoteRate: string | null;
    /** Number of blocks needed before the deposit can be final. Whether it is, the status says alone. */
    requiredConfirmations: number;
    /** The status of the deposit after this event. Only `CONFIRMED` is final money. */
    status: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED";
    /** The id of the transaction on the chain: 64 hex characters in small letters. */
    txHash: string;
    /** Whether it is in the other currency than the deposit address asks for. Then it is in no sum. */
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
  /** Number of the event among those of its deposit or order, from 1: drop one older than you have. */
  sequence: number;
};

/** A refusal. `details` names every field that is not valid. */
export type ErrorBody = {
  /** The `x-correlation-id` of the request, or one made for it. The operator finds the request by it. */
  correlationId: string;
  /** What is wrong, for a program to act on. */
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
      | "VALIDATION_ERROR"
      | "NOT_FIAT_PRICED"
      | "SETTLEMENT_ACCOUNT_DISABLED"
      | "TOO_MANY_ENDPOINTS"
      | "NOT_RESENDABLE"
      | "RATE_LIMITED"
      | "INTERNAL_ERROR"
      | "SERVICE_UNAVAILABLE";
    /** Every field that is not valid, each with the rule that it broke. */
    details?: {
      /** The fault in a sentence for people; in `details` the rule that the field broke. */
      message: string;
      /** The field as the request wrote it: `amount`, or `eventTypes.0` for the first of a list. */
      path: string;
    }[];
    /** Where the code is explained: absolute where the service has a public base address, else a path. */
    docUrl: string;
  };
  /** The fault in a sentence for people; in `details` the rule that the field broke. */
  message: string;
  /** Whether the request did what it asked: `true` with `data`, `false` with `error`. */
  success: false;
};

/** One deposit that a transaction made, and what became of it. */
export type LookupRow = {
  /** The deposit that the transaction made, as it stands now. */
  deposit: Deposit;
  /** What it was sent to, as far as it says what became of the money. */
  deposit_address: PaidDepositAddress;
  /** What the transaction did to the merchant: it paid one of its addresses. */
  kind: "deposit";
};

/** The body of an event of an order. */
export type OrderEvent = {
  /** The version of the contract that the body follows. */
  apiVersion: "v1";
  /** When it happened (ISO 8601, UTC). */
  createdAt: string;
  /** The order with its confirmed sums. */
  data: {
    /** The TRON address to pay to (base58, 34 characters). It belongs to this deposit address for ever. Empty where it cannot be proven to be the one that was issued: tell your operator. */
    address: string;
    /** The sum of what is confirmed, in units of `currency` (decimal string): money that the chain cannot take back. */
    amountReceived: string;
    /** The chain of the address. There is one: `tron`. */
    chain: "tron";
    /** The currency that the payer sends. Every amount of the row is in it. */
    currency: "USDT" | "TRX";
    /** The id of the deposit address that was paid (UUID). */
    depositAddressId: string;
    /** The confirmed deposits of the order, first to last, at most 20 of them. */
    deposits: {
      /** Money in units of `currency`, as a decimal string with at most 6 decimals, never a number. */
      amount: string;
      /** When it became final (ISO 8601, UTC); null while it is not. */
      confirmedAt: string;
      /** The id of the deposit (UUID); `reference_id` of its deliveries. */
      depositId: string;
      /** The id of the transaction on the chain: 64 hex characters in small letters. */
      txHash: string;
    }[];
    /** What is credited minus what is due, in units of `currency` (decimal string, negative if short); null where nothing is due. Credited is what was received, or of a price in USD what each payment was worth by its own quote. */
    difference: string | null;
    /** Until when it can be paid in time (ISO 8601, UTC); null for a receive address. */
    expiresAt: string | null;
    /** Who bears the fee: `merchant`, or `client`, where `pay_amount` has it on top. */
    feeMode: "merchant" | "client";
    /** The price in US dollars exactly as it was sent (decimal string); null if not priced in USD. */
    fiatAmount: string | null;
    /** `USD` if the order is priced in US dollars; else null. */
    fiatCurrency: "USD" | null;
    /** A note of your own, at most 120 characters. The payer never sees it. */
    label: string | null;
    /** Up to 20 texts of your own by key, 2 kB together, returned in rows and events; the payer never sees them. */
    metadata: Record<string, string> | null;
    /** What the order is over, in units of `currency` (decimal string); null without an amount. */
    orderAmount: string | null;
    /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
    orderRef: string | null;
    /** When the confirmed deposits first added up to paid (ISO 8601, UTC); null while they do not. */
    paidAt: string | null;
    /** Whether it was paid only by money that came after its time and the late window. */
    paidLate: boolean;
    /** What the payer must send where the payer bears the fee, in units of `currency` (decimal string); else null. */
    payAmount: string | null;
    /** What is credited of the money received, against what is due: `none`, `under`, `exact` (within the tolerance) or `over`. */
    paymentState: "none" | "under" | "exact" | "over";
    /** Units of `currency` per 1 USD, with at most 4 decimals; null if not priced in USD. */
    quoteRate: string | null;
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
  /** Number of the event among those of its deposit or order, from 1: drop one older than you have. */
  sequence: number;
};

/** What a deposit was sent to, as it stands now. */
export type PaidDepositAddress = {
  /** What the payer must send, in units of `currency` (decimal string): `pay_amount`, else `expected_amount`; null where any amount will do, also of an order of 0. */
  amount_due: string | null;
  /** The sum of what is confirmed, in units of `currency` (decimal string): money that the chain cannot take back. */
  amount_received: string;
  /** The currency that it is to be paid in. */
  currency: "USDT" | "TRX";
  /** The customer of a receive address. */
  customer_ref: string | null;
  /** Until when it can be paid in time (ISO 8601, UTC); null for a receive address. */
  expires_at: string | null;
  /** The id to retrieve the deposit address by. */
  id: string;
  /** What the address is: an order, an open or a receive address. */
  kind: "order" | "receive" | "open";
  /** The merchant's own reference of the order. */
  order_ref: string | null;
  /** All confirmed money of the address relative to the amount due. */
  payment_state: "none" | "under" | "exact" | "over";
  /** Of an order; else null. */
  payment_status: "paid" | "confirming" | "detected" | "awaiting" | "expired" | null;
  /** Where the deposit address stands now. */
  status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
};

/** An endpoint, with the new secret that signs for it. */
export type RotatedWebhookEndpoint = {
  /** When the row was made (ISO 8601, UTC). */
  created_at: string;
  /** A note of your own, at most 255 characters; null for none. */
  description: string | null;
  /** The names of the events that are sent to this endpoint. */
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
    | "webhook.test"
  )[];
  /** The row's own id (UUID), the same for ever. */
  id: string;
  /** Whether events are sent. While it is `false` they wait, at most 3 days. */
  is_active: boolean;
  /** Until when deliveries are signed with the secret before too (ISO 8601, UTC); null where they are not. */
  previous_secret_expires_at: string | null;
  /** The key that signs every event for this endpoint: `whsec_` and 64 hex characters. Shown this once. */
  secret: string;
  /** Where the row stands: the states are those of the list, and a state is never skipped silently. */
  status: "active" | "disabled";
  /** When the row last changed (ISO 8601, UTC). */
  updated_at: string;
  /** The http or https address that receives the events, at most 2048 characters, without credentials. */
  url: string;
};

/** A test case that was played on the devnet. */
export type SimulatedPayment = {
  /** Where the money went: a TRON address in base58. */
  address: string;
  /** `exact`: what is due. `under`: half of it. `over`: half as much again. `twice`: the due in two transactions. `late`: the due, after the order has expired. `wrong_coin`: as many of the other currency. `reorged`: the due, in a block that leaves the chain once it was seen. Where nothing is due, 10 counts as the due. */
  case: "exact" | "under" | "over" | "twice" | "late" | "wrong_coin" | "reorged";
  /** The deposit address that was paid (UUID). */
  deposit_address_id: string;
  /** The events that follow if nothing else is paid. An endpoint is sent those that it subscribes to, in no certain order. */
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
    | "webhook.test"
  )[];
  /** true for `reorged`: the newest blocks of the whole devnet were replaced, with the payments of everybody in them. */
  forked_devnet: boolean;
  /** What happens now, in words for people. */
  next: string;
  /** What was sent, in the order in which it was. */
  payments: {
    /** How much, in units of the payment's currency. */
    amount: string;
    /** What was sent: USDT or TRX. */
    currency: "USDT" | "TRX";
    /** Id of the transaction, 64 hex characters. */
    tx_hash: string;
  }[];
};

/** The body of the event that a test sends. */
export type TestEvent = {
  /** The version of the contract that the body follows. */
  apiVersion: "v1";
  /** When the test was asked for (ISO 8601, UTC). */
  createdAt: string;
  /** What a test says; there is no payment behind it. */
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
  /** Number of the event among those of its deposit or order, from 1: drop one older than you have. */
  sequence: number;
};

/** One attempt to deliver. */
export type WebhookAttempt = {
  /** When the attempt began (ISO 8601, UTC). */
  attempted_at: string;
  /** How long the endpoint took to answer, in milliseconds. */
  duration_ms: number;
  /** Why the attempt failed, in one word; null where the endpoint accepted. */
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
    | null;
  /** Number of the attempt, counted from 1. */
  number: number;
  /** The beginning of what the endpoint answered, at most 2 KiB; null where no answer came. */
  response_snippet: string | null;
  /** The HTTP status code that the endpoint answered; null where no answer came. */
  status_code: number | null;
  /** What made us try: the schedule, a test, or a resend that was asked for. */
  trigger: "schedule" | "resend" | "test";
};

/** An event on its way to one endpoint. */
export type WebhookDelivery = {
  /** Number of attempts so far. */
  attempt_count: number;
  /** Number of attempts so far, the same as `attempt_count`. */
  attempts: number;
  /** When the row was made (ISO 8601, UTC). */
  created_at: string;
  /** The id of the endpoint that it is sent to (UUID). */
  endpoint_id: string;
  /** The id of the event, `id` in its body: the same at every attempt, so drop what you saw before. */
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
    | "webhook.test";
  /** The row's own id (UUID), the same for ever. */
  id: string;
  /** Why the last attempt failed, in one word; null where it did not or there was none. */
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
    | null;
  /** The HTTP status code of the last attempt; null where no answer came. */
  last_status_code: number | null;
  /** When it is tried next (ISO 8601, UTC); null where it is not. */
  next_attempt_at: string | null;
  /** What the event is of (UUID): the deposit, or for `order.*` the deposit address; null for a test. */
  reference_id: string | null;
  /** `DELIVERED` and `EXHAUSTED` are ends; `FAILED` waits for its next attempt, `SENDING` is under way. */
  status: "PENDING" | "SENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED";
  /** When the row last changed (ISO 8601, UTC). */
  updated_at: string;
};

/** A delivery with every attempt made of it. */
export type WebhookDeliveryDetail = {
  /** Number of attempts so far. */
  attempt_count: number;
  /** Every attempt, first to last. */
  attempts: WebhookAttempt[];
  /** When the row was made (ISO 8601, UTC). */
  created_at: string;
  /** The id of the endpoint that it is sent to (UUID). */
  endpoint_id: string;
  /** The id of the event, `id` in its body: the same at every attempt, so drop what you saw before. */
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
    | "webhook.test";
  /** The row's own id (UUID), the same for ever. */
  id: string;
  /** Why the last attempt failed, in one word; null where it did not or there was none. */
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
    | null;
  /** The HTTP status code of the last attempt; null where no answer came. */
  last_status_code: number | null;
  /** When it is tried next (ISO 8601, UTC); null where it is not. */
  next_attempt_at: string | null;
  /** What the event is of (UUID): the deposit, or for `order.*` the deposit address; null for a test. */
  reference_id: string | null;
  /** `DELIVERED` and `EXHAUSTED` are ends; `FAILED` waits for its next attempt, `SENDING` is under way. */
  status: "PENDING" | "SENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED";
  /** When the row last changed (ISO 8601, UTC). */
  updated_at: string;
};

/** A receiver of a merchant's events. */
export type WebhookEndpoint = {
  /** When the row was made (ISO 8601, UTC). */
  created_at: string;
  /** A note of your own, at most 255 characters; null for none. */
  description: string | null;
  /** The names of the events that are sent to this endpoint. */
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
    | "webhook.test"
  )[];
  /** The row's own id (UUID), the same for ever. */
  id: string;
  /** Whether events are sent. While it is `false` they wait, at most 3 days. */
  is_active: boolean;
  /** `active` if events are sent, `disabled` while they wait. */
  status: "active" | "disabled";
  /** When the row last changed (ISO 8601, UTC). */
  updated_at: string;
  /** The http or https address that receives the events, at most 2048 characters, without credentials. */
  url: string;
};

/** What the endpoint made of a test. */
export type WebhookTestResult = {
  /** How long the endpoint took to answer, in milliseconds. */
  durationMs: number;
  /** Told where the endpoint is disabled: it gets tests alone, and its events wait until it is enabled. */
  endpointStatus?: "disabled";
  /** Why it failed, in a sentence that ends with the word that the log of deliveries has for it; left out where the endpoint accepted. */
  error?: string;
  /** Whether the endpoint answered with a 2xx status in time. */
  ok: boolean;
  /** The HTTP status code that the endpoint answered; none where no answer came. */
  statusCode?: number;
};

/** What goes into each operation of the contract and what comes out, by its method and path. */
export type Operations = {
  /** Retrieve what a payer may see. What the hosted page shows, not older than a second. No key: the token is the capability. Ask every few seconds at most, with the ETag of the last answer in If-None-Match; or open a websocket at this path with /live behind it, which sends `{ "type": "checkout", "data": … }` at once and after every change. */
  "GET /v1/checkout/{token}": {
    path: {
      /** The `checkout_token` of a deposit address. Whoever has it may read the checkout. */
      token: string;
    };
    query: undefined;
    body: undefined;
    answer: Checkout;
  };
  /** Look up what became of a payer's transaction. For a payer who has paid and does not see it. Never tells of another order: of what went elsewhere only the last four characters of the address. Six a minute for a token; what our own blocks do not show a node is asked for, within what a merchant and an address may have asked in a minute: beyond it the result is `busy`. */
  "POST /v1/checkout/{token}/lookup": {
    path: {
      /** The `checkout_token` of a deposit address. Whoever has it may read the checkout. */
      token: string;
    };
    query: undefined;
    body: {
      /** The id of the transaction on the chain: 64 hex characters in small letters. */
      txHash: string;
    };
    answer: CheckoutLookup;
  };
  /** Lock a fresh rate for an order priced in USD. While the last quote holds it stays; once it has lapsed there is a new one. Answers what a payer may see. */
  "POST /v1/checkout/{token}/requote": {
    path: {
      /** The `checkout_token` of a deposit address. Whoever has it may read the checkout. */
      token: string;
    };
    query: undefined;
    body: undefined;
    answer: Checkout;
  };
  /** Play a test case: have the devnet pay a checkout. Only where the network is devnet. As simulatePayment, with the token of a checkout in place of a key: what the test panel of the page calls. */
  "POST /v1/checkout/{token}/simulate": {
    path: {
      /** The `checkout_token` of a deposit address. Whoever has it may read the checkout. */
      token: string;
    };
    query: undefined;
    body: {
      /** `exact`: what is due. `under`: half of it. `over`: half as much again. `twice`: the due in two transactions. `late`: the due, after the order has expired. `wrong_coin`: as many of the other currency. `reorged`: the due, in a block that leaves the chain once it was seen. Where nothing is due, 10 counts as the due. */
      case: "exact" | "under" | "over" | "twice" | "late" | "wrong_coin" | "reorged";
    };
    answer: SimulatedPayment;
  };
  /** List deposit addresses. Newest first. Every filter narrows the list further. `address` is empty in a row whose address cannot be proven to be ours. The key needs the scope `charges:read`. */
  "GET /v1/deposit-addresses": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** Only those in this status. */
      status?: "ACTIVE" | "EXPIRED" | "ARCHIVED" | undefined;
      /** Only those of this chain. */
      chain?: "tron" | undefined;
      /** Only `order` (with an amount), `open` (any amount, for a time) or `receive` (standing); `order` adds `payment_status`. */
      kind?: "order" | "receive" | "open" | undefined;
      /** Only those with exactly this reference of yours: look here before you create. */
      orderRef?: string | undefined;
      /** Your own name of the customer whose standing address this is, at most 120 characters. */
      customerRef?: string | undefined;
    };
    body: undefined;
    answer: DepositAddress[];
  };
  /** Create an order, an open address or a receive address. With `amount` an order, with `reusable` a standing receive address, else an open address for any amount. There is no idempotency key: look for your `orderRef` in the list before you send it again. The key needs the scope `charges:write`. */
  "POST /v1/deposit-addresses": {
    path: undefined;
    query: undefined;
    body: {
      /** What the order is over: units of `currency`, or USD with at most 2 decimals where it is priced in USD. Left out for an open or a receive address. */
      amount?: string | null | undefined;
      /** Ignored: it is the key of the request that counts. */
      apiKeyId?: string | undefined;
      /** Where the payer goes who gives up or is too late (http or https, at most 2048 characters); null for nowhere. */
      cancelUrl?: string | null | undefined;
      /** The chain of the address. There is one: `tron`. */
      chain?: "tron" | null | undefined;
      /** The currency that the payer sends. Every amount of the row is in it. */
      currency?: "USDT" | "TRX" | null | undefined;
      /** With `reusable`: the customer, in your words, whose standing address it is. Found or created for each. */
      customerRef?: string | null | undefined;
      /** A note of your own, at most 120 characters. The payer never sees it. */
      label?: string | null | undefined;
      /** Text of your own by name, told to you and to nobody else: at most 20 keys of 1 to 40 characters with values of at most 500 characters, and at most 2048 bytes in all, as JSON without blanks in UTF-8. */
      metadata?: Record<string, string> | null | undefined;
      /** Your own reference of the order, at most 120 characters. The payer sees it. It need not be unique. */
      orderRef?: string | null | undefined;
      /** `USD` if `amount` is in US dollars and is to be converted at the rate of now; else left out. */
      pricingCurrency?: "USD" | "USDT" | null | undefined;
      /** `true` finds or makes a standing address that never expires. Not together with `amount`. */
      reusable?: boolean | null | undefined;
      /** The id of the settlement account that receives the money (UUID); null for the account that is the default. */
      settlementAccountId?: string | null | undefined;
      /** Where the payer goes once it is paid (http or https, at most 2048 characters); null for nowhere. */
      successUrl?: string | null | undefined;
    };
    answer: CreatedDepositAddress;
  };
  /** Retrieve a deposit address. One deposit address with what it has received so far. Prefer webhooks to asking. The key needs the scope `charges:read`. */
  "GET /v1/deposit-addresses/{id}": {
    path: {
      /** The id of the deposit address, as create and the list answered it (UUID). */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: DepositAddress;
  };
  /** Accept what an order has received as the whole of it. For an order short of its due: it is ARCHIVED, counts as paid from then on, and `order.accepted` is sent. `payment_state` stays what the sums say. The key needs the scope `charges:write`. */
  "POST /v1/deposit-addresses/{id}/accept": {
    path: {
      /** The id of the deposit address, as create and the list answered it (UUID). */
      id: string;
    };
    query: undefined;
    body: {
      /** Why the merchant takes what has arrived for the whole: kept with the order and told to nobody else. */
      reason?: string | null | undefined;
    };
    answer: DepositAddress;
  };
  /** Archive a deposit address that is not wanted any more. It is not waited for any more. What is paid to it all the same is still recorded and announced. The key needs the scope `charges:write`. */
  "POST /v1/deposit-addresses/{id}/archive": {
    path: {
      /** The id of the deposit address, as create and the list answered it (UUID). */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: DepositAddress;
  };
  /** Give an order or an open address more time. Moves `expires_at` and the end of the late window while it is ACTIVE and its time is not over; a quote keeps its end. The key needs the scope `charges:write`. */
  "POST /v1/deposit-addresses/{id}/extend": {
    path: {
      /** The id of the deposit address, as create and the list answered it (UUID). */
      id: string;
    };
    query: undefined;
    body: {
      /** By how many seconds `expires_at` and the end of the late window move. `expires_at` ends at most 90 days behind `created_at`. */
      seconds: number;
    };
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
      /** Only deposits in this status. */
      status?: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED" | undefined;
      /** Only deposits of this currency. */
      currency?: "USDT" | "TRX" | undefined;
      /** Only deposits to the deposit address with this id (UUID). */
      depositAddressId?: string | undefined;
      /** Only deposits to deposit addresses with exactly this reference of yours. */
      orderRef?: string | undefined;
      /** The transaction's id on the chain: 64 hex characters, in any case. */
      txHash?: string | undefined;
      /** Only rows made at this moment or later (ISO 8601 with an offset). */
      from?: string | undefined;
      /** Only rows made before this moment (ISO 8601 with an offset). */
      to?: string | undefined;
    };
    body: undefined;
    answer: Deposit[];
  };
  /** Retrieve a deposit. One transfer to one of your addresses, with how final it is. The key needs the scope `deposits:read`. */
  "GET /v1/deposits/{id}": {
    path: {
      /** The id of the deposit, as lists and the events of the deposit say it (UUID). */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: Deposit;
  };
  /** Look up what became of a transaction. Every deposit of yours in one transaction, and what it was sent to. A transaction without any is an empty list. The key needs the scope `deposits:read`. */
  "GET /v1/lookup": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** The transaction's id on the chain: 64 hex characters, in any case. */
      txHash: string;
    };
    body: undefined;
    answer: LookupRow[];
  };
  /** Play a test case: have the devnet pay a deposit address. Only where the network is devnet. A payment on the real local chain, which signs it: the service sees it as any other. Moves no clock and mines no block. The key needs the scope `charges:write`. */
  "POST /v1/test/deposit-addresses/{id}/simulate": {
    path: {
      /** The id of the deposit address, as create and the list answered it (UUID). */
      id: string;
    };
    query: undefined;
    body: {
      /** `exact`: what is due. `under`: half of it. `over`: half as much again. `twice`: the due in two transactions. `late`: the due, after the order has expired. `wrong_coin`: as many of the other currency. `reorged`: the due, in a block that leaves the chain once it was seen. Where nothing is due, 10 counts as the due. */
      case: "exact" | "under" | "over" | "twice" | "late" | "wrong_coin" | "reorged";
    };
    answer: SimulatedPayment;
  };
  /** List webhook deliveries. Newest first: each event on its way to each endpoint. The key needs the scope `webhooks:read`. */
  "GET /v1/webhooks/deliveries": {
    path: undefined;
    query: {
      /** Number of the page, counted from 1. */
      page?: number | undefined;
      /** Number of rows on a page. */
      limit?: number | undefined;
      /** Only deliveries in this status. */
      status?: "PENDING" | "SENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED" | undefined;
      /** Only deliveries about the deposit or deposit address with this id (UUID). */
      referenceId?: string | undefined;
    };
    body: undefined;
    answer: WebhookDelivery[];
  };
  /** Retrieve a webhook delivery. One delivery with every attempt that was made. The key needs the scope `webhooks:read`. */
  "GET /v1/webhooks/deliveries/{id}": {
    path: {
      /** The id of the delivery, as the list answered it (UUID). */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookDeliveryDetail;
  };
  /** Send a delivery once more. One more attempt to send the same bytes to the same endpoint: at once, be it delivered, exhausted or waiting. At most 6 a minute for one endpoint, together with its test events. The key needs the scope `webhooks:write`. */
  "POST /v1/webhooks/deliveries/{id}/resend": {
    path: {
      /** The id of the delivery, as the list answered it (UUID). */
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
      /** Event types: deposit.detected, deposit.confirming, deposit.confirmed, deposit.unmatched, deposit.stuck, deposit.reorged, deposit.failed, order.paid, order.underpaid, order.overpaid, order.expired, order.paid_late, order.accepted, webhook.test. */
      eventTypes?: string[] | null | undefined;
      /** The http or https address that receives the events, at most 2048 characters, without credentials. */
      url: string;
    };
    answer: CreatedWebhookEndpoint;
  };
  /** Retrieve a webhook endpoint. One endpoint, without its secret. The key needs the scope `webhooks:read`. */
  "GET /v1/webhooks/endpoints/{id}": {
    path: {
      /** The id of the webhook endpoint, as create and the list answered it (UUID). */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookEndpoint;
  };
  /** Update a webhook endpoint. Changes what is given and leaves the rest. While it is not active its events wait. The key needs the scope `webhooks:write`. */
  "PATCH /v1/webhooks/endpoints/{id}": {
    path: {
      /** The id of the webhook endpoint, as create and the list answered it (UUID). */
      id: string;
    };
    query: undefined;
    body: {
      /** A note of your own, at most 255 characters; null for none. */
      description?: string | null | undefined;
      /** Event types: deposit.detected, deposit.confirming, deposit.confirmed, deposit.unmatched, deposit.stuck, deposit.reorged, deposit.failed, order.paid, order.underpaid, order.overpaid, order.expired, order.paid_late, order.accepted, webhook.test. */
      eventTypes?: string[] | undefined;
      /** Whether events are sent. While it is `false` they wait, at most 3 days. */
      isActive?: boolean | undefined;
      /** The http or https address that receives the events, at most 2048 characters, without credentials. */
      url?: string | undefined;
    };
    answer: WebhookEndpoint;
  };
  /** Delete a webhook endpoint. Nothing more is sent there, and its secret is erased. What was waiting ends as `EXHAUSTED`. The key needs the scope `webhooks:write`. */
  "DELETE /v1/webhooks/endpoints/{id}": {
    path: {
      /** The id of the webhook endpoint, as create and the list answered it (UUID). */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      /** `true`: the endpoint and its secret are gone, and nothing more is sent there. */
      deleted: true;
      /** The row's own id (UUID), the same for ever. */
      id: string;
    };
  };
  /** Give a webhook endpoint a new secret. Makes a new secret, which is shown this once. For as long as the overlap lasts every delivery is signed with the secret before too, so that receivers can change over. A second rotation within it ends the oldest secret. The key needs the scope `webhooks:write`. */
  "POST /v1/webhooks/endpoints/{id}/rotate-secret": {
    path: {
      /** The id of the webhook endpoint, as create and the list answered it (UUID). */
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
      /** The id of the webhook endpoint, as create and the list answered it (UUID). */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookTestResult;
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
  /** A test that you asked for */
  "webhook.test": TestEvent;
};
