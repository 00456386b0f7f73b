import { chargeKinds, chargeStatuses } from "@daric/domain/charge";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { type Queryable, type Sql, sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, storedCharges } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { timesPlannedForAny } from "@daric/testing/plans";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Charge, findCharge } from "./charge.ts";
import { archiveCharge } from "./close/archive-charge.ts";
import { listCharges } from "./list-charges.ts";
import type { CountedFilter } from "./list-filter-store.ts";
import { countCharges, pageStatement, selectPage } from "./list-store.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
const charges: Charge[] = [];

beforeAll(async () => {
  context = await createTestContext();
  merchantId = (await aMerchant(context.db)).id;
  const { id: otherMerchantId } = await aMerchant(context.db);
  const start = Date.now() - 3_600_000;
  let n = 0;
  for (const kind of chargeKinds) {
    for (const status of chargeStatuses) {
      for (let copy = 0; copy < 3; copy++) {
        // Two of three share their time of creation, so the id decides.
        const createdAt = new Date(start + Math.floor(((n * 7) % 27) / 2) * 1_000);
        const orderRef = n % 5 === 0 ? "shared" : null;
        charges.push(await aCharge(context.db, { merchantId, kind, status, orderRef, createdAt }));
        n += 1;
      }
    }
  }
  await aCharge(context.db, { merchantId: otherMerchantId, orderRef: "shared" });
});
afterAll(() => context.close());

function everything(filter: Partial<CountedFilter> = {}): CountedFilter {
  return { merchantId, ...filter };
}

function newestFirst(filter: CountedFilter) {
  return charges
    .filter(({ kind }) => filter.kind === undefined || kind === filter.kind)
    .filter(({ status }) => filter.status === undefined || status === filter.status)
    .filter(({ orderRef }) => filter.orderRef === undefined || orderRef === filter.orderRef)
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
    .map(({ id }) => id);
}

const filters = [undefined, ...chargeKinds].flatMap((kind) =>
  [undefined, ...chargeStatuses].flatMap((status) =>
    [undefined, "shared"].map((orderRef) => ({ kind, status, orderRef })),
  ),
);

describe("a list", () => {
  it.each(filters)("of %j is newest first, complete and counted", async (partial) => {
    const filter = everything(partial);
    const expected = newestFirst(filter);
    const pages: string[] = [];
    for (let offset = 0; offset <= expected.length; offset += 4) {
      const { rows, total } = await listCharges(context.db, filter, { limit: 4, offset });
      pages.push(...rows.map(({ id }) => id));
      expect(total).toBe(expected.length);
    }
    expect(pages).toEqual(expected);
  });

  it.each(filters)("of %j continues after a row", async (partial) => {
    const filter = everything(partial);
    const read: ChargeId[] = [];
    for (let after: ChargeId | undefined, isEnd = false; !isEnd; after = read.at(-1)) {
      const { rows } = await listCharges(context.db, filter, { limit: 4, offset: 0, after });
      read.push(...rows.map(({ id }) => id));
      isEnd = rows.length < 4;
    }
    expect(read).toEqual(newestFirst(filter));
  });

  it("past its end reads no page", async () => {
    const behind = await listCharges(context.db, everything(), { limit: 4, offset: 4_000_000_000 });
    expect(behind).toEqual({ rows: [], total: charges.length });
  });

  it("counts correctly while charges move between statuses", async () => {
    const { id: ownMerchantId } = await aMerchant(context.db);
    const own = everything({ merchantId: ownMerchantId });
    const { id } = await aCharge(context.db, { merchantId: ownMerchantId });
    await aCharge(context.db, { merchantId: ownMerchantId });
    await archiveCharge(context, { merchantId: ownMerchantId, id });
    expect(await countCharges(context.db, { ...own, status: "ACTIVE" })).toBe(1);
    expect(await countCharges(context.db, { ...own, status: "ARCHIVED" })).toBe(1);
    expect(await countCharges(context.db, own)).toBe(2);
  });
});

