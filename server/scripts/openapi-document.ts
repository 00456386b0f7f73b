import { openDatabase } from "@daric/postgres/database";
import { createApp } from "../src/app.ts";
import type { OpenApiDocument } from "../src/docs/openapi-document.ts";
import { readConfig } from "../src/process/config.ts";
import { createMetrics } from "../src/process/metrics.ts";
import { systemClock } from "../src/runtime/clock.ts";
import { createDatabaseOutage } from "../src/runtime/database-outage.ts";
import { createLogger } from "../src/runtime/logger.ts";
import { createRecentErrors } from "../src/runtime/recent-errors.ts";

/** Enough to build the app, of a devnet because it has every route; nothing is connected to. The key is the published one of the mnemonic "abandon … about". */
const ENVIRONMENT = {
  DATABASE_URL: "postgres://127.0.0.1:1/unused",
  TRON_NETWORK: "devnet",
  TRON_NODE_URLS: "http://127.0.0.1:1",
  ACCOUNT_XPUB:
    "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd",
  DARIC_KEY_PEPPER: "unused-unused-unused-unused-unused",
  DARIC_MASTER_KEY: "00".repeat(32),
  DARIC_INTEGRITY_KEY: "00".repeat(32),
};

/** The document of the API as the sources make it, and the one of the dashboard's. */
export async function makeOpenApiDocuments(): Promise<Record<"api" | "dashboard", OpenApiDocument>> {
  const config = readConfig(ENVIRONMENT, ["api"]);
  const db = openDatabase({ url: config.runtime.databaseUrl, onError: () => {} });
  const log = createLogger({ level: "silent", role: "openapi" });
  const app = createApp({
    config,
    db,
    log,
    clock: systemClock,
    recentErrors: createRecentErrors(),
    databaseOutage: createDatabaseOutage({ log, clock: systemClock, ping: async () => {} }),
    metrics: createMetrics({ processMetrics: false }),
    checkoutKey: Buffer.alloc(32),
  });
  await app.ready();
  const documents = {
    api: app.swagger() as object as OpenApiDocument,
    dashboard: (await app.inject({ url: "/dashboard/v1/openapi.json" })).json() as OpenApiDocument,
  };
  await app.close();
  await db.close();
  return documents;
}
