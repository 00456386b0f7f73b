// Written from sdk/openapi.json by `npm run generate`.

/** The public view of a charge, for whoever holds its token. */
export type Checkout = {
  merchant: {
    accentColor: string;
    logoUrl: string | null;
    name: string;
  };
  order: {
    amount: string | null;
    cancelUrl: string | null;
    currency: "USDT" | "TRX";
    feeMode: "merchant" | "client";
    fiatAmount: string | null;
    fiatCurrency: string | null;
    payAmount: string | null;
    quoteExpiresAt: string | null;
    quoteRate: string | null;
    ref: string | null;
    successUrl: string | null;
  };
  payment: {
    address: string;
    chain: "tron";
    expiresAt: string | null;
  };
  state: "awaiting" | "confirming" | "paid" | "underpaid" | "overpaid" | "expired" | "error";
  status: {
    amountReceived: string;
    confirmations: number;
    confirmedAt: string | null;
    depositStatus: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED" | null;
    paymentState: "none" | "under" | "exact" | "over";
    requiredConfirmations: number;
    txHash: string | null;
  };
};

/** A charge as it was created. */
export type CreatedDepositAddress = {
  /** The on-chain address to pay. */
  address: string;
  /** What pays it, in `currency`: `pay_amount`, else `expected_amount`. null where any amount will do. */
  amount_due: string | null;
  cancel_url: string | null;
  chain: "tron";
  checkout_token: string;
  checkout_url: string | null;
  currency: "USDT" | "TRX";
  /** Of a receive address: the merchant's customer that it is for; null for none in particular. */
  customer_ref: string | null;
  expected_amount: string | null;
  /** null for reusable receive addresses. */
  expires_at: string | null;
  fee_mode: "merchant" | "client";
  fiat_amount: string | null;
  fiat_currency: "USD" | null;
  id: string;
  /** Text of the merchant's own by name, as it was sent; null where none was. */
  metadata: Record<string, string> | null;
  order_ref: string | null;
  /** What the payer must send in client fee mode. */
  pay_amount: string | null;
  quote_expires_at: string | null;
  /** Units of currency per 1 USD. */
  quote_rate: string | null;
  quote_source: string | null;
  status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
  success_url: string | null;
};

/** A new endpoint, with the secret that signs for it. */
export type CreatedWebhookEndpoint = {
  created_at: string;
  description: string | null;
  event_types: string[];
  id: string;
  is_active: boolean;
  /** Shown this once and never again. */
  secret: string;
  status: "active" | "disabled";
  updated_at: string;
  url: string;
};

/** One on-chain transfer to one of the merchant's addresses. */
export type Deposit = {
  address: string;
  amount: string;
  block_hash: string;
  block_number: number;
  block_time: string;
  chain: "tron";
  confirmations: number;
  confirmed_at: string | null;
  created_at: string;
  currency: "USDT" | "TRX";
  deposit_address_id: string;
  detected_at: string;
  event_index: number;
  failed_at: string | null;
  failure_reason: string | null;
  from_address: string | null;
  id: string;
  late: boolean;
  order_ref: string | null;
  required_confirmations: number;
  source: "transfer" | "log" | "internal";
  status: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED";
  stuck_reason: string | null;
  tx_hash: string;
  unmatched: boolean;
  updated_at: string;
};

/** An order, an open address or a standing receive address. */
export type DepositAddress = {
  /** Why, in the merchant's words. */
  accept_reason: string | null;
  /** When the merchant took what had arrived for the whole of the order; null where it did not. */
  accepted_at: string | null;
  /** The on-chain address to pay. */
  address: string;
  /** What pays it, in `currency`: `pay_amount`, else `expected_amount`. null where any amount will do. */
  amount_due: string | null;
  /** What was seen and is not final yet. */
  amount_pending: string;
  /** The confirmed sum. */
  amount_received: string;
  cancel_url: string | null;
  chain: "tron";
  checkout_token: string;
  checkout_url: string | null;
  created_at: string;
  currency: "USDT" | "TRX";
  /** Of a receive address: the merchant's customer that it is for; null for none in particular. */
  customer_ref: string | null;
  expected_amount: string | null;
  /** null for reusable receive addresses. */
  expires_at: string | null;
  fee_mode: "merchant" | "client";
  fiat_amount: string | null;
  fiat_currency: "USD" | null;
  id: string;
  kind: "order" | "receive" | "open";
  label: string | null;
  /** Text of the merchant's own by name, as it was sent; null where none was. */
  metadata: Record<string, string> | null;
  order_ref: string | null;
  paid_late: boolean;
  /** What the payer must send in client fee mode. */
  pay_amount: string | null;
  /** The confirmed sum relative to the amount due. */
  payment_state: "none" | "under" | "exact" | "over";
  /** Of orders, on retrieve and in lists with kind=order. */
  payment_status?: "paid" | "confirming" | "detected" | "awaiting" | "expired";
  quote_expires_at: string | null;
  /** Units of currency per 1 USD. */
  quote_rate: string | null;
  quote_source: string | null;
  settlement_account_id: string | null;
  status: "ACTIVE" | "EXPIRED" | "ARCHIVED";
  success_url: string | null;
  updated_at: string;
};

