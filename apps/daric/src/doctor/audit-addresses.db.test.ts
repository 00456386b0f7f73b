import { deriveRange, type IndexRange } from "@daric/addresses/derive-range";
import type { MerchantId } from "@daric/domain/ids";
import { one, sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Derive, findAddressViolations } from "./audit-addresses.ts";

const after = "00000000-0000-0000-0000-000000000000";
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantIds: MerchantId[];
let first: number;

/** Of a merchant's four addresses one comes after one of another merchant, and the last after five. */
beforeAll(async () => {
  context = await createTestContext();
  const [mine, other] = [await aMerchant(context.db), await aMerchant(context.db)];
  const issue = async (merchantId: MerchantId, count: number) => {
    for (let n = 0; n < count; n += 1) await aCharge(context.db, { merchantId, amount: "5" });
  };
  merchantIds = [mine.id];
  for (const [id, count] of [
    [mine.id, 2],
    [other.id, 1],
    [mine.id, 1],
    [other.id, 5],
    [mine.id, 1],
  ] as const)
    await issue(id, count);
  const rows = await context.owner.query<{ first: bigint }>(
    sql`select min(derivation_index) as first from deposit_addresses where merchant_id = ${mine.id}`,
  );
  first = Number(one(rows).first);
});
afterAll(() => context.close());

it("addresses are derived in ranges, with small gaps", async () => {
  const ranges: Omit<IndexRange, "xpub">[] = [];
  const derive: Derive = async ({ xpub, ...range }) => {
    ranges.push(range);
    return deriveRange({ xpub, ...range });
  };
  const found = await findAddressViolations(context.db, { merchantIds, after, derive });
  expect(found).toEqual({ violations: [], next: undefined });
  expect(ranges).toEqual([
    { first, count: 4 },
    { first: first + 9, count: 1 },
  ]);
});

it("an address that its index does not derive to is a violation", async () => {
  const derive: Derive = async (range) =>
    deriveRange(range).map((derived) =>
      derived.index === first + 1 ? { ...derived, address: "T other" } : derived,
    );
  const { violations } = await findAddressViolations(context.db, { merchantIds, after, derive });
  expect(violations[0]).toMatchObject({ invariant: "I19", count: 1 });
});

it("an address that is not derived is an error, and no other is taken for it", async () => {
  const derive: Derive = async (range) => deriveRange(range).slice(1);
  const finding = findAddressViolations(context.db, { merchantIds, after, derive });
  await expect(finding).rejects.toThrow(`index ${first} was not derived`);
});
