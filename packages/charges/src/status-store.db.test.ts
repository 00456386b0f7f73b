import { chargeStatuses } from "@daric/domain/charge";
import type { ChargeRef, MerchantId } from "@daric/domain/ids";
import { sql, type Transaction } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findCharge } from "./charge.ts";
import { acceptOrders, archiveByMerchant, archivePaid, archiveQuiet, expireOverdue } from "./status-store.ts";

const expiresAt = new Date("2026-01-01T00:00:00Z");
const lateUntil = expiresAt;
/** Later than all times of an expired charge. */
const chainTime = new Date("2026-03-01T00:00:00Z");
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(() => context.close());

const due = () => ({ merchantIds: [merchantId], chainTime, limitEach: 500, archiveAfterMs: 0 });

/**
 * The moves of one order of each status, all of them past their times. A rewritten row has moved, even to its
 * old status.
 */
async function movesOf(work: (tx: Transaction, refs: readonly ChargeRef[]) => Promise<unknown>) {
  const rows = await Promise.all(
    chargeStatuses.map((status) => aCharge(context.db, { merchantId, status, expiresAt, lateUntil })),
  );
  const ids = rows.map(({ id }) => id);
  await context.db.query(
    sql`update deposit_addresses set archives_at = ${lateUntil} where id = any(${ids}::uuid[]) and archives_at is null`,
  );
  const versions = async () => {
    const found = await context.db.query<{ id: string; status: string; version: string }>(
      sql`select id, status, updated_at::text as version from deposit_addresses where id = any(${ids}::uuid[])`,
    );
    return new Map(found.map(({ id, ...row }) => [id, row]));
  };
  const before = await versions();
  await context.db.transaction((tx) => work(tx, rows));
  const after = await versions();
  return rows
    .filter(({ id }) => after.get(id)?.version !== before.get(id)?.version)
    .map(({ id, status }) => `${status} -> ${after.get(id)?.status}`);
}

it("time expires ACTIVE charges, and no others", async () => {
  const moves = await movesOf((tx) => expireOverdue(tx, due()));
  expect(moves).toEqual(["ACTIVE -> EXPIRED"]);
});

it("money archives the orders that it pays, expired or not", async () => {
  const moves = await movesOf((tx, refs) => archivePaid(tx, refs));
  expect(moves).toEqual(["ACTIVE -> ARCHIVED", "EXPIRED -> ARCHIVED"]);
});

it("its merchant archives an order, expired or not", async () => {
  const moves = await movesOf(async (tx, refs) => {
    for (const ref of refs) await archiveByMerchant(tx, ref);
  });
  expect(moves).toEqual(["ACTIVE -> ARCHIVED", "EXPIRED -> ARCHIVED"]);
});

it("its merchant accepts an order in any status, and it leaves the active ones", async () => {
  const accept = (tx: Transaction, refs: readonly ChargeRef[]) => acceptOrders(tx, refs, "close enough");
  expect(await movesOf(accept)).toEqual([
    "ACTIVE -> ARCHIVED",
    "EXPIRED -> ARCHIVED",
    "ARCHIVED -> ARCHIVED",
  ]);
  const archived = await aCharge(context.db, { merchantId, status: "ARCHIVED", expiresAt, lateUntil });
  await context.db.transaction((tx) => accept(tx, [archived]));
  const accepted = await findCharge(context.db, archived);
  expect(accepted).toMatchObject({ status: "ARCHIVED", acceptReason: "close enough" });
  expect(accepted?.acceptedAt).not.toBeNull();
});

it("quiet archives EXPIRED charges, and no others", async () => {
  const moves = await movesOf((tx) => archiveQuiet(tx, due()));
  expect(moves).toEqual(["EXPIRED -> ARCHIVED"]);
});