/** A refusal. `details` names every field that is not valid. */
export type ErrorBody = {
  correlationId: string;
  error: {
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
      | "ORDER_CLOSED"
      | "PAYLOAD_TOO_LARGE"
      | "UNSUPPORTED_MEDIA_TYPE"
      | "VALIDATION_ERROR"
      | "NOT_FIAT_PRICED"
      | "SETTLEMENT_ACCOUNT_DISABLED"
      | "TOO_MANY_ENDPOINTS"
      | "RATE_LIMITED"
      | "INTERNAL_ERROR"
      | "SERVICE_UNAVAILABLE";
    details?: {
      message: string;
      path: string;
    }[];
    /** Where the code is explained: absolute where the service has a public base address, else a path. */
    docUrl: string;
  };
  message: string;
  success: false;
};

/** One deposit that a transaction made, and what became of it. */
export type LookupRow = {
  deposit: Deposit;
  deposit_address: PaidDepositAddress;
  /** What the transaction did to the merchant: it paid one of its addresses. */
  kind: "deposit";
};

/** What a deposit was sent to, as it stands now. */
export type PaidDepositAddress = {
  /** What pays it, in its `currency`; null where any amount will do. */
  amount_due: string | null;
  /** The confirmed sum of all its deposits, in its `currency`. */
  amount_received: string;
  /** The currency that it is to be paid in. */
  currency: "USDT" | "TRX";
  /** The customer of a receive address. */
  customer_ref: string | null;
  /** Its end; null for reusable receive addresses. */
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
  created_at: string;
  description: string | null;
  event_types: string[];
  id: string;
  is_active: boolean;
  /** Until when the secret before signs too; null where it does no more. */
  previous_secret_expires_at: string | null;
  /** Shown this once and never again. */
  secret: string;
  status: "active" | "disabled";
  updated_at: string;
  url: string;
};

/** An event on its way to one endpoint. */
export type WebhookDelivery = {
  attempt_count: number;
  attempts: number;
  created_at: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  id: string;
  last_error: string | null;
  last_status_code: number | null;
  next_attempt_at: string | null;
  reference_id: string | null;
  status: "PENDING" | "SENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED";
  updated_at: string;
};

/** A delivery with every attempt made of it. */
export type WebhookDeliveryDetail = {
  attempt_count: number;
  attempts: {
    attempted_at: string;
    duration_ms: number;
    error: string | null;
    number: number;
    response_snippet: string | null;
    status_code: number | null;
    trigger: string;
  }[];
  created_at: string;
  endpoint_id: string;
  event_id: string;
  event_type: string;
  id: string;
  last_error: string | null;
  last_status_code: number | null;
  next_attempt_at: string | null;
  reference_id: string | null;
  status: "PENDING" | "SENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED";
  updated_at: string;
};

/** A receiver of a merchant's events. */
export type WebhookEndpoint = {
  created_at: string;
  description: string | null;
  event_types: string[];
  id: string;
  is_active: boolean;
  status: "active" | "disabled";
  updated_at: string;
  url: string;
};

