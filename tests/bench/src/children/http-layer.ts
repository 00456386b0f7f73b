import { randomBytes } from "node:crypto";
import { createdCharge, toCreatedCharge } from "@daric/charges/api/row/schema";
import { createBody, toChargeRequest } from "@daric/charges/api/schema";
import { newCheckoutToken } from "@daric/charges/checkout-token";
import { apiScopes } from "@daric/domain/api-scope";
import { nameOfCaller } from "@daric/domain/caller";
import { idOf } from "@daric/domain/ids";
import { createAdmission } from "@daric/http/admission";
import { admitRequests } from "@daric/http/admit-requests";
import type { ApiApp } from "@daric/http/api-app";
import { createFailureBudget, requireApiKey } from "@daric/http/authenticate";
import { created, createdOf, writeAsItIs } from "@daric/http/envelope";
import { createRateLimiter } from "@daric/http/rate-limit";
import { createServer } from "@daric/http/server";
import { findKeyPrefix, hashApiKey, isOldApiKey } from "@daric/merchants/api-key";
import { createFindCaller } from "@daric/merchants/find-caller";
import type { Database } from "@daric/postgres/sql";
import { systemClock } from "@daric/runtime/clock";
import { createDatabaseOutage } from "@daric/runtime/database-outage";
import { createLogger, standardOutput } from "@daric/runtime/logger";
import { createRecentErrors } from "@daric/runtime/recent-errors";
import { processVariables, readConfig } from "@daric/server/process/config";
import { createMetrics } from "@daric/server/process/metrics";
import { serveCommands } from "./serve-commands.ts";

/** Create with its HTTP layer and key, on a database that answers at once. */
const variables = processVariables();
const config = readConfig(variables, ["api"]);
const liveKey = {
  id: "0190a5f0-0000-7000-8000-000000000001",
  merchantId: "0190a5f0-0000-7000-8000-000000000002",
  secretHash: hashApiKey(config.merchants.keyPepper, variables.BENCH_API_KEY ?? ""),
  scopes: apiScopes,
  validForMs: 4_000,
  isUseDue: false,
};
const db: Database = {
  query: async <Row>() => [liveKey] as Row[],
  transaction: () => Promise.reject(new Error("nothing here needs a transaction")),
  answeringWithin: () => db,
  forTenant: () => db,
  close: async () => {},
};
const log = createLogger({ level: config.runtime.logLevel, role: "api", destination: standardOutput() });
const context = {
  config,
  db,
  clock: systemClock,
  log,
  recentErrors: createRecentErrors(),
  databaseOutage: createDatabaseOutage({ log, clock: systemClock, ping: async () => {} }),
  metrics: createMetrics({ processMetrics: true }),
  checkoutKey: randomBytes(32),
};
const { http } = config;

const app = createServer(context);
const findCaller = createFindCaller(context);
app.register(async (scope: ApiApp) => {
  requireApiKey(scope, {
    findPrefix: (text: string) =>
      findKeyPrefix(text, { peppers: [config.merchants.keyPepper], environment: config.environment }),
    isForgeable: isOldApiKey,
    recallCaller: findCaller.recall,
    findCaller,
    perKey: createRateLimiter({
      perSecond: http.keyRequestsPerSecond,
      burst: http.keyBurst,
      clock: systemClock,
    }),
    failures: createFailureBudget({ perMinute: http.failuresPerMinute, clock: systemClock }),
  });
  admitRequests(scope, createAdmission(context), ({ caller }) => ({
    group: caller.merchantId,
    name: nameOfCaller(caller),
  }));
  scope.post(
    "/v1/deposit-addresses",
    {
      config: { scope: "charges:write" },
      schema: { body: createBody, response: { 201: createdOf(createdCharge) } },
      serializerCompiler: () => writeAsItIs,
    },
    async ({ caller, body }, reply) => {
      const charge = {
        id: idOf("charge", liveKey.id),
        address: "TJQC6ECxwJBqgGRZVPfohYqFXYAane2wC4",
        chain: "tron",
        status: "ACTIVE",
        expiresAt: new Date(),
        feeMode: "merchant",
        expectedAmount: null,
        payAmount: null,
        quote: null,
        checkoutToken: newCheckoutToken(context.checkoutKey),
        // Node 20 takes about 1 µs for each property after a spread.
        ...toChargeRequest(body, caller, config.webhooks.masterKey),
      } as const;
      return reply.code(201).send(created(toCreatedCharge(charge, http.publicBaseUrl)));
    },
  );
});
await serveCommands(app);
