import { createHash } from "node:crypto";
import { askForRefund } from "@daric/charges/close/ask-for-refund";
import { amountIn } from "@daric/domain/money";
import { type Database, sql } from "@daric/postgres/sql";
import { aMerchant, anAddress, aSettlementAccount } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { createForkChain } from "@daric/testing/fork-chain";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { addressToHex } from "@daric/tron/address";
import { afterEach, beforeEach, expect, it } from "vitest";
import { claimRefund } from "./claim-refund.ts";
import { claimToken } from "./claim-token.ts";
import { findRefund } from "./store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
beforeEach(async () => {
  context = await createTestContext();
});
afterEach(() => context.close());

class KilledError extends Error {
  override readonly name = "KilledError";
}

/** A database whose process dies at a statement: its transaction is lost. */
function mortal(db: Database, dieAt: number): Database {
  let count = 0;
  const live = <T>(work: () => Promise<T>): Promise<T> => {
    count += 1;
    return count === dieAt ? Promise.reject(new KilledError()) : work();
  };
  return {
    ...db,
    query: (statement) => live(() => db.query(statement)),
    transaction: (work) =>
      db.transaction((tx) => work({ ...tx, query: (statement) => live(() => tx.query(statement)) })),
    forTenant: () => mortal(db, dieAt),
  };
}

/** Runs a work of a process that dies at its first statement, then at its second, and so on until it lives. Returns how often it died. */
async function untilAlive(work: (db: Database) => Promise<unknown>): Promise<number> {
  for (let dieAt = 1; dieAt <= 500; dieAt += 1) {
    const survived = await work(mortal(context.db, dieAt)).then(
      () => true,
      (error: unknown) => {
        if (error instanceof KilledError) return false;
        throw error;
      },
    );
    if (survived) return dieAt - 1;
  }
  throw new Error("the work never ends");
}

it("a process that is killed at any statement of a request, a claim, a block and a final block leaves one refund, paid once and told once", async () => {
  const chain = createForkChain(Date.now());
  const scan = (db: Database = context.db) =>
    aScanner(context, chain.reader).then((scanner) => scanToRest({ ...context, db }, scanner));
  chain.mine(20);
  await scan();
  const { id: merchantId } = await aMerchant(context.db);
  const { address: wallet } = await aSettlementAccount(context.db, merchantId);
  const charge = await aCharge(context.db, { merchantId, currency: "TRX", amount: "10" });
  chain.pay(charge.address, 15_000_000n);
  chain.mine(30);
  await scan();
  const nothing = { amount: null, fiatAmount: null, currency: null, reason: null, address: null } as const;
  const asked = { ...nothing, merchantId, id: charge.id, refundRef: "R-1", askedBy: null, apiKeyId: null };
  const deaths = [await untilAlive((db) => askForRefund({ ...context, db }, asked))];
  const refund = await askForRefund(context, asked);
  const claim = { token: claimToken(context, refund), address: anAddress(), vet: async () => undefined };
  deaths.push(await untilAlive((db) => claimRefund({ ...context, db }, claim)));
  const contract = {
    kind: "transfer" as const,
    fromHex: addressToHex(wallet),
    toHex: addressToHex(claim.address),
    units: amountIn("TRX", 5_000_000n),
  };
  const txId = createHash("sha256").update("killed").digest("hex");
  chain.include({ txId, contractRet: "SUCCESS", expirationMs: Date.now() + 3_600_000, contract });
  chain.mine(1);
  deaths.push(await untilAlive(scan));
  expect(await findRefund(context.db, refund)).toMatchObject({ status: "SENT", txId });
  chain.mine(30);
  deaths.push(await untilAlive(scan));
  expect(await findRefund(context.db, refund)).toMatchObject({ status: "COMPLETED", txId });
  for (const count of deaths) expect(count).toBeGreaterThan(3);
  const events = await context.db.query<{ type: string }>(sql`
    select type from webhook_events where merchant_id = ${merchantId} and resource_id = ${refund.id} order by sequence`);
  expect(events.map(({ type }) => type)).toEqual(["refund.requested", "refund.ready", "refund.completed"]);
}, 120_000);
