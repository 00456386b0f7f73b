import type { Database } from "@daric/postgres/sql";
import { type Config, readConfig } from "@daric/server/config";
import type { Context } from "@daric/server/context";
import { getCheckoutKey, pingDatabase } from "@daric/server/deployment/store";
import { createMetrics } from "@daric/server/metrics";
import { systemClock } from "@daric/server/runtime/clock";
import { createDatabaseOutage } from "@daric/server/runtime/database-outage";
import { createLogger } from "@daric/server/runtime/logger";
import { createRecentErrors } from "@daric/server/runtime/recent-errors";
import { type Role, roles } from "@daric/server/runtime/setting";
import { createTestDatabase } from "./database.ts";
import { requireDerivedTables } from "./derived-tables.ts";
import { requireDocumentedEvents } from "./frozen-events.ts";

/** The account xpub of the well-known test mnemonic "abandon … about" at m/44'/195'/0'. */
export const TEST_XPUB =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd";

/** The pepper of keys in tests. */
export const TEST_PEPPER = "test-pepper-test-pepper-test-pepper";

/** The key of the codes in tests. */
export const TEST_INTEGRITY_KEY = "44".repeat(32);

/** What codes are made with by the service that tests start, unless they name another key or network. */
export const TEST_MACS = {
  config: {
    integrity: { key: Buffer.from(TEST_INTEGRITY_KEY, "hex") },
    chain: { network: "devnet" },
  },
} as const;

/** The settings of a devnet service in tests; `overrides` are environment variables. */
export function testEnvironment(overrides: Record<string, string> = {}): Record<string, string> {
  return {
    DATABASE_URL: "postgres://set-by-the-test",
    TRON_NETWORK: "devnet",
    TRON_NODE_URLS: "http://127.0.0.1:1",
    ACCOUNT_XPUB: TEST_XPUB,
    PUBLIC_BASE_URL: "http://127.0.0.1:3000",
    DARIC_KEY_PEPPER: TEST_PEPPER,
    DARIC_MASTER_KEY: "11".repeat(32),
    DARIC_INTEGRITY_KEY: TEST_INTEGRITY_KEY,
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8,::1/128,localhost",
    LOG_LEVEL: "silent",
    SHUTDOWN_DRAIN_MS: "0",
    ...overrides,
  };
}

/** A context of a process with every role. */
export type TestContext = Context<Config<Role>>;

/**
 * A context on a database of its own, with the system's clock. `owner`, who logs in by `ownerUrl`, may do anything in
 * it. `close` drops the database, once it is seen that all that
 * is kept beside the rows is what the rows add up to, and that its events are as the document says.
 *
 * @throws AssertionError from `close`, naming what differs.
 */
export async function createTestContext(
  overrides: Record<string, string> = {},
): Promise<TestContext & { owner: Database; ownerUrl: string; close(): Promise<void> }> {
  const { url, db, owner, ownerUrl, drop } = await createTestDatabase();
  const config = readConfig(testEnvironment({ DATABASE_URL: url, ...overrides }), roles);
  const log = createLogger({ level: config.runtime.logLevel, role: "test" });
  const databaseOutage = createDatabaseOutage({ log, clock: systemClock, ping: () => pingDatabase(db) });
  return {
    config,
    db,
    owner,
    ownerUrl,
    clock: systemClock,
    log,
    recentErrors: createRecentErrors(),
    databaseOutage,
    metrics: createMetrics({ processMetrics: false }),
    checkoutKey: await getCheckoutKey(db),
    close: () =>
      Promise.all([requireDerivedTables(db), requireDocumentedEvents(owner)])
        .then(() => {})
        .finally(() => {
          databaseOutage.stop();
          return drop();
        }),
  };
}

/** The same context on the connections of the owner of the tables, as the commands have it that write what the service may not. */
export function asOwners<C extends Pick<TestContext, "db"> & { owner: Database }>(context: C): C {
  return { ...context, db: context.owner };
}

/** Settings by room, each as its reader would give it. */
export type Overrides = {
  readonly [Room in Exclude<keyof Config<Role>, "roles" | "environment">]?: Partial<Config<Role>[Room]>;
};

/** The same context with other settings. */
export function withSettings<C extends TestContext>(context: C, overrides: Overrides): C {
  const rooms = Object.entries(overrides).map(([room, values]) => [
    room,
    { ...context.config[room as keyof Overrides], ...values },
  ]);
  return { ...context, config: { ...context.config, ...Object.fromEntries(rooms) } };
}
