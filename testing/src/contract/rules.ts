import type { ContractRow, Mutation, Proof } from "./contract-row.ts";

const SENT = "SENT_AMOUNT_PATTERN = /^(0|";

const rules = (title: string): Proof => ["server/src/service-tests/contract-rules.db.test.ts", title];
const charges = (title: string): Proof => ["server/src/charges/routes.db.test.ts", title];
const webhooks = (title: string): Proof => ["server/src/webhooks/routes.db.test.ts", title];
const announced = (title: string): Proof => ["server/src/deposits/announce-changes.db.test.ts", title];
const inDomain = (file: string, title: string): Proof => [`server/src/domain/${file}.test.ts`, title];

const mutation = (file: string, from: string, to: string): Mutation => ({
  file: `server/src/${file}`,
  from,
  to,
});
const row = (text: string, proof: Proof, ...mutations: readonly Mutation[]): ContractRow => ({
  row: text,
  proof,
  mutations,
});

const settings = rules("limits and times have the product's defaults");
const preset = (file: string, env: string, from: string, to: string): Mutation => {
  const line = (read: string) => `env: "${env}",\n    ${read}`;
  return mutation(file, line(from), line(to));
};

const lists: readonly ContractRow[] = [
  row(
    "page: default 1",
    rules("shows page 1 with 20 rows by default"),
    mutation("http/pagination.ts", "preset: 1,", "preset: 2,"),
  ),
  row(
    "limit: default 20",
    rules("shows page 1 with 20 rows by default"),
    mutation("http/pagination.ts", "DEFAULT_LIMIT = 20", "DEFAULT_LIMIT = 21"),
  ),
  row(
    "limit: 1 to 100",
    rules("takes a limit of 1 to 100 and a page from 1 on, and no other values"),
    mutation("http/pagination.ts", "MAX_LIMIT = 100", "MAX_LIMIT = 101"),
    mutation("http/pagination.ts", "MAX_LIMIT = 100", "MAX_LIMIT = 99"),
    mutation("http/pagination.ts", "minimum: 1,\n  maximum: MAX_LIMIT", "minimum: 0,\n  maximum: MAX_LIMIT"),
  ),
  row(
    "page: at least 1",
    rules("takes a limit of 1 to 100 and a page from 1 on, and no other values"),
    mutation("http/pagination.ts", "minimum: 1,\n  maximum: Number", "minimum: 0,\n  maximum: Number"),
  ),
  row(
    "GET /v1/deposit-addresses?status, chain, kind",
    rules("is narrowed by status, chain and kind, each alone and all together"),
    mutation("charges/schema.ts", "  status: z.enum(chargeStatuses).optional(),\n", ""),
    mutation("charges/schema.ts", "  chain: z.enum(chains).optional(),\n", ""),
    mutation("charges/schema.ts", "  kind: z.enum(chargeKinds).optional(),\n", ""),
  ),
  row(
    "GET /v1/deposit-addresses?kind=order carries payment_status",
    charges("has payment_status with kind=order and not without"),
    mutation("charges/routes.ts", 'withPaymentStatus: kind === "order"', "withPaymentStatus: false"),
  ),
  row(
    "GET /v1/deposit-addresses?orderRef",
    charges("finds the charges of an order reference"),
    mutation("charges/schema.ts", "  orderRef: text(MAX_TEXT).optional(),\n", ""),
  ),
  row(
    "GET /v1/deposit-addresses?customerRef",
    charges("finds or makes one standing address for each customerRef, which the list finds"),
    mutation("charges/schema.ts", "  customerRef: text(MAX_TEXT).optional(),\n", ""),
  ),
  row(
    "GET /v1/deposit-addresses?paymentStatus",
    charges("finds the orders of a payment status, which each row then shows"),
    mutation("charges/schema.ts", "  paymentStatus: z.enum(orderPaymentStatuses).optional(),\n", ""),
    mutation("charges/routes.ts", " || paymentStatus !== undefined", ""),
    mutation("charges/payment-status-store.ts", "} then 'paid'", "} and false then 'paid'"),
    mutation("charges/payment-status-store.ts", "when charge.status = 'ARCHIVED'", "when false"),
  ),
  row(
    "GET /v1/deposit-addresses?from, to",
    charges("lists what was made from `from` on and before `to`, with exact totals"),
    mutation("charges/schema.ts", "  from: moment.optional(),\n", ""),
    mutation("charges/schema.ts", "  to: moment.optional(),\n", ""),
  ),
  row(
    "GET /v1/deposits?status, currency, depositAddressId, orderRef, txHash, from, to",
    rules("is narrowed by each filter, and by all of them together"),
    ...[
      "status: z.enum(depositStatuses)",
      "currency: z.enum(currencies)",
      'depositAddressId: uuid("charge")',
    ].map((field) => mutation("deposits/schema.ts", `  ${field}.optional(),\n`, "")),
    ...["orderRef: text(MAX_ORDER_REF)", "txHash: txHash", "from: moment", "to: moment"].map((field) =>
      mutation("deposits/schema.ts", `  ${field}.optional(),\n`, ""),
    ),
  ),
  row(
    "GET /v1/webhooks/deliveries?status, referenceId",
    webhooks("filters by status and reference, with exact totals"),
    mutation("webhooks/deliveries/schema.ts", "  status: z.enum(webhookDeliveryStatuses).optional(),\n", ""),
    mutation(
      "webhooks/deliveries/schema.ts",
      '  referenceId: uuid("deposit", "charge", "endpoint").optional(),\n',
      "",
    ),
  ),
  row(
    "GET /v1/webhooks/deliveries?endpointId, orderRef",
    webhooks("name the endpoint and the order, and are filtered by both"),
    mutation("webhooks/deliveries/schema.ts", '\n  endpointId: uuid("endpoint").optional(),', ""),
    mutation("webhooks/deliveries/schema.ts", "  orderRef: text(MAX_ORDER_REF).optional(),\n", ""),
  ),
  row(
    "GET /v1/webhooks/endpoints?status",
    webhooks("returns the newest first, page by page, and by status"),
    mutation(
      "webhooks/schema.ts",
      'listQueryOf("endpoint").extend({ status: endpointStatus.optional() })',
      'listQueryOf("endpoint")',
    ),
  ),
  row(
    "GET /v1/lookup?txHash",
    [
      "server/src/deposits/lookup.db.test.ts",
      "is an empty list if it paid no address of ours, or another merchant",
    ],
    mutation("deposits/list-store.ts", "return sql`d.merchant_id = ", "return sql`d.merchant_id <> "),
  ),
];

