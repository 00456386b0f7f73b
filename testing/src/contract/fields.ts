import type { Proof } from "./contract-row.ts";

/** The code that makes a field: the property after each `anchor`; without it the response lacks the field. */
export type FieldSource = { readonly file: string; readonly anchor: string | readonly string[] };

/** The expected value, its pattern, or a predicate. */
export type Expected = RegExp | ((value: unknown) => boolean) | string | number | boolean | null | object;

export type ContractField = { readonly source: FieldSource; readonly expected: Expected };

/** A resource of the contract, field by field; `within` is the position inside its component. */
export type ContractResource = {
  /** its name in the OpenAPI components, and the property with the fields */
  readonly component?: string;
  readonly within?: string;
  readonly fields: Readonly<Record<string, ContractField>>;
};

const FIELDS_PROOF = "server/src/service-tests/contract-fields.db.test.ts";

export function fieldsProof(resource: string): Proof {
  return [FIELDS_PROOF, `${resource} has every field of the contract`];
}

/** The start of the failure message of a resource's test; wrong fields follow, separated by blanks. */
export const WRONG_FIELDS = "not as in the contract: ";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const derived = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const address = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const hash = /^[0-9a-f]{64}$/;
const decimal = /^\d+(\.\d{1,6})?$/;
const count = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;
const anObject = (value: unknown) => typeof value === "object" && value !== null;
const twoObjects = (value: unknown) => Array.isArray(value) && value.length === 2 && value.every(anObject);

const charges = (...anchor: string[]): FieldSource => ({ file: "server/src/charges/schema.ts", anchor });
const deposits = (anchor: string): FieldSource => ({ file: "server/src/deposits/schema.ts", anchor });
const webhooks = (anchor: string): FieldSource => ({ file: "server/src/webhooks/schema.ts", anchor });
const deliveries = (anchor: string): FieldSource => ({
  file: "server/src/webhooks/deliveries/schema.ts",
  anchor,
});
const ledger = (anchor: string): FieldSource => ({ file: "server/src/ledger/schema.ts", anchor });
const merchants = (anchor: string): FieldSource => ({ file: "server/src/merchants/routes.ts", anchor });
const checkout = (anchor: string): FieldSource => ({ file: "server/src/checkout/projection.ts", anchor });
const envelope = (anchor: string): FieldSource => ({ file: "server/src/http/envelope.ts", anchor });
const chargeData: FieldSource = {
  file: "server/src/charges/charge-event-data.ts",
  anchor: "export function chargeEventData(",
};
const orderData: FieldSource = {
  file: "server/src/charges/charge-event-data.ts",
  anchor: "    ...chargeEventData(charge),\n",
};
const orderDepositData: FieldSource = {
  file: "server/src/charges/charge-event-data.ts",
  anchor: "deposits: received.deposits.map(",
};
const depositEvents = (...anchor: string[]): FieldSource => ({
  file: "server/src/deposits/deposit-event.ts",
  anchor,
});
const eventBody: FieldSource = {
  file: "server/src/domain/webhook-event.ts",
  anchor: "export function webhookEventBody(",
};

/** A create's response is written directly; rows are serialized by their schema with the same fields. */
const createdFields = charges("const createdFields = {", "export function toCreatedCharge(");

/** An order of 100 USD in client fee mode at 1.0004, with a fee of 1 % and all optional fields. */
const created = {
  id: uuid,
  address,
  chain: "tron",
  currency: "USDT",
  status: "ACTIVE",
  expires_at: time,
  fee_mode: "client",
  expected_amount: "100.04",
  pay_amount: "101.050506",
  fiat_currency: "USD",
  fiat_amount: "100.00",
  quote_rate: "1.0004",
  quote_source: "alpha+beta+gamma",
  quote_expires_at: time,
  order_ref: "A-1042",
  success_url: "https://shop.example/thanks",
  cancel_url: "https://shop.example/cart",
  checkout_token: /^[A-Za-z0-9_-]{32,}$/,
  checkout_url: /^http:\/\/127\.0\.0\.1:3000\/c\/[A-Za-z0-9_-]{32,}$/,
  amount_due: "101.050506",
  metadata: { cart: "8842" },
  customer_ref: null,
};