describe("the first page of a long list", () => {
  const ROWS = 30_000;
  let big: MerchantId;

  beforeAll(async () => {
    big = (await aMerchant(context.db)).id;
    const { id: template } = await aCharge(context.db, { merchantId: big });
    // The first are few: the planner decides how to check the others' references by the table's statistics at
    // that time.
    await copies(template, 1, 500);
    await copies(template, 501, ROWS);
  });

  async function copies(template: ChargeId, from: number, to: number) {
    await context.db.query(
      sql`${storedCharges(sql`
      insert into deposit_addresses (
        id, merchant_id, kind, account_key_id, derivation_index, address, currency, status, fee_mode,
        fee_basis_points, fee_fixed_units, tolerance_basis_points, expected_units, order_ref, checkout_token,
        expires_at, late_until, archives_at, created_at)
      select ('00000000-0000-7000-8000-' || lpad(to_hex(${ROWS}::integer - n), 12, '0'))::uuid, merchant_id, kind,
        account_key_id, 1000000 + n,
        'T' || translate(lpad(n::text, 33, 'A'), '0', 'B'), currency,
        case when n % 1000 = 0 then 'ACTIVE' when n % 3 = 0 then 'EXPIRED' else 'ARCHIVED' end, fee_mode,
        fee_basis_points, fee_fixed_units, tolerance_basis_points, expected_units, 'ref-' || n % 10000,
        'token-' || n, expires_at, late_until, late_until, created_at - n * interval '1 second'
      from deposit_addresses, generate_series(${from}::integer, ${to}::integer) n
      where merchant_id = ${big} and id = ${template}`)} select 1`,
    );
    await context.owner.query(sql`analyze deposit_addresses`);
  }

  it.each([
    {},
    { kind: "order" as const },
    { kind: "receive" as const },
    { status: "ACTIVE" as const },
    { kind: "order" as const, status: "ACTIVE" as const },
    { orderRef: "ref-77" },
    { customerRef: "customer-1" },
  ])("filtered by %j reads only the rows that it may show", async (partial) => {
    const filter = { merchantId: big, ...partial };
    const { text, rowsRead } = await explained(filter);
    expect(text).not.toContain("Seq Scan on deposit_addresses");
    expect(text).toMatch(/Index (Only )?Scan (Backward )?using deposit_addresses_/);
    expect(rowsRead).toBeLessThanOrEqual(20 * chargeStatuses.length);
  });

  it("is read in one pass, not row by row, and planned once, not for every request", async () => {
    const statements: Sql[] = [];
    const noting: Queryable = {
      query: async (statement) => {
        statements.push(statement);
        return [];
      },
    };
    await selectPage(noting, { merchantId: big }, { limit: 20, offset: 0 });
    const { text, values } = statements[0] ?? expect.fail();
    expect(await timesPlannedForAny(context.ownerUrl, statements[0] ?? expect.fail())).toBeGreaterThan(0);
    await withDedicatedClient({ connectionString: context.ownerUrl }, async (client) => {
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
      const { Plan: plan } = rows[0]["QUERY PLAN"][0];
      expect(plan["Actual Rows"]).toBe(20);
      // Two indexes, each with a few pages of its table; one by one it would be 20 rows of two levels and a
      // page.
      expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(30);
    });
  });

  async function explained(filter: CountedFilter) {
    const statement = pageStatement(filter, { limit: 20, offset: 0 });
    const lines = await context.db.query<{ "QUERY PLAN": string }>(
      sql`explain (analyze, costs off, timing off, summary off) ${statement}`,
    );
    const plan = lines.map((line) => line["QUERY PLAN"]);
    const scans = plan.filter((line) => line.includes("on deposit_addresses"));
    const rowsRead = scans
      .map((line) => /rows=([\d.]+) loops=(\d+)/.exec(line))
      .reduce((sum, match) => sum + Number(match?.[1] ?? Number.NaN) * Number(match?.[2]), 0);
    return { text: plan.join("\n"), rowsRead };
  }
});

describe("archiving", () => {
  const archive = (id: ChargeId, caller = merchantId) => archiveCharge(context, { merchantId: caller, id });

  it.each(["ACTIVE", "EXPIRED"] as const)(
    "moves %s to ARCHIVED, and a second time changes nothing",
    async (status) => {
      const { id } = await aCharge(context.db, { merchantId, status });
      const first = await archive(id);
      expect(first.status).toBe("ARCHIVED");
      expect(await archive(id)).toEqual(first);
    },
  );

  it("refuses a receive address and leaves it unchanged", async () => {
    const { id } = await aCharge(context.db, { merchantId, kind: "receive" });
    await expect(archive(id)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect((await findCharge(context.db, { merchantId, id }))?.status).toBe("ACTIVE");
  });

  it("does not find a charge of another merchant", async () => {
    const { id } = await aCharge(context.db, { merchantId });
    const { id: other } = await aMerchant(context.db);
    await expect(archive(id, other)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect((await findCharge(context.db, { merchantId, id }))?.status).toBe("ACTIVE");
  });
});