const envelopes: readonly ContractRow[] = [
  row(
    "success, message Success and Created, data; meta of lists",
    rules("of a read has success, Success and data, of a create Created, of a list also meta"),
    mutation("http/envelope.ts", 'message: "Created" as const', 'message: "Success" as const'),
    mutation(
      "http/envelope.ts",
      'return { success: true as const, message: "Success" as const, data };',
      "return { data };",
    ),
    mutation("http/envelope.ts", "    meta: { page, limit, total },\n", ""),
  ),
  row(
    "error: code, docUrl, details",
    ["server/src/service-tests/refusals.db.test.ts", "each refusal names the fault and the way out"],
    mutation(
      "http/envelope.ts",
      "error: { code: error.code, docUrl, ...details }",
      "error: { code: error.code, ...details }",
    ),
    mutation(
      "http/envelope.ts",
      "error: { code: error.code, docUrl, ...details }",
      "error: { code: error.code, docUrl }",
    ),
  ),
  row(
    "create answers 201",
    charges("returns 201 Created with the fields of the contract and the additions"),
    mutation(
      "charges/routes.ts",
      "reply.code(201).send(created(toCreatedCharge(",
      "reply.code(200).send(created(toCreatedCharge(",
    ),
  ),
];

const creating: readonly ContractRow[] = [
  row(
    "chain: tron (default); currency: USDT (default) or TRX",
    rules("is for USDT on tron by default"),
    mutation("charges/schema.ts", 'body.currency ?? "USDT"', 'body.currency ?? "TRX"'),
    mutation("charges/schema.ts", 'chains = ["tron"]', 'chains = ["other"]'),
  ),
  row(
    "amount makes an order, reusable a receive address, neither an open address",
    rules("makes an order with an amount, a receive address if reusable, else an open address"),
    mutation(
      "charges/routes.ts",
      "body.reusable ? findOrCreateReceiveAddress : createCharge",
      "createCharge",
    ),
  ),
  row(
    "orderRef, label: at most 120",
    rules("takes orderRef and label of at most 120 characters"),
    mutation("charges/schema.ts", "MAX_TEXT = 120", "MAX_TEXT = 121"),
    mutation("charges/schema.ts", "MAX_TEXT = 120", "MAX_TEXT = 119"),
  ),
  row(
    "successUrl, cancelUrl: at most 2048",
    rules("takes return URLs of at most 2,048 characters"),
    mutation("http/validate.ts", "MAX_URL_LENGTH = 2048", "MAX_URL_LENGTH = 2049"),
    mutation("http/validate.ts", "MAX_URL_LENGTH = 2048", "MAX_URL_LENGTH = 2047"),
  ),
  row(
    "successUrl, cancelUrl: http or https",
    charges("a wrong %s: %j"),
    mutation("http/validate.ts", "/^https?:\\/\\//i.test(value)", "/^(https?|ftp):\\/\\//i.test(value)"),
  ),
  row(
    "amount: 12 digits, 6 decimals; USD 2",
    rules("takes amounts with at most 12 digits before the point and 6 after it, in USD 2 after it"),
    mutation("domain/money.ts", `${SENT}[1-9][0-9]{0,11}`, `${SENT}[1-9][0-9]{0,12}`),
    mutation("domain/money.ts", `${SENT}[1-9][0-9]{0,11}`, `${SENT}[1-9][0-9]{0,10}`),
    mutation("charges/schema.ts", "parseHundredths(amount", "parseAmount(amount"),
  ),
  row(
    "amount with reusable is refused",
    charges("a wrong %s: %j"),
    mutation("charges/schema.ts", "!reusable || isMissing(amount)", "true"),
  ),
  row(
    "pricingCurrency USDT with TRX is refused",
    charges("a wrong %s: %j"),
    mutation("charges/schema.ts", 'pricingCurrency !== "USDT" || currency !== "TRX"', "true"),
  ),
  row(
    "metadata: 20 keys of 40, values of 500",
    rules("takes at most 20 metadata keys of 40 characters with values of 500"),
    ...["keys: 20", "keyLength: 40", "valueLength: 500"].map((limit) =>
      mutation(
        "domain/metadata.ts",
        limit,
        limit.replace(/\d+/, (text) => String(Number(text) + 1)),
      ),
    ),
  ),
  row(
    "metadata: 2 kB together",
    charges("accepts 2,048 bytes of metadata as JSON in UTF-8, and not one more"),
    mutation("domain/metadata.ts", "bytes: 2_048", "bytes: 2_049"),
    mutation("domain/metadata.ts", "bytes: 2_048", "bytes: 2_047"),
  ),
  row(
    "apiKeyId is ignored, null is missing, unknown fields are ignored",
    charges("treats null as missing and ignores unknown fields, including a caller's apiKeyId"),
    mutation("charges/schema.ts", "chain: z.enum(chains).nullish()", "chain: z.enum(chains).optional()"),
  ),
  row(
    "reusable: the same row, 201 both times",
    charges("returns a reusable address twice with 201 and the same row"),
    mutation(
      "charges/store.ts",
      "kind = 'receive'\n        and coalesce",
      "kind = 'order'\n        and coalesce",
    ),
  ),
  row(
    "accept: a reason of at most 500",
    charges("accepts no reason, no body, and no reason of more than 500 characters"),
    mutation("charges/schema.ts", "MAX_REASON = 500", "MAX_REASON = 501"),
  ),
  row(
    "extend: at most 90 days after the creation",
    [
      "server/src/charges/extend-charge.db.test.ts",
      "ends ninety days after the creation, and a longer one changes nothing",
    ],
    mutation("domain/charge.ts", "> MAX_LIFE_SECONDS * 1_000", ">= MAX_LIFE_SECONDS * 1_000"),
  ),
  row(
    "extend: by at most 90 days",
    charges("refuses %j"),
    mutation("domain/charge.ts", "MAX_LIFE_DAYS = 90", "MAX_LIFE_DAYS = 91"),
  ),
  row(
    "USD: rate rounded up to 4 decimals, locked for 10 minutes",
    [
      "server/src/charges/usd-orders.db.test.ts",
      "is locked at the current rate, rounded up to 4 decimals, for ten minutes",
    ],
    mutation("domain/quote.ts", "QUOTE_LOCK_MS = 600_000", "QUOTE_LOCK_MS = 601_000"),
    mutation("domain/quote.ts", "(RATE_SCALE + usdE8 - 1n) / usdE8", "RATE_SCALE / usdE8"),
  ),
  row(
    "pay_amount in client fee mode",
    charges("in client fee mode returns the amount that the payer must send"),
    mutation(
      "domain/order.ts",
      'pay: feeMode === "client" ? priceForClient(expected, fee) : null',
      "pay: null",
    ),
  ),
];

