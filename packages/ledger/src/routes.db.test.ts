import { idOf, type MerchantId } from "@daric/domain/ids";
import { outflowLines, sweepLandedLines, sweepSentLines } from "@daric/domain/ledger";
import { amountFromUnits } from "@daric/domain/money";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey, aSettlementAccount } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { booked, bookTransactions } from "./store.ts";

const THIS_MONTH = new Date().toISOString().slice(0, 7);
const MONTH_BEFORE = monthsAgo(1);

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let key: string;

beforeAll(async () => {
  context = await createTestContext({ RATE_LIMIT_KEY_BURST: "1000" });
  app = createApp(context);
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  key = (await anApiKey(context, merchantId)).key;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

function monthsAgo(count: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 15)).toISOString().slice(0, 7);
}

async function get<T>(url: string): Promise<T> {
  const answer = await app.inject({ url, headers: { "x-api-key": key } });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().data as T;
}

/** An order paid with 100 USDT, with a fee of 1. */
const paid = async (orderRef: string | null = null) => {
  const charge = await aCharge(context.db, { merchantId, orderRef, feeBasisPoints: 100 });
  await aDeposit(context.db, { chargeId: charge.id, amount: "100" });
  return charge;
};

const usdt = (units: bigint) => ({ currency: "USDT", units: amountFromUnits(units) }) as const;

/** Books lines about a charge, as settlement does. */
async function book(
  chargeId: Awaited<ReturnType<typeof paid>>["id"],
  lines: Parameters<typeof bookTransactions>[1][0]["lines"],
) {
  await context.db.transaction((tx) =>
    bookTransactions(tx, [
      { id: idOf("ledgerTransaction", uuidv7()), merchantId, chargeId, txId: "ab".repeat(32), lines },
    ]),
  );
}

/** Books an outflow at each time: of 1, 2, 4, … units. */
async function bookOutflows(chargeId: string, times: readonly Date[]): Promise<void> {
  const listed = sql`unnest(${times.map((time) => time.toISOString())}::timestamptz[]) with ordinality as one (at, place)`;
  await context.owner.query(sql`
    with ${booked(sql`
      select ${merchantId}::uuid as merchant_id, ${chargeId}::uuid as deposit_address_id, gen_random_uuid() as transaction_id, 0 as line,
        'outflow' as kind, 'merchant' as debit, 'on_addresses' as credit, 'USDT' as currency, 1 << (place - 1)::int as units,
        null::uuid, null from ${listed}`)} select 1`);
  await context.owner.query(sql`
    update ledger_entries set booked_at = at from ${listed}
    where merchant_id = ${merchantId} and deposit_address_id = ${chargeId} and units = 1 << (place - 1)::int`);
  await sumMonths();
}

/** Moves a charge's entries into the previous month. */
async function bookEarlier(chargeId: string): Promise<void> {
  const earlier = `${MONTH_BEFORE}-10T12:00:00Z`;
  await context.owner.query(sql`
    update ledger_entries set booked_at = ${earlier} where merchant_id = ${merchantId} and deposit_address_id = ${chargeId}`);
  await sumMonths();
}

async function sumMonths(): Promise<void> {
  await context.owner.query(sql`delete from ledger_totals where merchant_id = ${merchantId}`);
  await context.owner.query(sql`
    insert into ledger_totals
    select merchant_id, date_trunc('month', booked_at at time zone 'UTC')::date, currency, kind, debit, credit, sum(units),
      count(*)
    from ledger_entries where merchant_id = ${merchantId} group by 1, 2, 3, 4, 5, 6`);
}

