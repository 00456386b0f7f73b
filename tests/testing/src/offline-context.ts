import { openDatabase } from "@daric/postgres/database";
import type { Clock } from "@daric/runtime/clock";
import { systemClock } from "@daric/runtime/clock";
import { createDatabaseOutage } from "@daric/runtime/database-outage";
import { createLogger, type Logger } from "@daric/runtime/logger";
import { createRecentErrors } from "@daric/runtime/recent-errors";
import { roles } from "@daric/runtime/setting";
import { pingDatabase } from "@daric/server/deployment/store";
import { readConfig } from "@daric/server/process/config";
import { createMetrics } from "@daric/server/process/metrics";
import { type TestContext, testEnvironment } from "./context.ts";

/** Nothing listens on port 1: connections are refused at once. */
const CLOSED_PORT_URL = "postgres://daric@127.0.0.1:1/daric";

/** The key that a database would hold. */
const TEST_CHECKOUT_KEY = Buffer.alloc(32, 7);

/** A context with an unreachable database. */
export function createOfflineContext(
  overrides: Record<string, string> = {},
  parts: { clock?: Clock; log?: Logger } = {},
): TestContext {
  const config = readConfig(testEnvironment({ DATABASE_URL: CLOSED_PORT_URL, ...overrides }), roles);
  const db = openDatabase({ url: config.runtime.databaseUrl, onError: () => {} });
  const { clock = systemClock, log = createLogger({ level: config.runtime.logLevel, role: "test" }) } = parts;
  return {
    config,
    db,
    clock,
    log,
    recentErrors: createRecentErrors(),
    databaseOutage: createDatabaseOutage({ log, clock, ping: () => pingDatabase(db) }),
    metrics: createMetrics({ processMetrics: false }),
    checkoutKey: TEST_CHECKOUT_KEY,
  };
}

/** A clock that only the test moves. */
export function createManualClock(): Clock & { advance(ms: number): void } {
  let ms = 0;
  return {
    now: () => new Date(ms),
    monotonicMs: () => ms,
    advance: (step) => {
      ms += step;
    },
  };
}