const endpoints: readonly ContractRow[] = [
  row(
    "description: at most 255; url: at most 2048",
    rules("has a description of at most 255 characters and a url of at most 2,048"),
    mutation("webhooks/schema.ts", "MAX_DESCRIPTION = 255", "MAX_DESCRIPTION = 256"),
    mutation("webhooks/schema.ts", "MAX_DESCRIPTION = 255", "MAX_DESCRIPTION = 254"),
  ),
  row(
    "eventTypes: default [deposit.confirmed], at least 1",
    rules("subscribes to deposit.confirmed alone by default, and to at least one event"),
    mutation(
      "domain/webhook-event.ts",
      'defaultWebhookEventTypes: readonly WebhookEventType[] = ["deposit.confirmed"]',
      'defaultWebhookEventTypes: readonly WebhookEventType[] = ["order.paid"]',
    ),
    mutation("webhooks/schema.ts", ".min(1, ", ".min(0, "),
  ),
  row(
    "update: at least one field",
    [
      "server/src/service-tests/refusals.db.test.ts",
      "an update without a field gets a fault of the whole body",
    ],
    mutation(
      "webhooks/schema.ts",
      "Object.values(body).some((value) => value !== undefined)",
      "body !== undefined",
    ),
  ),
  row(
    "isActive sets status active or disabled",
    webhooks("changes only the given fields, and never the secret"),
    mutation("webhooks/schema.ts", 'endpoint.isActive ? "active" : "disabled"', '"active"'),
  ),
  row(
    "deposit.detected, confirming, stuck, reorged, failed: to subscribers, with each change of a deposit",
    announced(
      "is announced to its subscribers, each state once, in order, with its block and confirmations at that moment",
    ),
    mutation("deposits/deposit-event.ts", 'DETECTED: "deposit.detected"', 'DETECTED: "deposit.confirming"'),
    mutation(
      "deposits/record/record-block.ts",
      "...transfers.included, ...confirming];",
      "...transfers.included];",
    ),
  ),
  row(
    "events that can come again: an id of the block, and another when the block comes back",
    announced("and returns is announced each time that the block leaves and returns"),
    mutation(
      "deposits/deposit-event.ts",
      "occurrence > 1 ? [occurrence] : []",
      "occurrence > 9 ? [occurrence] : []",
    ),
  ),
  row(
    "dust and the other currency: announced once, when final",
    announced(
      "is announced by deposit.confirmed alone when it is dust, by deposit.unmatched alone in the other currency, and as dust of that by nothing",
    ),
    mutation("deposits/deposit-event.ts", "unmatched || dust", "unmatched"),
    mutation("deposits/deposit-event.ts", " || unmatched || ", " || "),
  ),
  row(
    "rotate-secret: default 24 h, at most 7 days",
    rules("keeps the previous secret for 86,400 s by default, and for 604,800 s at most"),
    mutation("webhooks/schema.ts", "seconds ?? DAY_SECONDS", "seconds ?? 3_600"),
    mutation(
      "webhooks/schema.ts",
      "MAX_OVERLAP_SECONDS = 7 * DAY_SECONDS",
      "MAX_OVERLAP_SECONDS = 7 * DAY_SECONDS + 1",
    ),
    mutation(
      "webhooks/schema.ts",
      "MAX_OVERLAP_SECONDS = 7 * DAY_SECONDS",
      "MAX_OVERLAP_SECONDS = 6 * DAY_SECONDS",
    ),
  ),
  row(
    "delivery: a 2xx is accepted, anything else tried again",
    inDomain("webhook-delivery", "any 2xx status is accepted, and no other"),
    mutation("domain/webhook-delivery.ts", "statusCode <= 299", "statusCode <= 300"),
    mutation("domain/webhook-delivery.ts", "statusCode >= 200 &&", "statusCode >= 199 &&"),
  ),
  row(
    "delivery states",
    inDomain("webhook-delivery", "a delivery moves along these edges and no others"),
    mutation("domain/webhook-delivery.ts", 'spent: "EXHAUSTED", lapsed', "lapsed"),
  ),
  row(
    "x-service-signature over the raw body; the Standard Webhooks trio",
    [
      "server/src/webhooks/deliveries/worker.db.test.ts",
      "a due event is delivered once, with the stored bytes and headers that stock verifiers accept",
    ],
    mutation("webhooks/sending/signature.ts", '"x-service-signature"', '"x-signature"'),
  ),
];

