import { acceptCharge } from "@daric/charges/close/accept-charge";
import { orderPaymentStatus } from "@daric/domain/charge-state";
import { type Sql, sql, type Transaction } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext, type TestContext } from "@daric/testing/context";
import { createForkChain } from "@daric/testing/fork-chain";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, expect, it } from "vitest";

let context: TestContext & { close(): Promise<void> };
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());

it("an accept of one order and the payment of another, which share a slot of the totals, cause no deadlock", async () => {
  const { id: merchantId } = await aMerchant(context.db);
  await anEndpointRow(context.db, merchantId, { eventTypes: ["deposit.confirmed", "order.accepted"] });
  const chain = createForkChain(Date.now());
  chain.mine(30);
  await scanToRest(context, await aScanner(context, chain.reader));

  const paid = await aCharge(context.db, { merchantId, currency: "TRX", amount: "25" });
  chain.pay(paid.address, 25_000_000n);
  chain.mine(1);
  const { timeMs } = await chain.reader.getHeadBlock();
  const short = await aCharge(context.db, { merchantId, fiatAmount: "100" });
  await aDeposit(context.db, { chargeId: short.id, amount: "20" });
  // Already dropped at the block that pays.
  const blockTime = new Date(timeMs - 1 - context.config.deposits.droppedAfterMs);
  await aDeposit(context.db, { chargeId: short.id, amount: "5", status: "REORG_PENDING", blockTime });
  chain.mine(25);

  let accepting: ReturnType<typeof acceptCharge> | undefined;
  const failures: string[] = [];
  let slot: number | undefined;
  const requests = watched({ onFailure: (error) => failures.push(String(error)), slot: () => slot });
  const watcher = watched({
    onFailure: (error) => failures.push(String(error)),
    onStatement: async (text, tx) => {
      if (accepting !== undefined || !text.includes("insert into webhook_deliveries")) return;
      slot = await slotOf(tx);
      accepting = acceptCharge(requests, { merchantId, id: short.id, reason: null });
      await untilWaiting();
    },
  });
  await scanToRest(watcher, await aScanner(watcher, chain.reader));
  expect(orderPaymentStatus((await accepting) ?? expect.fail())).toBe("paid");
  // On a busy machine the request may wait too long for a row and retry, which undoes no work.
  expect(failures.filter((failure) => !/lock timeout/.test(failure))).toEqual([]);
  const rows = await context.db.query<{ status: string }>(sql`
    select status from deposits where merchant_id = ${merchantId} order by status`);
  expect(rows.map(({ status }) => status)).toEqual(["CONFIRMED", "CONFIRMED", "FAILED"]);
});

/** The context, whose transactions report each statement and each failure, and start in a slot of the totals. */
function watched(observer: {
  onFailure: (error: unknown) => void;
  onStatement?: (text: string, tx: Transaction) => Promise<void>;
  slot?: () => number | undefined;
}): TestContext {
  const transaction: TestContext["db"]["transaction"] = async (work) => {
    const slot = observer.slot?.();
    for (let tries = 0; ; tries += 1) {
      const result = await context.db.transaction(async (tx) => {
        if (slot !== undefined && (await slotOf(tx)) !== slot) return OTHER_SLOT;
        const query = async <Row>(statement: Sql) => {
          const rows = await tx.query<Row>(statement).catch((error: unknown) => {
            observer.onFailure(error);
            throw error;
          });
          await observer.onStatement?.(statement.text, tx);
          return rows;
        };
        return work({ ...tx, query });
      });
      if (result !== OTHER_SLOT) return result;
      if (tries === MAX_TRIES) throw new Error(`no transaction of ${MAX_TRIES} began in slot ${slot}`);
    }
  };
  return { ...context, db: { ...context.db, transaction } };
}

const OTHER_SLOT = Symbol("the transaction has another slot");
const MAX_TRIES = 5_000;

/** The slot of a transaction's rows in `list_counts`, which follows from its start time. */
async function slotOf(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ slot: number }>(
    sql`select extract(microseconds from now())::integer % 32 as slot`,
  );
  return row?.slot ?? expect.fail();
}

/** Until a statement in this database waits for a lock. */
async function untilWaiting(): Promise<void> {
  const waiting = () =>
    context.db.query(sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`);
  await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBeGreaterThan(0);
}
