import { idOf, type MerchantId, type SettlementId } from "@daric/domain/ids";
import type { SettlementEnd } from "@daric/domain/sweep";
import { one, sql } from "@daric/postgres/sql";
import { aMerchant, aSettlementAccount } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endSettlement, listEndable, lockSettlement } from "./end-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
const ids: Record<string, SettlementId> = {};

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  const account = await aSettlementAccount(context.db, merchantId);
  for (const status of ["OPEN", "COMPLETED", "FAILED"]) {
    const id = idOf("settlement", uuidv7());
    ids[status] = id;
    await context.owner.query(sql`
      insert into settlements (merchant_id, id, currency, settlement_account_id, status, ended_at)
      values (${merchantId}, ${id}, 'USDT', ${account.id}, ${status}, ${status === "OPEN" ? null : new Date()})`);
  }
});
afterAll(() => context.close());

describe("a settlement ends once", () => {
  it("one that has ended is neither found nor held for its end", async () => {
    expect(await listEndable(context.db)).toEqual([{ merchantId, id: ids["OPEN"] }]);
    const isHeld = (id: SettlementId) =>
      context.db.transaction(async (tx) => (await lockSettlement(tx, { merchantId, id })) !== undefined);
    const held = await Promise.all(Object.values(ids).map(isHeld));
    expect(held).toEqual([true, false, false]);
  });

  it.each([
    ["completed", "COMPLETED"],
    ["failed", "FAILED"],
  ] as const)("%s leads from OPEN to %s, and from no other status", async (event, to) => {
    const ended = Object.values(ids).map((id) => statusAfter(event, id));
    expect(await Promise.all(ended)).toEqual([to, "COMPLETED", "FAILED"]);
  });
});

const ROLLED_BACK = new Error("rolled back");

async function statusAfter(event: SettlementEnd, id: SettlementId): Promise<string | undefined> {
  let status: string | undefined;
  const ending = context.db.transaction(async (tx) => {
    await endSettlement(tx, { merchantId, id }, { event, failureReason: null });
    const row = one(
      await tx.query<{ status: string }>(sql`
        select status from settlements where merchant_id = ${merchantId} and id = ${id}`),
    );
    status = row.status;
    throw ROLLED_BACK;
  });
  await ending.catch((error: unknown) => {
    if (error !== ROLLED_BACK) throw error;
  });
  return status;
}