const keysAndHeaders: readonly ContractRow[] = [
  row(
    "X-Api-Key carries the key",
    ["server/src/service-tests/app.db.test.ts", "a valid key reads its merchant's rows"],
    mutation("http/authenticate.ts", '"x-api-key"', '"authorization"'),
  ),
  row(
    "the header alone carries the key",
    ["server/src/http/authenticate.test.ts", "is read from the header only"],
    mutation(
      "http/authenticate.ts",
      "function sentKey({ headers }: FastifyRequest): string {\n  const apiKey = headers[API_KEY_HEADER]",
      "function sentKey({ headers, query }: FastifyRequest): string {\n" +
        "  const apiKey = headers[API_KEY_HEADER] ?? (query as Record<string, string>)[API_KEY_HEADER]",
    ),
  ),
  row(
    "every key of scopes: reading and writing",
    [
      "server/src/service-tests/precedence.db.test.ts",
      "without the scope of the route it is refused, and the refusal names the missing scope",
    ],
    mutation("http/authenticate.ts", "!caller.scopes.includes(needed)", "caller.scopes.length === 0"),
  ),
  row(
    "404 of the path's id before 422 of the body",
    webhooks("reports 404 of the path before 422 of the body"),
    mutation(
      "http/authenticate.ts",
      'pathRow?.exists(request, id))) throw new ApiError("NOT_FOUND")',
      'pathRow?.exists(request, id))) throw new ApiError("ORDER_CLOSED")',
    ),
  ),
  row(
    "order of refusals",
    ["server/src/service-tests/precedence.db.test.ts", "%s before %s"],
    mutation(
      "http/authenticate.ts",
      "  const needed = request.routeOptions.config.scope;\n",
      "  refuseSpent(perKey, quota);\n  const needed = request.routeOptions.config.scope;\n",
    ),
  ),
  row(
    "another merchant's row is 404, as one that is not there",
    [
      "server/src/service-tests/foreign-ids.db.test.ts",
      "in a path gets exactly the 404 of an unknown id, on every route",
    ],
    mutation("deposits/list-store.ts", "where d.merchant_id = ", "where d.merchant_id <> "),
  ),
  row(
    "x-correlation-id of up to 128 characters is echoed",
    ["server/src/http/request-log.test.ts", "the correlation id"],
    mutation("http/request-log.ts", "{1,128}", "{1,129}"),
    mutation("http/request-log.ts", "{1,128}", "{1,127}"),
  ),
  row(
    "x-ignored-fields: at most 10 names and 500 bytes",
    [
      "server/src/http/unknown-field-warnings.test.ts",
      "are ten names at most, in 500 bytes at most: the rest is left out",
    ],
    mutation("http/unknown-field-warnings.ts", "MAX_NAMES = 10", "MAX_NAMES = 11"),
    mutation("http/unknown-field-warnings.ts", "MAX_BYTES = 500", "MAX_BYTES = 600"),
  ),
  row(
    "Retry-After with 429 and 503",
    ["server/src/http/server.test.ts", "a refusal keeps its code, status and Retry-After"],
    mutation(
      "http/error-translation.ts",
      'reply.header("retry-after", String(retryAfterSeconds))',
      "undefined",
    ),
  ),
  row(
    "RateLimit-Limit, -Remaining, -Reset",
    [
      "server/src/http/authenticate.test.ts",
      "are on every answer to a right key: 200, 403, 404, 422 and 429",
    ],
    ...["limit", "remaining", "reset"].map((name) =>
      mutation(
        "http/rate-limit.ts",
        `reply.header("ratelimit-${name}"`,
        `reply.header("x-ratelimit-${name}"`,
      ),
    ),
  ),
  row(
    "body: at most 64 kB",
    rules("has 65,536 bytes at most, and a longer one is refused"),
    mutation("http/server.ts", "BODY_LIMIT_BYTES = 64 * 1024", "BODY_LIMIT_BYTES = 64 * 1024 + 1"),
    mutation("http/server.ts", "BODY_LIMIT_BYTES = 64 * 1024", "BODY_LIMIT_BYTES = 64 * 1024 - 1"),
  ),
  row(
    "body: at most 8 deep",
    rules("is 8 deep at most, and a deeper one is refused"),
    mutation("http/parse-json.ts", "MAX_DEPTH = 8", "MAX_DEPTH = 9"),
    mutation("http/parse-json.ts", "MAX_DEPTH = 8", "MAX_DEPTH = 7"),
  ),
  row(
    "warnings: the ignored fields of the body, for test keys",
    rules("are repeated in warnings for a test key"),
    mutation("http/unknown-field-warnings.ts", "{ ...payload, warnings: sentences }", "payload"),
  ),
  row(
    "no warnings for live keys",
    rules("are in the header alone for a live key"),
    mutation("http/unknown-field-warnings.ts", 'if (environment !== "test") return;', ""),
  ),
  row(
    "a query of a read: snake_case counts as the parameter, any other name is 422",
    charges("never shows another customer's order for another spelling of a reference"),
    mutation("http/query-names.ts", "[name, snakeCase(name)]", "[name]"),
    mutation("http/authenticate.ts", "  scope.setValidatorCompiler(guardedValidatorCompiler);\n", ""),
  ),
  row(
    "a query parameter given twice is 422",
    ["server/src/service-tests/refusals.db.test.ts", "a parameter given twice"],
    mutation("http/validate.ts", 'message: "must be given once"', 'message: "is given twice"'),
  ),
  row(
    "limits of requests: key 20/s burst 40, checkout 120, requote 6, test events 6; 20 endpoints; 12 tries",
    settings,
    preset("http/settings.ts", "RATE_LIMIT_KEY_PER_SECOND", "...integerOr(20,", "...integerOr(21,"),
    preset("http/settings.ts", "RATE_LIMIT_KEY_BURST", "...integerOr(40,", "...integerOr(41,"),
    preset(
      "checkout/settings.ts",
      "RATE_LIMIT_CHECKOUT_PER_MINUTE",
      "...integerOr(120,",
      "...integerOr(121,",
    ),
    preset("checkout/settings.ts", "RATE_LIMIT_REQUOTE_PER_MINUTE", "...integerOr(6,", "...integerOr(7,"),
    preset(
      "webhooks/deliveries/settings.ts",
      "RATE_LIMIT_TEST_EVENTS_PER_MINUTE",
      "...integerOr(6,",
      "...integerOr(7,",
    ),
    preset(
      "webhooks/endpoints/settings.ts",
      "WEBHOOK_ENDPOINTS_PER_MERCHANT",
      "...integerOr(20,",
      "...integerOr(21,",
    ),
    mutation("webhooks/events/settings.ts", 'prefault("0s,5s,30s', 'prefault("0s,6s,30s'),
    preset(
      "charges/settings.ts",
      "ARCHIVE_AFTER",
      'read: durationMs.prefault("30d")',
      'read: durationMs.prefault("31d")',
    ),
  ),
  row(
    "a merchant's terms: lifetimes, late window, tolerance, cap, fee",
    [
      "server/src/merchants/merchants.db.test.ts",
      "a merchant with only a name has the default terms, which are the table's defaults",
    ],
    mutation("merchants/merchant-terms.ts", "orderLifetimeSeconds: 60 * 60", "orderLifetimeSeconds: 61 * 60"),
    mutation("merchants/merchant-terms.ts", "openLifetimeSeconds: 7 *", "openLifetimeSeconds: 8 *"),
    mutation("merchants/merchant-terms.ts", "lateWindowSeconds: 24 *", "lateWindowSeconds: 25 *"),
    mutation("merchants/merchant-terms.ts", "activeAddressCap: 10_000", "activeAddressCap: 10_001"),
  ),
];