/** What goes into each operation of the contract and what comes out, by its method and path. */
export type Operations = {
  /** Read the public view of a charge */
  "GET /v1/checkout/{token}": {
    path: {
      token: string;
    };
    query: undefined;
    body: undefined;
    answer: Checkout;
  };
  /** Offer the payer of a USD-priced order a fresh quote, once the last one has lapsed */
  "POST /v1/checkout/{token}/requote": {
    path: {
      token: string;
    };
    query: undefined;
    body: undefined;
    answer: Checkout;
  };
  /** List charges, newest first */
  "GET /v1/deposit-addresses": {
    path: undefined;
    query: {
      /** The page, counted from 1. */
      page?: number | undefined;
      /** Rows on a page. */
      limit?: number | undefined;
      status?: "ACTIVE" | "EXPIRED" | "ARCHIVED" | undefined;
      chain?: "tron" | undefined;
      kind?: "order" | "receive" | "open" | undefined;
      orderRef?: string | undefined;
      customerRef?: string | undefined;
    };
    body: undefined;
    answer: DepositAddress[];
  };
  /** Create an order, an open address or a receive address */
  "POST /v1/deposit-addresses": {
    path: undefined;
    query: undefined;
    body: {
      amount?: string | null | undefined;
      /** Ignored: it is the key of the request that counts. */
      apiKeyId?: string | undefined;
      cancelUrl?: string | null | undefined;
      chain?: "tron" | null | undefined;
      currency?: "USDT" | "TRX" | null | undefined;
      /** With `reusable`: the customer, in your words, whose standing address it is. Found or created for each. */
      customerRef?: string | null | undefined;
      label?: string | null | undefined;
      metadata?: Record<string, string> | null | undefined;
      orderRef?: string | null | undefined;
      pricingCurrency?: "USD" | "USDT" | null | undefined;
      reusable?: boolean | null | undefined;
      settlementAccountId?: string | null | undefined;
      successUrl?: string | null | undefined;
    };
    answer: CreatedDepositAddress;
  };
  /** Retrieve a charge */
  "GET /v1/deposit-addresses/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: DepositAddress;
  };
  /** Accept what an order has received as the whole of it */
  "POST /v1/deposit-addresses/{id}/accept": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      /** Why the merchant takes what has arrived for the whole: kept with the order and told to nobody else. */
      reason?: string | null | undefined;
    };
    answer: DepositAddress;
  };
  /** Archive a charge that is not wanted any more */
  "POST /v1/deposit-addresses/{id}/archive": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: DepositAddress;
  };
  /** Give an order or an open address more time */
  "POST /v1/deposit-addresses/{id}/extend": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      /** By how many seconds `expires_at` and the end of the late window move. `expires_at` ends at most 90 days behind `created_at`. */
      seconds: number;
    };
    answer: DepositAddress;
  };
  /** List deposits */
  "GET /v1/deposits": {
    path: undefined;
    query: {
      /** The page, counted from 1. */
      page?: number | undefined;
      /** Rows on a page. */
      limit?: number | undefined;
      status?: "DETECTED" | "CONFIRMING" | "CONFIRMED" | "STUCK" | "REORG_PENDING" | "FAILED" | undefined;
      currency?: "USDT" | "TRX" | undefined;
      depositAddressId?: string | undefined;
      orderRef?: string | undefined;
      /** The transaction's id on the chain: 64 hex characters, in any case. */
      txHash?: string | undefined;
      from?: string | undefined;
      to?: string | undefined;
    };
    body: undefined;
    answer: Deposit[];
  };
  /** Retrieve a deposit */
  "GET /v1/deposits/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: Deposit;
  };
  /** Look up what became of a transaction */
  "GET /v1/lookup": {
    path: undefined;
    query: {
      /** The page, counted from 1. */
      page?: number | undefined;
      /** Rows on a page. */
      limit?: number | undefined;
      /** The transaction's id on the chain: 64 hex characters, in any case. */
      txHash: string;
    };
    body: undefined;
    answer: LookupRow[];
  };
  /** List webhook deliveries */
  "GET /v1/webhooks/deliveries": {
    path: undefined;
    query: {
      /** The page, counted from 1. */
      page?: number | undefined;
      /** Rows on a page. */
      limit?: number | undefined;
      status?: "PENDING" | "SENDING" | "DELIVERED" | "FAILED" | "EXHAUSTED" | undefined;
      referenceId?: string | undefined;
    };
    body: undefined;
    answer: WebhookDelivery[];
  };
  /** Retrieve a webhook delivery */
  "GET /v1/webhooks/deliveries/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookDeliveryDetail;
  };
  /** Send a delivery once more */
  "POST /v1/webhooks/deliveries/{id}/resend": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookDelivery;
  };
  /** List webhook endpoints */
  "GET /v1/webhooks/endpoints": {
    path: undefined;
    query: {
      /** The page, counted from 1. */
      page?: number | undefined;
      /** Rows on a page. */
      limit?: number | undefined;
      status?: "active" | "disabled" | undefined;
    };
    body: undefined;
    answer: WebhookEndpoint[];
  };
  /** Create a webhook endpoint */
  "POST /v1/webhooks/endpoints": {
    path: undefined;
    query: undefined;
    body: {
      description?: string | null | undefined;
      /** Event types: deposit.detected, deposit.confirming, deposit.confirmed, deposit.unmatched, deposit.stuck, deposit.reorged, deposit.failed, order.paid, order.underpaid, order.overpaid, order.expired, order.paid_late, order.accepted, webhook.test. */
      eventTypes?: string[] | undefined;
      url: string;
    };
    answer: CreatedWebhookEndpoint;
  };
  /** Retrieve a webhook endpoint */
  "GET /v1/webhooks/endpoints/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WebhookEndpoint;
  };
  /** Update a webhook endpoint */
  "PATCH /v1/webhooks/endpoints/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      description?: string | null | undefined;
      /** Event types: deposit.detected, deposit.confirming, deposit.confirmed, deposit.unmatched, deposit.stuck, deposit.reorged, deposit.failed, order.paid, order.underpaid, order.overpaid, order.expired, order.paid_late, order.accepted, webhook.test. */
      eventTypes?: string[] | undefined;
      isActive?: boolean | undefined;
      url?: string | undefined;
    };
    answer: WebhookEndpoint;
  };
  /** Delete a webhook endpoint */
  "DELETE /v1/webhooks/endpoints/{id}": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      deleted: true;
      id: string;
    };
  };
  /** Give a webhook endpoint a new secret */
  "POST /v1/webhooks/endpoints/{id}/rotate-secret": {
    path: {
      id: string;
    };
    query: undefined;
    body: {
      /** For how many seconds deliveries are signed with the secret before too; 86400, a day, where it is not given. */
      overlapSeconds?: number | null | undefined;
    };
    answer: RotatedWebhookEndpoint;
  };
  /** Send a test event and wait for the answer */
  "POST /v1/webhooks/endpoints/{id}/test": {
    path: {
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      durationMs: number;
      error?: string;
      ok: boolean;
      statusCode?: number;
    };
  };
};
