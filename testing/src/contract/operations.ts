import type { ContractRow, Mutation } from "./contract-row.ts";
import { fieldsProof } from "./fields.ts";

const CHARGE_TESTS = "server/src/charges/routes.db.test.ts";
const WEBHOOK_TESTS = "server/src/webhooks/routes.db.test.ts";
const FEED_TESTS = "server/src/webhooks/events/routes.db.test.ts";
const RECEIVER_TESTS = "server/src/webhooks/receivers/routes.db.test.ts";
const OPERATION_TESTS = "server/src/webhooks/operations.db.test.ts";
const SETTLEMENT_TESTS = "server/src/settlement/routes.db.test.ts";
const LEDGER_TESTS = "server/src/ledger/routes.db.test.ts";
const RULE_TESTS = "server/src/service-tests/contract-rules.db.test.ts";

/** The mutation that does not register the route. */
const unregistered = (folder: string, call: string): readonly Mutation[] => [
  { file: `server/src/${folder}/routes.ts`, from: `\n  ${call};`, to: "" },
];

/** Every operation, by its name in the OpenAPI document. */
export const contractOperations: Readonly<Record<string, ContractRow>> = {
  createDepositAddress: {
    row: "POST /v1/deposit-addresses",
    proof: [CHARGE_TESTS, "returns 201 Created with the fields of the contract and the additions"],
    mutations: unregistered("charges", "createRoute(app, context)"),
  },
  listDepositAddresses: {
    row: "GET /v1/deposit-addresses",
    proof: [CHARGE_TESTS, "pages newest first, counts exactly and stays within the caller's rows"],
    mutations: unregistered("charges", "listRoute(app, context)"),
  },
  retrieveDepositAddress: {
    row: "GET /v1/deposit-addresses/:id",
    proof: [CHARGE_TESTS, "shows the row with the money so far"],
    mutations: unregistered("charges", "retrieveRoute(app, context)"),
  },
  acceptDepositAddress: {
    row: "POST /v1/deposit-addresses/:id/accept",
    proof: [CHARGE_TESTS, "returns the row, which then counts as paid everywhere"],
    mutations: unregistered("charges", "acceptRoute(app, context)"),
  },
  askForRest: {
    row: "POST /v1/deposit-addresses/:id/rest",
    proof: [CHARGE_TESTS, "returns an order of what is missing, twice the same"],
    mutations: unregistered("charges", "restRoute(app, context)"),
  },
  extendDepositAddress: {
    row: "POST /v1/deposit-addresses/:id/extend",
    proof: [CHARGE_TESTS, "returns the row with its new end"],
    mutations: unregistered("charges", "extendRoute(app, context)"),
  },
  archiveDepositAddress: {
    row: "POST /v1/deposit-addresses/:id/archive",
    proof: [CHARGE_TESTS, "returns the archived row, twice the same"],
    mutations: unregistered("charges", "archiveRoute(app, context)"),
  },
  listDeposits: {
    row: "GET /v1/deposits",
    proof: [RULE_TESTS, "is narrowed by each filter, and by all of them together"],
    mutations: unregistered("deposits", "listRoute(app, context)"),
  },
  retrieveDeposit: {
    row: "GET /v1/deposits/:id",
    proof: fieldsProof("a deposit"),
    mutations: unregistered("deposits", "retrieveRoute(app, context)"),
  },
  lookUpTransaction: {
    row: "GET /v1/lookup",
    proof: [
      "server/src/deposits/lookup.db.test.ts",
      "returns every deposit that it made to the merchant, with its status",
    ],
    mutations: unregistered("deposits", "lookupRoute(app, context)"),
  },
  listBalances: {
    row: "GET /v1/balances",
    proof: [
      LEDGER_TESTS,
      "has the confirmed, charged, settled, in-flight and waiting amounts, with the reasons",
    ],
    mutations: unregistered("ledger", "balancesRoute(app, context)"),
  },
  retrieveStatement: {
    row: "GET /v1/statements with month, format, bom, page and limit",
    proof: [
      LEDGER_TESTS,
      "adds up in JSON and in CSV, and opens with the closing balance of the previous month",
    ],
    mutations: unregistered("ledger", "statementRoute(app, context)"),
  },
  listSettlements: {
    row: "GET /v1/settlements with status, currency, page and limit",
    proof: [SETTLEMENT_TESTS, "are listed newest first, by status and by currency, and of the caller alone"],
    mutations: unregistered("settlement", "listRoute(app, context)"),
  },
  retrieveSettlement: {
    row: "GET /v1/settlements/:id",
    proof: [SETTLEMENT_TESTS, "shows its sweeps with their transactions and costs"],
    mutations: unregistered("settlement", "retrieveRoute(app, context)"),
  },
  listSettlementAccounts: {
    row: "GET /v1/settlement-accounts",
    proof: [LEDGER_TESTS, "are listed with the default first, page by page"],
    mutations: [
      { file: "server/src/app.ts", from: "    settlementAccountRoutes(scope, context);\n", to: "" },
    ],
  },
  createWebhookEndpoint: {
    row: "POST /v1/webhooks/endpoints",
    proof: [
      WEBHOOK_TESTS,
      "answers 201 with the contract's row and the secret, which no other answer contains",
    ],
    mutations: unregistered("webhooks", "createRoute(app, context, access)"),
  },
  listWebhookEndpoints: {
    row: "GET /v1/webhooks/endpoints",
    proof: [WEBHOOK_TESTS, "returns the newest first, page by page, and by status"],
    mutations: unregistered("webhooks", "listEndpointsRoute(app, context)"),
  },
  retrieveWebhookEndpoint: {
    row: "GET /v1/webhooks/endpoints/:id",
    proof: fieldsProof("a webhook endpoint"),
    mutations: unregistered("webhooks", "retrieveEndpointRoute(app, context)"),
  },
  updateWebhookEndpoint: {
    row: "PATCH /v1/webhooks/endpoints/:id",
    proof: [WEBHOOK_TESTS, "changes only the given fields, and never the secret"],
    mutations: unregistered("webhooks", "updateRoute(app, context, access)"),
  },
  deleteWebhookEndpoint: {
    row: "DELETE /v1/webhooks/endpoints/:id",
    proof: [
      WEBHOOK_TESTS,
      "deleting an endpoint erases its secret; afterwards every path of it is 404 and its log stays",
    ],
    mutations: unregistered("webhooks", "deleteRoute(app, context)"),
  },
  sendTestEvent: {
    row: "POST /v1/webhooks/endpoints/:id/test",
    proof: [WEBHOOK_TESTS, "delivers a signed webhook.test once and logs it without a reference"],
    mutations: unregistered("webhooks", "testRoute(app, context, { access, limiter })"),
  },
  simulatePayment: {
    row: "POST /v1/test/deposit-addresses/:id/simulate, on a devnet",
    proof: ["server/src/simulation/routes.db.test.ts", "is on the chain, exactly as in the answer"],
    mutations: [
      {
        file: "server/src/app.ts",
        from: '    if (config.chain.network === "devnet") simulationRoutes(scope, context);\n',
        to: "",
      },
    ],
  },
  rotateWebhookSecret: {
    row: "POST /v1/webhooks/endpoints/:id/rotate-secret",
    proof: [
      OPERATION_TESTS,
      "returns the new one once, and for a day deliveries and tests are signed with both",
    ],
    mutations: unregistered("webhooks", "rotateSecretRoute(app, context)"),
  },
  listWebhookDeliveries: {
    row: "GET /v1/webhooks/deliveries",
    proof: [WEBHOOK_TESTS, "filters by status and reference, with exact totals"],
    mutations: unregistered("webhooks/deliveries", "listDeliveriesRoute(app, context)"),
  },
  retrieveWebhookDelivery: {
    row: "GET /v1/webhooks/deliveries/:id",
    proof: [WEBHOOK_TESTS, "returns the contract's rows, and on retrieve the attempts"],
    mutations: unregistered("webhooks/deliveries", "retrieveDeliveryRoute(app, context)"),
  },
  resendWebhookDelivery: {
    row: "POST /v1/webhooks/deliveries/:id/resend",
    proof: [OPERATION_TESTS, "that was DELIVERED sends the same bytes again, and is DELIVERED again"],
    mutations: unregistered("webhooks/deliveries", "resendRoute(app, context, limiter)"),
  },
  resendWebhookDeliveries: {
    row: "POST /v1/webhooks/deliveries/resend",
    proof: [RECEIVER_TESTS, "sends what was not delivered once more, oldest first and 50 ms apart"],
    mutations: unregistered("webhooks/deliveries", "resendManyRoute(app, context, limiter)"),
  },
  recoverWebhookEndpoint: {
    row: "POST /v1/webhooks/endpoints/:id/recover",
    proof: [RECEIVER_TESTS, "sends what the endpoint did not accept, also from before it was created"],
    mutations: unregistered("webhooks/receivers", "recoverRoute(app, context, shared)"),
  },
  retrieveWebhookEndpointHealth: {
    row: "GET /v1/webhooks/endpoints/:id/health",
    proof: [RECEIVER_TESTS, "says what the last day was like, since when it fails and what waits"],
    mutations: unregistered("webhooks/receivers", "healthRoute(app, context, shared)"),
  },
  listEvents: {
    row: "GET /v1/events?after, types, limit",
    proof: [
      FEED_TESTS,
      "has every event in the order of its writing, page by page, with the body of its webhook",
    ],
    mutations: unregistered("webhooks/events", "listEventsRoute(app, context)"),
  },
  retrieveEvent: {
    row: "GET /v1/events/:id",
    proof: [
      FEED_TESTS,
      "an event is retrieved by its id, with the body of its webhook, and is 404 of another merchant",
    ],
    mutations: unregistered("webhooks/events", "retrieveEventRoute(app, context)"),
  },
  retrieveCheckout: {
    row: "GET /v1/checkout/:token",
    proof: [
      "server/src/checkout/routes.db.test.ts",
      "returns the whole projection of an order, from its row",
    ],
    mutations: unregistered("checkout", "projectionRoute(app, parts)"),
  },
  requoteCheckout: {
    row: "POST /v1/checkout/:token/requote",
    proof: [
      "server/src/checkout/requote.db.test.ts",
      "returns the projection with a fresh quote after the last one lapsed, and moves no expiry",
    ],
    mutations: unregistered("checkout", "requoteRoute(app, parts)"),
  },
  lookUpCheckoutTransaction: {
    row: "POST /v1/checkout/:token/lookup",
    proof: [
      "server/src/checkout/lookup/lookup.db.test.ts",
      "is counted once it is final, and seen with its confirmations before that",
    ],
    mutations: [
      {
        file: "server/src/checkout/lookup/routes.ts",
        from: 'app.post("/v1/checkout/:token/lookup", options,',
        to: 'app.post("/v1/checkout/:token/look-up", options,',
      },
    ],
  },
  simulateCheckoutPayment: {
    row: "POST /v1/checkout/:token/simulate, on a devnet",
    proof: [
      "server/src/simulation/routes.db.test.ts",
      "needs a checkout token, has a limit per minute, and exists on a devnet alone",
    ],
    mutations: [
      {
        file: "server/src/app.ts",
        from: '    if (config.chain.network === "devnet") payerSimulationRoute(scope, context);\n',
        to: "",
      },
    ],
  },
};