const states: readonly ContractRow[] = [
  row(
    "deposit address: ACTIVE, EXPIRED, ARCHIVED",
    inDomain("charge", "a charge moves along these edges and no others"),
    mutation("domain/charge.ts", 'accepted: "ARCHIVED", quiet: "ARCHIVED"', 'accepted: "ARCHIVED"'),
  ),
  row(
    "deposit: six statuses",
    inDomain("deposit", "has these edges and no others"),
    mutation("domain/deposit.ts", 'FAILED: { included: "DETECTED" }', "FAILED: {}"),
  ),
  row(
    "payment_status of an order",
    ["server/src/domain/charge-state.test.ts", "the table of states"],
    mutation("domain/charge-state.ts", 'seen: ["detected"', 'seen: ["confirming"'),
  ),
  row(
    "checkout state",
    ["server/src/checkout/projection.test.ts", "has the state of the first matching rule"],
    mutation(
      "domain/charge-state.ts",
      '"underpaidLastBlocks" : "underpaid"',
      '"underpaidLastBlocks" : "waiting"',
    ),
    mutation("domain/charge-state.ts", 'return "closed"', 'return "expired"'),
    mutation("domain/charge-state.ts", 'return "overpaid"', 'return "paid"'),
    mutation(
      "domain/charge-state.ts",
      'confirming: ["confirming", "confirming"',
      'confirming: ["confirming", "awaiting"',
    ),
  ),
  row(
    "paid: due less the tolerance",
    inDomain("order", "the tolerance"),
    mutation(
      "domain/order.ts",
      "return larger(general, shareRoundedDown(due, basisPoints));",
      "return general;",
    ),
  ),
  row(
    "dust: below 0.01 USDT, 0.1 TRX",
    inDomain("deposit", "is below 0.01 USDT and below 0.1 TRX"),
    mutation("domain/asset.ts", "dust: 10_000n", "dust: 10_001n"),
    mutation("domain/asset.ts", "dust: 100_000n", "dust: 100_001n"),
  ),
  row(
    "redirects: ref and status=paid, cancelled, expired",
    [
      "server/src/checkout/page/redirects.test.ts",
      "sends paid orders to successUrl, unpaid ended ones to cancelUrl, and none while the order can be paid",
    ],
    mutation(
      "checkout/page/redirects.ts",
      'redirectTo(targets.successUrl, { status: "paid"',
      'redirectTo(targets.successUrl, { status: "expired"',
    ),
  ),
  row(
    "checkout_url: base address, /c/, token; null where there is none",
    charges("has no checkout_url without a public base URL"),
    mutation("charges/schema.ts", "publicBaseUrl === undefined ? null", 'publicBaseUrl === undefined ? ""'),
  ),
];

