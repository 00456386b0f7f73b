import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, storedCharges } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { plansOf } from "@daric/testing/plans";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  type Cursor,
  CursorMovedError,
  findBlock,
  findCursor,
  insertBlock,
  insertCursor,
  moveCursor,
  orphanBlocksAbove,
  raiseSolid,
} from "./block-store.ts";
import { findFirstChargeTime } from "./follow/start-store.ts";

const time = new Date("2026-01-01T00:00:00Z");
const at = (number: number, mark: string) => ({ number, blockId: mark.repeat(64), time });
const cursor: Cursor = { ...at(10, "a"), solidNumber: 5 };
let context: Awaited<ReturnType<typeof createTestContext>>;

beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
let network = "";
beforeEach(async () => {
  network += "n";
  await context.db.transaction((tx) => insertCursor(tx, { network, cursor, epoch: 1n }));
});

const move = (from: Cursor) =>
  context.db.transaction((tx) => moveCursor(tx, { network, from, to: at(11, "b"), epoch: 1n }));
const raise = (number: number) =>
  context.db.transaction((tx) => raiseSolid(tx, { network, solid: at(number, "c") }));

it.each([
  ["another block of its height", { ...cursor, ...at(10, "f") }],
  ["another height", { ...cursor, number: 9 }],
])("the cursor is not moved from %s", async (_, from) => {
  await expect(move(from)).rejects.toThrow(CursorMovedError);
  expect(await findCursor(context.db, network)).toEqual(cursor);
});

it("the cursor is moved from the block it stands on", async () => {
  await move(cursor);
  expect(await findCursor(context.db, network)).toEqual({ ...at(11, "b"), solidNumber: 5 });
});

it("the solid height grows and never falls", async () => {
  await raise(8);
  await raise(6);
  expect((await findCursor(context.db, network))?.solidNumber).toBe(8);
});

const aBlock = (mark: string) => ({
  ...{ id: mark.repeat(64), number: 11, parentId: "a".repeat(64), time },
  ...{ witnessHex: `41${"1".repeat(40)}`, transactionCount: 4 },
  ...{ infosDigest: undefined, sourceNode: undefined },
});

it("an orphaned block is in the chain again after a second read", async () => {
  const block = { ...aBlock("e"), transferCount: 1 };
  const read = () => context.db.transaction((tx) => insertBlock(tx, { network, epoch: 1n, block }));
  const inChain = () => findBlock(context.db, { network, number: 11 });
  await read();
  await context.db.transaction((tx) => orphanBlocksAbove(tx, { network, number: 10 }));
  expect(await inChain()).toBeUndefined();
  await read();
  expect(await inChain()).toMatchObject({ blockId: block.id });
});

it("a returning block has the transfer count of its new read", async () => {
  const block = aBlock("d");
  for (const transferCount of [4, 3])
    await context.db.transaction((tx) =>
      insertBlock(tx, { network, epoch: 1n, block: { ...block, transferCount } }),
    );
  const rows = await context.db.query(sql`select transfer_count from blocks where network = ${network}`);
  expect(rows).toMatchObject([{ transfer_count: 3 }]);
});

it("a returning block has the infos digest and the node of its new read", async () => {
  const block = { ...aBlock("c"), transferCount: 0 };
  for (const [infosDigest, sourceNode] of [
    ["11".repeat(32), "node 1"],
    ["22".repeat(32), "node 2"],
    [undefined, undefined],
  ] as const) {
    await context.db.transaction((tx) =>
      insertBlock(tx, { network, epoch: 1n, block: { ...block, infosDigest, sourceNode } }),
    );
    const rows = await context.db.query(
      sql`select infos_digest, source_node from blocks where network = ${network}`,
    );
    expect(rows).toEqual([{ infos_digest: infosDigest ?? null, source_node: sourceNode ?? null }]);
  }
});

it("the first charge is found at the ends of an index, for any number of later charges", async () => {
  const first = new Date("2026-01-01T00:00:00Z");
  for (const createdAt of [new Date("2026-01-02T00:00:00Z"), first]) {
    const { id: merchantId } = await aMerchant(context.db);
    await aCharge(context.db, { merchantId, createdAt });
  }
  await context.db.query(sql`
    ${storedCharges(sql`
      insert into deposit_addresses (
        merchant_id, id, kind, account_key_id, derivation_index, address, currency, fee_mode, fee_basis_points,
        fee_fixed_units, tolerance_basis_points, expected_units, checkout_token, expires_at, late_until, created_at)
      select merchant_id, (
          lpad(to_hex((extract(epoch from created_at + n * interval '1 minute') * 1000)::bigint), 12, '0')
          || '7000' || substr(gen_random_uuid()::text, 20))::uuid, kind, account_key_id, derivation_index, address, currency, fee_mode,
        fee_basis_points, fee_fixed_units, tolerance_basis_points, expected_units, checkout_token, expires_at,
        late_until, created_at + n * interval '1 minute'
      from deposit_addresses, generate_series(1, 5000) n`)} select 1`);
  await context.owner.query(sql`analyze`);
  const url = context.config.runtime.databaseUrl;
  for (const { scans } of await plansOf({ db: context.db, url }, findFirstChargeTime)) {
    expect(scans.filter((scan) => scan.startsWith("deposit_addresses "))).toEqual([
      "deposit_addresses by deposit_addresses_pkey",
    ]);
  }
  expect(await findFirstChargeTime(context.db)).toEqual(first);
});
