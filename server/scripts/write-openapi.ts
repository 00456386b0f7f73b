import { openDatabase } from "@daric/postgres/database";
import { createApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { OPENAPI_PATH } from "../src/http/openapi.ts";
import { createMetrics } from "../src/metrics.ts";
import { systemClock } from "../src/runtime/clock.ts";
import { createLogger } from "../src/runtime/logger.ts";
import { writeGenerated } from "./generated-file.ts";

/** Enough to build the app; nothing is connected to. The key is the published one of the mnemonic "abandon … about". */
const ENVIRONMENT = {
  DATABASE_URL: "postgres://127.0.0.1:1/unused",
  TRON_NODE_URLS: "http://127.0.0.1:1",
  ACCOUNT_XPUB:
    "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd",
  DARIC_KEY_PEPPER: "unused-unused-unused-unused-unused",
  DARIC_MASTER_KEY: "00".repeat(32),
};

/** Objects with their keys in order, so that the same routes always make the same bytes. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

const config = readConfig(ENVIRONMENT, ["api"]);
const db = openDatabase({ url: config.runtime.databaseUrl, onError: () => {} });
const log = createLogger({ level: "silent", role: "openapi" });
const app = createApp({
  config,
  db,
  log,
  clock: systemClock,
  metrics: createMetrics({ processMetrics: false }),
  checkoutKey: Buffer.alloc(32),
});
const response = await app.inject({ method: "GET", url: OPENAPI_PATH });
await app.close();
await db.close();
if (response.statusCode !== 200)
  throw new Error(`${OPENAPI_PATH} answered ${response.statusCode}: ${response.body}`);
const document = `${JSON.stringify(sorted(response.json()), null, 2)}\n`;
await writeGenerated("sdk/openapi.json", document, process.argv);