const deposit = {
  id: derived,
  deposit_address_id: uuid,
  address,
  chain: "tron",
  currency: "USDT",
  amount: "25",
  status: "CONFIRMED",
  source: "log",
  tx_hash: "ab".repeat(32),
  event_index: 3,
  from_address: "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8",
  block_number: 100,
  block_hash: "cd".repeat(32),
  block_time: time,
  confirmations: 19,
  required_confirmations: 19,
  order_ref: "A-1042",
  late: false,
  unmatched: false,
  stuck_reason: null,
  failure_reason: null,
  detected_at: time,
  confirmed_at: time,
  failed_at: null,
  created_at: time,
  updated_at: time,
};

const endpoint = {
  id: uuid,
  url: /^http:\/\/127\.0\.0\.1:\d+\/hook$/,
  description: "the shop",
  event_types: ["deposit.confirmed"],
  status: "active",
  is_active: true,
  created_at: time,
  updated_at: time,
};

const delivery = {
  id: uuid,
  event_id: derived,
  event_type: "deposit.confirmed",
  endpoint_id: uuid,
  endpoint_url: /^http:\/\/127\.0\.0\.1:\d+\/hook$/,
  reference_id: derived,
  deposit_address_id: uuid,
  order_ref: "A-1042",
  status: "FAILED",
  attempt_count: 1,
  last_status_code: 500,
  last_error: "http_status",
  next_attempt_at: time,
  created_at: time,
  updated_at: time,
};

/** The data of an event of an order of 25 that 20 and 5 paid. */
const chargeEvent = {
  depositAddressId: uuid,
  address,
  orderRef: "A-1042",
  label: "counter 3",
  chain: "tron",
  currency: "USDT",
  orderAmount: "25",
  payAmount: null,
  amountReceived: "25",
  difference: "0",
  paymentState: "exact",
  feeMode: "merchant",
  metadata: null,
  fiatCurrency: null,
  fiatAmount: null,
  quoteRate: null,
};

const eventEnvelope = fieldsOf(eventBody, {
  id: derived,
  event: "order.paid",
  apiVersion: "v1",
  environment: "test",
  createdAt: time,
  sequence: 1,
  data: anObject,
});

/** Whether a field contains objects, whose fields vanish with it. */
export function hasInnerFields(expected: Expected): boolean {
  return expected === anObject || expected === twoObjects;
}

