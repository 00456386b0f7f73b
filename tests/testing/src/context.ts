import type { Database } from "@daric/postgres/sql";
import { systemClock } from "@daric/runtime/clock";
import { createDatabaseOutage } from "@daric/runtime/database-outage";
import { createLogger } from "@daric/runtime/logger";
import { createRecentErrors } from "@daric/runtime/recent-errors";
import { type Role, roles } from "@daric/runtime/setting";
import { getCheckoutKey, pingDatabase } from "@daric/server/deployment/store";
import { type Config, readConfig } from "@daric/server/process/config";
import type { Context } from "@daric/server/process/context";
import { createMetrics } from "@daric/server/process/metrics";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { requireDerivedTables } from "./derived-tables.ts";
import { requireDocumentedEvents } from "./frozen-events.ts";

/** The account xpub of the well-known test mnemonic "abandon … about" at m/44'/195'/0'. */
export const TEST_XPUB =
  "xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd";

export const TEST_PEPPER = "test-pepper-test-pepper-test-pepper";

export const TEST_INTEGRITY_KEY = "44".repeat(32);

/** The context of MACs for test services with default key and network. */
export const TEST_MACS = {
  config: {
    integrity: { key: Buffer.from(TEST_INTEGRITY_KEY, "hex") },
    chain: { network: "devnet" },
  },
} as const;

/** The settings of a devnet service in tests. */
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
 * A context on its own database with the system's clock. `owner` may do anything in it. `close` checks derived
 * tables and events against the document, then drops the database. @throws AssertionError from `close`, naming what
 * differs.
 */
export async function createTestContext(
  overrides: Record<string, string> = {},
): Promise<
  TestContext & Pick<TestDatabase, "owner" | "ownerUrl" | "directUrl"> & { close(): Promise<void> }
> {
  const { url, directUrl, db, owner, ownerUrl, drop } = await createTestDatabase();
  const config = readConfig(testEnvironment({ DATABASE_URL: url, ...overrides }), roles);
  const log = createLogger({ level: config.runtime.logLevel, role: "test" });
  const databaseOutage = createDatabaseOutage({ log, clock: systemClock, ping: () => pingDatabase(db) });
  return {
    config,
    db,
    owner,
    ownerUrl,
    directUrl,
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

/** The same context with the connections of the tables' owner, for commands that need them. */
export function asOwners<C extends Pick<TestContext, "db"> & { owner: Database }>(context: C): C {
  return { ...context, db: context.owner };
}

/** Parsed settings by folder. */
export type Overrides = {
  readonly [Room in Exclude<keyof Config<Role>, "roles" | "environment">]?: Partial<Config<Role>[Room]>;
};

export function withSettings<C extends TestContext>(context: C, overrides: Overrides): C {
  const rooms = Object.entries(overrides).map(([room, values]) => [
    room,
    { ...context.config[room as keyof Overrides], ...values },
  ]);
  return { ...context, config: { ...context.config, ...Object.fromEntries(rooms) } };
}
