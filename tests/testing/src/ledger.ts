import type { MerchantId } from "@daric/domain/ids";
import type { Sql } from "@daric/postgres/sql";
import { onTestFinished } from "vitest";
import { aMerchant } from "./builders.ts";
import { startTestChain, type TestChain } from "./chain.ts";
import { createTestContext, type TestContext } from "./context.ts";
import { copyDatabase, type TestDatabase } from "./database.ts";

/** A local chain, a database that follows it, and a merchant. */
export type Ledger = {
  readonly chain: TestChain;
  readonly context: Awaited<ReturnType<typeof createTestContext>>;
  readonly merchantId: MerchantId;
  close(): Promise<void>;
};

/** Starts following at the chain's head. */
export async function openLedger(overrides: Record<string, string> = {}): Promise<Ledger> {
  const [chain, context] = await Promise.all([startTestChain(), createTestContext(overrides)]);
  const { id: merchantId } = await aMerchant(context.db);
  await chain.scan(context);
  const close = async () => {
    await chain.stop();
    await context.close();
  };
  return { chain, context, merchantId, close };
}

/** Copies a test's database and changes it by these statements; dropped after the test. */
export async function copyLedger(
  { config }: Pick<TestContext, "config">,
  statements: readonly Sql[],
): Promise<TestDatabase> {
  const copy = await copyDatabase(config.runtime.databaseUrl);
  onTestFinished(() => copy.drop());
  for (const statement of statements) await copy.owner.query(statement);
  return copy;
}