describe("a balance", () => {
  it("has the confirmed, charged, settled, in-flight and waiting amounts, with the reasons", async () => {
    expect(await get("/v1/balances")).toMatchObject([
      { currency: "USDT", confirmed: "0", waiting: "0", waiting_for: [] },
      { currency: "TRX", confirmed: "0", waiting: "0", waiting_for: [] },
    ]);
    const [first, second] = [await paid(), await paid()];
    const { id: accountId, address } = await aSettlementAccount(context.db, merchantId);
    await book(first.id, [
      ...sweepSentLines(usdt(100_000_000n)),
      ...sweepLandedLines(usdt(100_000_000n), "merchant"),
    ]);
    const settlementId = uuidv7();
    await context.owner.query(sql`
      insert into settlements (merchant_id, id, currency, settlement_account_id, status)
      values (${merchantId}, ${settlementId}, 'USDT', ${accountId}, 'OPEN')`);
    await context.owner.query(sql`
      insert into sweeps (merchant_id, id, settlement_id, deposit_address_id, currency, recipient, destination, units, resources,
        price, status, reason)
      values (${merchantId}, ${uuidv7()}, ${settlementId}, ${second.id}, 'USDT', 'merchant', ${address}, 60000000, 'burn', 0,
        'WAITING', 'dear')`);
    expect((await get<unknown[]>("/v1/balances"))[0]).toEqual({
      currency: "USDT",
      confirmed: "200",
      fees: "2",
      settled: "100",
      in_flight: "0",
      waiting: "98",
      waiting_for: [
        { reason: "not_planned", amount: "40" },
        { reason: "price", amount: "60" },
      ],
    });
  });

  it("waits for a wallet if the merchant has none", async () => {
    await paid();
    expect((await get<object[]>("/v1/balances"))[0]).toMatchObject({
      waiting_for: [{ reason: "no_settlement_account", amount: "100" }],
    });
  });
});

type Statement = {
  readonly is_closed: boolean;
  readonly balances: readonly Record<string, string>[];
  readonly entry_count: number;
  readonly entries: readonly { readonly kind: string; readonly amount: string; readonly currency: string }[];
};

const statementOf = (month: string, query = "limit=100") =>
  get<Statement>(`/v1/statements?month=${month}&${query}`);

async function csvOf(month: string, marks = ""): Promise<string[][]> {
  const answer = await app.inject({
    url: `/v1/statements?month=${month}&format=csv${marks}`,
    headers: { "x-api-key": key },
  });
  expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
  expect(answer.body.startsWith("\uFEFF")).toBe(true);
  return answer.body
    .slice(1)
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(",").map((cell) => cell.replace(/^"(.*)"$/, "$1")));
}

const sum = (amounts: readonly string[]) =>
  amounts.reduce((all, amount) => all + Number(amount) * 1e6, 0) / 1e6;

