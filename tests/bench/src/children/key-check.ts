import type { ApiApp } from "@daric/http/api-app";
import { createFailureBudget, requireApiKey } from "@daric/http/authenticate";
import { createRateLimiter } from "@daric/http/rate-limit";
import { createServer } from "@daric/http/server";
import { findKeyPrefix, isOldApiKey } from "@daric/merchants/api-key";
import { createFindCaller } from "@daric/merchants/find-caller";
import { openDatabase } from "@daric/postgres/database";
import { systemClock } from "@daric/runtime/clock";
import { createDatabaseOutage } from "@daric/runtime/database-outage";
import { createLogger, standardOutput } from "@daric/runtime/logger";
import { createRecentErrors } from "@daric/runtime/recent-errors";
import { getCheckoutKey } from "@daric/server/deployment/store";
import { processVariables, readConfig } from "@daric/server/process/config";
import { createMetrics } from "@daric/server/process/metrics";
import { webhookRoutes } from "@daric/webhooks/routes";
import { serveCommands } from "./serve-commands.ts";

/** The same routes twice: /with authentication and /without. */
const variables = processVariables();
const config = readConfig(variables, ["api"]);
const db = openDatabase({
  url: config.runtime.databaseUrl,
  max: config.runtime.databasePoolMax,
  onError: () => {},
});
const log = createLogger({ level: config.runtime.logLevel, role: "api", destination: standardOutput() });
const context = {
  config,
  db,
  clock: systemClock,
  log,
  recentErrors: createRecentErrors(),
  databaseOutage: createDatabaseOutage({ log, clock: systemClock, ping: async () => {} }),
  metrics: createMetrics({ processMetrics: true }),
  checkoutKey: await getCheckoutKey(db),
};
const { http } = config;
const clock = systemClock;

const findCaller = createFindCaller(context);
const caller = await findCaller(variables.BENCH_API_KEY ?? "");
if (caller === undefined || caller === "wrong_environment") throw new Error("the key is not right");

const check = {
  recallCaller: findCaller.recall,
  findPrefix: (text: string) =>
    findKeyPrefix(text, { peppers: [config.merchants.keyPepper], environment: config.environment }),
  isForgeable: isOldApiKey,
  findCaller,
  perKey: createRateLimiter({ perSecond: http.keyRequestsPerSecond, burst: http.keyBurst, clock }),
  failures: createFailureBudget({ perMinute: http.failuresPerMinute, clock }),
};
const unlimited = { waitSeconds: 0, remaining: http.keyBurst, resetSeconds: 0 };
const noCheck = {
  recallCaller: () => caller,
  findPrefix: () => "",
  isForgeable: () => true,
  findCaller: async () => caller,
  perKey: {
    limit: http.keyBurst,
    rule: "",
    take: () => unlimited,
    inspect: () => unlimited,
    giveBack: () => {},
  },
  failures: { refuseWhenSpent: () => {}, recordFailure: () => {}, recordSuccess: () => {} },
};

const app = createServer(context);
for (const [prefix, variants] of [
  ["/with", check],
  ["/without", noCheck],
] as const) {
  app.register(
    async (scope: ApiApp) => {
      requireApiKey(scope, variants);
      webhookRoutes(scope, context);
    },
    { prefix },
  );
}
await serveCommands(app);
