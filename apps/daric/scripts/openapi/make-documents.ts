import { openDatabase } from "@daric/postgres/database";
import { systemClock } from "@daric/runtime/clock";
import { createDatabaseOutage } from "@daric/runtime/database-outage";
import { createLogger } from "@daric/runtime/logger";
import { createRecentErrors } from "@daric/runtime/recent-errors";
import { createApp } from "../../src/app.ts";
import { readConfig } from "../../src/process/config.ts";
import { createMetrics } from "../../src/process/metrics.ts";
import { describeApi, describeDashboard } from "./describe-routes.ts";
import type { OpenApiDocument } from "./openapi-document.ts";

/** Enough to build the app; nothing is connected to. The key is the published one of the mnemonic "abandon … about". */
const ENVIRONMENT = {
  DATABASE_URL: "postgres://127.0.0.1:1/unused",
  TRON_NODE_URLS: "http://127.0.0.1:1",
  ACCOUNT_XPUB:
    "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd",
  DARIC_KEY_PEPPER: "unused-unused-unused-unused-unused",
  DARIC_MASTER_KEY: "00".repeat(32),
  DARIC_INTEGRITY_KEY: "00".repeat(32),
};

/** The documents of the API and of the dashboard's, as the sources make them. A devnet alone has the operations of test cases. */
export async function makeOpenApiDocuments(
  network: "devnet" | "mainnet" = "devnet",
): Promise<Record<"api" | "dashboard", OpenApiDocument>> {
  const config = readConfig({ ...ENVIRONMENT, TRON_NETWORK: network }, ["api"]);
  const db = openDatabase({ url: config.runtime.databaseUrl, onError: () => {} });
  const log = createLogger({ level: "silent", role: "openapi" });
  let dashboard: { dashboardSwagger(): object } | undefined;
  const context = {
    config,
    db,
    log,
    clock: systemClock,
    recentErrors: createRecentErrors(),
    databaseOutage: createDatabaseOutage({ log, clock: systemClock, ping: async () => {} }),
    metrics: createMetrics({ processMetrics: false }),
    checkoutKey: Buffer.alloc(32),
  };
  const app = createApp(context, {
    describe: {
      api: describeApi,
      dashboard: (scope) => {
        describeDashboard(scope);
        dashboard = scope;
      },
    },
  });
  await app.ready();
  const documents = { api: app.swagger(), dashboard: dashboard?.dashboardSwagger() } as object as Record<
    "api" | "dashboard",
    OpenApiDocument
  >;
  await app.close();
  await db.close();
  return documents;
}

/** Objects with their keys in order, so that the same routes always make the same bytes. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, inOrder(item)]));
}