const workers = (title: string): Proof => ["server/src/webhooks/deliveries/worker.db.test.ts", title];
const races = (title: string): Proof => ["server/src/charges/races.db.test.ts", title];

const promises: readonly ContractRow[] = [
  row(
    "at least once: a retry has the same id",
    workers("500 and then 200: the retry has the same id and bytes, and a new signature"),
    mutation("webhooks/sending/signature.ts", '"webhook-id": eventId', '"webhook-id": String(Math.random())'),
  ),
  row(
    "delivery ends DELIVERED or EXHAUSTED",
    workers("after the last try of the schedule a delivery is EXHAUSTED and not tried again"),
    mutation(
      "domain/webhook-delivery.ts",
      'if (delayMs === undefined) return { event: "spent", delayMs: null }',
      'if (delayMs === undefined) return { event: "rejected", delayMs: 0 }',
    ),
  ),
  row(
    "order.paid once",
    [
      "server/src/charges/settle-orders.db.test.ts",
      "that pays an order archives it and announces order.paid once",
    ],
    mutation(
      "charges/settle-orders.ts",
      "    ...(await outcomeEvents(tx, settled, { paidElsewhere, completing })),",
      "",
    ),
  ),
  row(
    "order.expired of an order with nothing, order.underpaid of one that is short",
    [
      "server/src/charges/close-charges.db.test.ts",
      "of a short order is announced as order.underpaid with its deposits",
    ],
    mutation("charges/close-charges.ts", '"order.underpaid"', '"order.expired"'),
  ),
  row(
    "order.accepted alone",
    [
      "server/src/charges/accept-charge.db.test.ts",
      "is announced by order.accepted alone, once, with its deposits",
    ],
    mutation("charges/accept-by-rest.ts", 'type: "order.accepted"', 'type: "order.paid"'),
  ),
  row(
    "a paid rest accepts its order",
    ["server/src/charges/ask-for-rest.db.test.ts", "accepts its order, and says so in its order.paid"],
    mutation(
      "charges/settle-orders.ts",
      "acceptByRests(tx, orders.filter(mayHaveFamily))",
      "acceptByRests(tx, [])",
    ),
  ),
  row(
    "orderRefPaid: another charge of the reference is paid",
    [
      "server/src/charges/ask-for-rest.db.test.ts",
      "is true if another charge of its reference is paid, whichever comes first",
    ],
    mutation("charges/find-paid-elsewhere.ts", "isSettled(charge)", "false"),
  ),
  row(
    "the cap of active addresses, exactly",
    races(
      "race: of a hundred concurrent creates exactly as many succeed as the cap has room for, in either process",
    ),
    mutation("charges/store.ts", "- load.active as room", "- load.active - 1 as room"),
  ),
  row(
    "one standing address, however many ask at once",
    races("race: is one row for all, in either process"),
    mutation(
      "charges/find-or-create-receive-address.ts",
      'if (written.refusal !== "ALREADY_EXISTS") throw',
      "throw",
    ),
  ),
  row(
    "one standing address for each customer, however many ask at once",
    races("race: is one row for each customer"),
    mutation("charges/store.ts", "and coalesce(customer_ref, '') = ", "and coalesce(customer_ref, '') <> "),
  ),
  row(
    "an index is used once",
    races("race: sixty-four concurrent creates never share an index or an address, nor with an earlier one"),
  ),
  row(
    "a rate that is right and fresh, or 503",
    [
      "server/src/rates/lying-sources.db.test.ts",
      "two sources with different lies spoil no quote: an order gets a right quote or a refusal with Retry-After",
    ],
    mutation("rates/consensus.ts", "isUnique && largest.length >= quorum ? largest : undefined", "largest"),
  ),
  row(
    "a revoked key is refused within 5 s everywhere",
    [
      "server/src/service-tests/app.db.test.ts",
      "both refuse a revoked key within 5 s, and accept a new key at once",
    ],
    mutation("merchants/find-caller.ts", "MAX_AGE_MS = 4_000", "MAX_AGE_MS = 40_000"),
  ),
];

/** Queries, defaults, limits, headers, keys and states. */
export const contractRules: readonly ContractRow[] = [
  ...lists,
  ...envelopes,
  ...creating,
  ...endpoints,
  ...keysAndHeaders,
  ...states,
  ...promises,
];