/** Every resource of the contract, and the product's own. */
export const contractResources: Readonly<Record<string, ContractResource>> = {
  "a created deposit address": {
    component: "CreatedDepositAddress",
    fields: fieldsOf(createdFields, created),
  },
  "a deposit address": {
    component: "DepositAddress",
    fields: {
      ...fieldsOf(createdFields, created),
      ...fieldsOf(charges("export const chargeRow = z"), {
        kind: "order",
        payment_status: "awaiting",
        amount_received: "0",
        amount_pending: "0",
        payment_state: "none",
        paid_late: false,
        label: "counter 3",
        rest_of: null,
        settlement_account_id: uuid,
        accepted_at: null,
        accept_reason: null,
        created_at: time,
        updated_at: time,
      }),
    },
  },
  "a balance": {
    component: "Balance",
    fields: fieldsOf(ledger("export const balanceRow = z"), {
      currency: "USDT",
      confirmed: decimal,
      fees: decimal,
      settled: "0",
      in_flight: "0",
      waiting: decimal,
      waiting_for: (value) => Array.isArray(value) && value.length === 1,
    }),
  },
  "a statement": {
    component: "Statement",
    fields: fieldsOf(ledger("export const statementRow = z"), {
      month: /^20\d\d-\d\d$/,
      from: time,
      to: time,
      is_closed: false,
      balances: twoObjects,
      entry_count: (value) => count(value) && value !== 0,
      entries: anObject,
    }),
  },
  "a balance of a statement": {
    component: "StatementBalance",
    fields: fieldsOf(ledger("const statementBalanceRow = z"), {
      currency: "USDT",
      opening: "0",
      confirmed: decimal,
      fees: decimal,
      settled: "0",
      closing: decimal,
    }),
  },
  "an entry of a statement": {
    component: "StatementEntry",
    fields: fieldsOf(ledger("const statementEntryRow = z"), {
      booked_at: time,
      kind: "deposit",
      currency: "USDT",
      amount: decimal,
      deposit_address_id: uuid,
      order_ref: "A-1042",
      deposit_id: derived,
      tx_hash: hash,
    }),
  },
  "a settlement account": {
    component: "SettlementAccount",
    fields: fieldsOf(merchants("const settlementAccountRow = z"), {
      id: uuid,
      chain: "tron",
      address,
      label: null,
      status: "active",
      is_default: true,
      created_at: time,
      updated_at: time,
    }),
  },
  "a deposit": { component: "Deposit", fields: fieldsOf(deposits("export const depositRow = z"), deposit) },
  "a row of a look-up": {
    component: "LookupRow",
    fields: fieldsOf(deposits("export const lookupRow = z"), {
      kind: "deposit",
      deposit: anObject,
      deposit_address: anObject,
    }),
  },
  "the charge of a deposit": {
    component: "PaidDepositAddress",
    fields: fieldsOf(deposits("const paidCharge = z"), {
      id: uuid,
      kind: "order",
      status: "ACTIVE",
      payment_status: "paid",
      payment_state: "exact",
      amount_due: "25",
      amount_received: "25",
      currency: "USDT",
      order_ref: "A-1042",
      customer_ref: null,
      rest_of: null,
      expires_at: time,
    }),
  },
  "a webhook endpoint": {
    component: "WebhookEndpoint",
    fields: fieldsOf(webhooks("export const endpointRow = z"), endpoint),
  },
  "a created webhook endpoint": {
    component: "CreatedWebhookEndpoint",
    fields: {
      ...fieldsOf(webhooks("export const endpointRow = z"), endpoint),
      ...fieldsOf(webhooks("export const createdEndpointRow = "), { secret: /^whsec_[0-9a-f]{64}$/ }),
    },
  },
  "a webhook endpoint with a rotated secret": {
    component: "RotatedWebhookEndpoint",
    fields: {
      ...fieldsOf(webhooks("export const endpointRow = z"), endpoint),
      ...fieldsOf(webhooks("export const createdEndpointRow = "), { secret: /^whsec_[0-9a-f]{64}$/ }),
      ...fieldsOf(webhooks("export const rotatedEndpointRow = "), { previous_secret_expires_at: time }),
    },
  },
  "a deleted webhook endpoint": {
    fields: fieldsOf(webhooks("export const deletedEndpoint = "), { id: uuid, deleted: true }),
  },
  "the result of a test event": {
    component: "WebhookTestResult",
    fields: fieldsOf(webhooks("export const testResult = z"), {
      ok: false,
      statusCode: 500,
      durationMs: count,
      error: /^The receiver answered, .* \(http_status\)\.$/,
      endpointStatus: "disabled",
    }),
  },
  "a webhook delivery in a list": {
    component: "WebhookDelivery",
    fields: {
      ...fieldsOf(deliveries("const deliveryFields = {"), delivery),
      ...fieldsOf(deliveries("export const deliveryRow = z"), { attempts: 1 }),
    },
  },
  "a webhook delivery": {
    component: "WebhookDeliveryDetail",
    fields: {
      ...fieldsOf(deliveries("const deliveryFields = {"), delivery),
      ...fieldsOf(deliveries("export const deliveryDetail = z"), { attempts: anObject }),
    },
  },
  "an attempt": {
    component: "WebhookAttempt",
    fields: fieldsOf(deliveries("const attemptRow = z"), {
      number: 1,
      trigger: "schedule",
      status_code: 500,
      response_snippet: "broken",
      error: "http_status",
      duration_ms: count,
      attempted_at: time,
    }),
  },
  "the checkout projection": {
    component: "Checkout",
    fields: fieldsOf(checkout("  return {\n    state:"), {
      state: "paid",
      merchant: anObject,
      order: anObject,
      payment: anObject,
      status: anObject,
    }),
  },
  "merchant of the checkout projection": {
    component: "Checkout",
    within: "merchant",
    fields: fieldsOf(checkout("    merchant: {"), {
      name: "Blue Bottle Books",
      logoUrl: /^http:\/\/127\.0\.0\.1:3000\/checkout\/logos\/[0-9a-f]{64}$/,
      accentColor: "#0b5fff",
    }),
  },
  "order of the checkout projection": {
    component: "Checkout",
    within: "order",
    fields: fieldsOf(checkout("function projectOrder("), {
      ref: "A-1042",
      amount: "100.04",
      payAmount: "101.050506",
      currency: "USDT",
      feeMode: "client",
      successUrl: "https://shop.example/thanks",
      cancelUrl: "https://shop.example/cart",
      fiatCurrency: "USD",
      fiatAmount: "100.00",
      quoteRate: "1.0004",
      quoteExpiresAt: time,
    }),
  },
  "payment of the checkout projection": {
    component: "Checkout",
    within: "payment",
    fields: fieldsOf(checkout("    payment: {"), { address, chain: "tron", expiresAt: time }),
  },
  "status of the checkout projection": {
    component: "Checkout",
    within: "status",
    fields: fieldsOf(checkout('): CheckoutProjection["status"] {'), {
      depositStatus: "CONFIRMED",
      confirmations: 19,
      requiredConfirmations: 19,
      amountReceived: "101.050506",
      paymentState: "exact",
      txHash: hash,
      confirmedAt: time,
    }),
  },
  "a look-up of a checkout": {
    component: "CheckoutLookup",
    fields: fieldsOf(
      {
        file: "server/src/checkout/lookup/schema.ts",
        anchor: ["export const lookupAnswer = z", "export function toLookupAnswer("],
      },
      {
        result: "counted",
        amount: "101.050506",
        currency: "USDT",
        confirmations: null,
        requiredConfirmations: null,
        addressEnd: null,
        retryAfterSeconds: null,
      },
    ),
  },
  "a refusal": {
    component: "Error",
    fields: fieldsOf(envelope("  const details = "), {
      success: false,
      message: 'amount must be a string in quotes: "1", not 1 (money is never a number)',
      error: anObject,
      correlationId: "order 7",
    }),
  },
  "an order event": { component: "OrderEvent", fields: eventEnvelope },
  "data of an order event": {
    component: "OrderEvent",
    within: "data",
    fields: {
      ...fieldsOf(chargeData, chargeEvent),
      ...fieldsOf(orderData, {
        paidLate: false,
        expiresAt: time,
        paidAt: time,
        deposits: anObject,
        // The samples share a reference, and each is paid.
        orderRefPaid: (value: unknown) => typeof value === "boolean",
        restOf: null,
        restCompletes: false,
      }),
    },
  },
  "a deposit of an order event": {
    fields: fieldsOf(orderDepositData, { depositId: derived, txHash: hash, amount: "20", confirmedAt: time }),
  },
  "a deposit event": {
    component: "DepositEvent",
    fields: { ...eventEnvelope, event: { source: eventBody, expected: "deposit.confirmed" } },
  },
  "data of a deposit event": {
    component: "DepositEvent",
    within: "data",
    fields: {
      ...fieldsOf(chargeData, chargeEvent),
      ...fieldsOf(depositEvents('): Omit<DepositEventData, "confirmedAt"> {'), {
        depositId: derived,
        amount: "20",
        currency: "TRX",
        txHash: hash,
        eventIndex: 0,
        blockNumber: 100,
        blockHash: hash,
        confirmations: 19,
        requiredConfirmations: 19,
        previousStatus: "CONFIRMING",
        late: false,
        unmatched: false,
        detectedAt: time,
      }),
      ...fieldsOf(
        depositEvents('): Omit<DepositEventData, "confirmedAt"> {', "export function depositConfirmedEvent("),
        {
          status: "CONFIRMED",
        },
      ),
      ...fieldsOf(depositEvents("export function depositConfirmedEvent("), { confirmedAt: time }),
    },
  },
};

function fieldsOf(
  source: FieldSource,
  expected: Readonly<Record<string, Expected>>,
): Readonly<Record<string, ContractField>> {
  return Object.fromEntries(
    Object.entries(expected).map(([name, value]) => [name, { source, expected: value }]),
  );
}