describe("a statement", () => {
  it("adds up in JSON and in CSV, and opens with the closing balance of the previous month", async () => {
    const [early, late] = [await paid("A-1"), await paid("=A-2")];
    await bookEarlier(early.id);
    await book(late.id, outflowLines(usdt(30_000_000n), "merchant"));
    const before = await statementOf(MONTH_BEFORE);
    const now = await statementOf(THIS_MONTH);
    expect([before.is_closed, now.is_closed]).toEqual([true, false]);
    expect(before.balances[0]).toEqual({
      currency: "USDT",
      opening: "0",
      confirmed: "100",
      fees: "1",
      settled: "0",
      closing: "99",
    });
    expect(now.balances[0]).toEqual({
      currency: "USDT",
      opening: "99",
      confirmed: "100",
      fees: "1",
      settled: "30",
      closing: "168",
    });
    expect(now.entries.map(({ kind, amount }) => `${kind} ${amount}`).sort()).toEqual([
      "deposit 100",
      "fee -1",
      "outflow -30",
    ]);
    expect(99 + sum(now.entries.map(({ amount }) => amount))).toBe(168);
    const [head, ...rows] = await csvOf(THIS_MONTH);
    const place = (name: string) => head?.indexOf(name) ?? -1;
    const cells = (name: string) => rows.map((row) => row[place(name)]);
    expect(cells("kind")[0]).toBe("opening");
    expect(rows.slice(2, -2)).toHaveLength(3);
    expect(rows.at(-2)?.slice(1, 5)).toEqual(["so_far", "USDT", "", "168"]);
    expect((await csvOf(MONTH_BEFORE)).at(-2)?.slice(1, 5)).toEqual(["closing", "USDT", "", "99"]);
    expect(99 + sum(rows.slice(2, -2).map((row) => row[place("amount")] ?? ""))).toBe(168);
    expect(new Set(cells("order_ref"))).toEqual(new Set(["", "'=A-2"]));
    expect(cells("booked_at (UTC)")[0]).toBe(`${THIS_MONTH}-01 00:00:00`);
  });

  it("is written with the marks of a country, and refused for others", async () => {
    await book((await paid()).id, outflowLines(usdt(30_500_000n), "merchant"));
    const write = (marks: string) =>
      app.inject({
        url: `/v1/statements?month=${THIS_MONTH}&format=csv&${marks}`,
        headers: { "x-api-key": key },
      });
    const german = (await write("separator=;&decimal=,")).body;
    expect(german).toMatch(/^\uFEFF"booked_at \(UTC\)";"kind";"currency";"amount"/);
    expect(german).toContain(';"outflow";"USDT";-30,5;');
    expect((await write("separator=tab&decimal=,")).body).toContain('\t"outflow"\t"USDT"\t-30,5\t');
    expect((await write("decimal=x")).json()).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
  });

  it("has its entries page by page, and any number of them as CSV", async () => {
    const charge = await paid();
    await context.owner.query(sql`
      with ${booked(sql`
        select ${merchantId}::uuid as merchant_id, ${charge.id}::uuid as deposit_address_id, gen_random_uuid() as transaction_id, 0 as line,
          'outflow' as kind, 'merchant' as debit, 'on_addresses' as credit, 'USDT' as currency, n as units, null::uuid, null
        from generate_series(1, 2500) n`)} select 1`);
    const page = await statementOf(THIS_MONTH, "limit=100&page=26");
    expect([page.entry_count, page.entries.length]).toEqual([2_502, 2]);
    expect(await csvOf(THIS_MONTH)).toHaveLength(1 + 2 + 2_502 + 2);
  });

  it.each([
    ["Europe/Berlin", "2026-03", "2026-02-28T23:00:00.000Z", "2026-03-31T22:00:00.000Z"],
    ["Europe/Berlin", "2025-10", "2025-09-30T22:00:00.000Z", "2025-10-31T23:00:00.000Z"],
    ["America/New_York", "2025-11", "2025-11-01T04:00:00.000Z", "2025-12-01T05:00:00.000Z"],
    ["America/New_York", "2026-03", "2026-03-01T05:00:00.000Z", "2026-04-01T04:00:00.000Z"],
    ["Pacific/Auckland", "2026-04", "2026-03-31T11:00:00.000Z", "2026-04-30T12:00:00.000Z"],
    ["Asia/Kathmandu", "2025-12", "2025-11-30T18:15:00.000Z", "2025-12-31T18:15:00.000Z"],
  ])(
    "in %s of %s has the entries from %s and before %s, and the sums of months before",
    async (zone, month, from, to) => {
      merchantId = (await aMerchant(context.db, { timeZone: zone })).id;
      key = (await anApiKey(context, merchantId)).key;
      const hour = 3_600_000;
      const edges = [from, to].flatMap((edge) =>
        [-20 * hour, -hour, -1, 0, hour, 20 * hour].map((ms) => new Date(Date.parse(edge) + ms)),
      );
      const { id } = await aCharge(context.db, { merchantId });
      // A power of two each, so that a sum names its entries.
      await bookOutflows(id, edges);
      const unitsOf = (isPart: (time: Date) => boolean) =>
        edges.reduce((all, time, index) => (isPart(time) ? all + 2 ** index : all), 0) / 1e6;
      const [opening, settled] = [
        unitsOf((time) => time < new Date(from)),
        unitsOf((time) => time >= new Date(from) && time < new Date(to)),
      ];
      const statement = await statementOf(month);
      expect(statement).toMatchObject({ month, time_zone: zone, from, to, is_closed: true, entry_count: 6 });
      expect(statement.balances[0]).toMatchObject({
        ...{ opening: String(-opening), settled: String(settled) },
        closing: String(-(opening * 1e6 + settled * 1e6) / 1e6),
      });
      expect(-sum(statement.entries.map(({ amount }) => amount))).toBe(settled);
      const rows = await csvOf(month);
      expect(rows.at(-2)?.[4]).toBe(statement.balances[0]?.closing);
    },
  );

  it.each(["", "?month=2026-13", "?month=2026-1", "?month=november", "?month=2026-11&format=xml"])(
    "is refused for the query %j",
    async (query) => {
      const answer = await app.inject({ url: `/v1/statements${query}`, headers: { "x-api-key": key } });
      expect(answer.json()).toMatchObject({ error: { code: "VALIDATION_ERROR" } });
    },
  );
});

describe("settlement accounts", () => {
  it("are listed with the default first, page by page", async () => {
    const first = await aSettlementAccount(context.db, merchantId);
    const second = await aSettlementAccount(context.db, merchantId, { status: "disabled" });
    const pages = await Promise.all(
      [1, 2].map((page) =>
        get<{ id: string; address: string }[]>(`/v1/settlement-accounts?limit=1&page=${page}`),
      ),
    );
    expect(pages.flat().map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(pages.flat()[0]).toMatchObject({ address: first.address, status: "active", is_default: true });
  });
});
