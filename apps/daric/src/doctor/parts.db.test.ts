import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listScopes, rangesOf } from "./audit.ts";
import { findChainViolations, listBlockRanges } from "./chain-check-store.ts";
import { findMisowned, findTwiceKnown, listDirectoryParts, readDirectory } from "./directory-check-store.ts";
import type { Violation } from "./invariant.ts";

const NETWORK = "devnet";
let context: Awaited<ReturnType<typeof createTestContext>>;

/** A chain of ten blocks, 101 to 110, and a few charges. */
beforeAll(async () => {
  context = await createTestContext();
  const { id: merchantId } = await aMerchant(context.db);
  for (let n = 0; n < 3; n += 1) await aCharge(context.db, { merchantId, amount: "5" });
  await context.owner.query(sql`
    insert into blocks (id, network, number, parent_id, time, transaction_count, transfer_count, leader_epoch)
    select lpad(to_hex(n), 64, '0'), ${NETWORK}, n, lpad(to_hex(n - 1), 64, '0'), now(), 0, 0, 1
    from generate_series(101, 110) n`);
});
afterAll(() => context.close());

const range = (from: number, to: number) => ({ network: NETWORK, from: BigInt(from), to: BigInt(to) });
const countOf = (violations: readonly Violation[]) => violations.reduce((sum, { count }) => sum + count, 0);

describe("the ranges of the chain", () => {
  it("together cover all of it", async () => {
    await expect(listBlockRanges(context.db, NETWORK)).resolves.toEqual([range(101, 200_100)]);
    await expect(listBlockRanges(context.db, "none")).resolves.toHaveLength(1);
  });

  it("know the block before their first", async () => {
    const violations = async () => [
      ...(await findChainViolations(context.db, range(101, 105))),
      ...(await findChainViolations(context.db, range(106, 110))),
    ];
    expect(await violations()).toEqual([]);
    const tx = sql`update blocks set orphaned_at = now() where number in (104, 105)`;
    await context.owner.query(tx);
    expect(await violations()).toMatchObject([{ invariant: "I3", count: 1, samples: ["106 after 103"] }]);
    await context.owner.query(sql`update blocks set orphaned_at = null where number in (104, 105)`);
  });
});

describe("the parts of the address directory", () => {
  it("together cover all of it, with each address once", async () => {
    const [part] = await listDirectoryParts(context.db);
    expect(part).toEqual({ from: 0n, to: 2_500n });
    const indexesOf = async (from: bigint, to: bigint) =>
      (await readDirectory(context.db, { from, to })).reduce(
        (sum, { indexes }) => sum + indexes.length / 4,
        0,
      );
    const [all, first, rest] = [
      await indexesOf(0n, 2_500n),
      await indexesOf(0n, 1n),
      await indexesOf(1n, 2_500n),
    ];
    expect(all).toBeGreaterThanOrEqual(3);
    expect(first + rest).toBe(all);
  });

  it("name the violations in their own part", async () => {
    const [part = { from: 0n, to: 0n }] = await listDirectoryParts(context.db);
    expect(await findMisowned(context.db, part)).toEqual([]);
    await context.owner.query(sql`
      insert into address_directory select '\\x0000000000000000000000000000000000000000', merchant_id, charge_id, account_key_id, 99
      from address_directory where merchant_id is not null limit 1`);
    expect(countOf(await findMisowned(context.db, part))).toBe(1);
    expect(await findMisowned(context.db, { from: 1n, to: 2_500n })).toEqual([]);
    for (const owned of [4n, 100_000_000n]) expect(countOf(await findTwiceKnown(context.db, owned))).toBe(1);
  });
});

it("merchants are audited in lists, and a large one alone and by ranges", async () => {
  const [{ merchantId = "" } = {}] = await context.owner.query<{ merchantId: string }>(
    sql`select merchant_id as "merchantId" from active_charge_counts limit 1`,
  );
  await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id, amount: "5" });
  await context.owner.query(sql`
    insert into list_counts (merchant_id, list, facets, slot, rows)
    values (${merchantId}, 'deposits', '{CONFIRMED,USDT}', 77, 170000)`);
  const scopes = await listScopes(context.db, NETWORK);
  await context.owner.query(sql`delete from list_counts where merchant_id = ${merchantId} and slot = 77`);
  const large = scopes.filter(({ size }) => size > 50_000n);
  expect(large.map(({ merchantIds }) => merchantIds)).toEqual([[merchantId]]);
  expect(large.flatMap(rangesOf)).toHaveLength(4);
  expect(scopes.flatMap(({ merchantIds }) => merchantIds)).toHaveLength(
    new Set(scopes.flatMap(({ merchantIds }) => merchantIds)).size,
  );
});
