import { fileURLToPath } from "node:url";
import { idOf, type MerchantId } from "@daric/domain/ids";
import { sweepLandedLines, sweepSentLines, topUpLines } from "@daric/domain/ledger";
import { amountFromUnits, amountIn } from "@daric/domain/money";
import type { ApiApp } from "@daric/http/api-app";
import { bookTransactions } from "@daric/ledger/store";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import readXlsxFile from "read-excel-file/node";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPapers } from "./papers/papers.ts";

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

const get = (path: string) => app.inject({ url: `/v1/exports/${path}`, headers: { "x-api-key": key } });

async function rowsOf(path: string): Promise<Record<string, string | number | null>[]> {
  const answer = await get(`${path}${path.includes("?") ? "&" : "?"}format=json`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

/** An order with a confirmed deposit of 100 USDT and a fee of 1, whose block has a rate. */
async function paid(rateE8: bigint | undefined = 101_000_000n) {
  const charge = await aCharge(context.db, { merchantId, orderRef: "A-1", feeBasisPoints: 100 });
  const deposit = await aDeposit(context.db, { chargeId: charge.id, amount: "100" });
  await valued(rateE8);
  return { charge, deposit };
}

/** Moves the merchant's deposits to a minute of the past, which has this rate. */
async function valued(rateE8: bigint | undefined = 101_000_000n) {
  await context.owner.query(sql`
    update deposits set block_time = date_trunc('minute', now()) - interval '10 minutes' where merchant_id = ${merchantId}`);
  if (rateE8 !== undefined) await rate("USDT", rateE8);
}

async function rate(currency: string, e8: bigint) {
  await context.owner.query(sql`
    insert into rates (currency, minute, usd_e8, source, fetched_at)
    values (${currency}, date_trunc('minute', now()) - interval '11 minutes', ${e8}, 'kraken', now()) on conflict do nothing`);
}

describe("an export of payments", () => {
  it("has today's columns, and price, value and difference in the currency of the books", async () => {
    await paid();
    const [row] = await rowsOf("payments");
    expect(Object.keys(row ?? {}).slice(-5)).toEqual([
      "refunded_amount",
      "book_currency",
      "book_price",
      "book_amount",
      "book_difference",
    ]);
    expect(row).toMatchObject({
      order_ref: "A-1",
      amount_received: "100",
      book_currency: "USD",
      book_price: "101.00",
      book_amount: "101.00",
      book_difference: "0.00",
    });
  });

  it("is narrowed by the filters of the page, and refuses others", async () => {
    await paid();
    await aCharge(context.db, { merchantId, orderRef: "B-1" });
    expect((await rowsOf("payments?reference=B")).map((row) => row.order_ref)).toEqual(["B-1"]);
    expect((await rowsOf("payments?status=ACTIVE&kind=receive")).length).toBe(0);
    const refused = await get("payments?colour=red");
    expect(refused.statusCode).toBe(422);
  });

  it("takes the separator and the decimal mark of a country", async () => {
    await paid();
    const { body } = await get("payments?separator=;&decimal=,&bom=0");
    expect(body.split("\r\n")[0]).toContain('"id";"created_at"');
    expect(body).toContain(";101,00;101,00;0,00");
    const tabs = await get("payments?separator=tab");
    expect(tabs.body.split("\t").length).toBeGreaterThan(50);
  });

  it("is a workbook with real times and numbers, which another library reads", async () => {
    await paid();
    const answer = await get("payments?format=xlsx");
    expect(answer.headers["content-type"]).toContain("spreadsheetml");
    expect(answer.headers["content-disposition"]).toBe('attachment; filename="payments.xlsx"');
    const [sheet] = await readXlsxFile(answer.rawPayload);
    const [heading = [], row = []] = (sheet as { data: unknown[][] }).data;
    const cell = (name: string) => row[heading.indexOf(name)];
    expect(cell("book_amount")).toBe(101);
    expect(cell("amount_received")).toBe(100);
    expect(cell("created_at (UTC)")).toBeInstanceOf(Date);
    expect(cell("order_ref")).toBe("A-1");
  });
});

describe("the journal", () => {
  const books = async (range = "") => {
    const rows = await rowsOf(`journal${range}`);
    return { entries: rows.slice(0, -1), unknown: rows.at(-1)?.unknown_values };
  };
  const shown = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ kind, account_code, debit, credit, book_debit, book_credit }) =>
      [kind, account_code, debit ?? "-", credit ?? "-", book_debit ?? "-", book_credit ?? "-"].join(" "),
    );

  it("books a deposit, its fee, its sweep and a top-up; sweeps on their way are no entry", async () => {
    const { charge } = await paid();
    await rate("TRX", 20_000_000n);
    const money = { currency: "USDT", units: amountFromUnits(99_000_000n) } as const;
    await context.db.transaction((tx) =>
      bookTransactions(
        tx,
        [sweepSentLines(money), sweepLandedLines(money, "merchant"), topUpLines(amountIn("TRX", 1n))].map(
          (lines) => ({ id: idOf("ledgerTransaction", uuidv7()), merchantId, chargeId: charge.id, lines }),
        ),
      ),
    );
    const { entries, unknown } = await books();
    // What was booked just now has no rate of its minute.
    expect(unknown).toBe(2);
    expect(shown(entries)).toEqual([
      "deposit 1200 100 - 101.00 -",
      "deposit 4000 - 100 - 101.00",
      "fee 6800 1 - 1.01 -",
      "fee 2200 - 1 - 1.01",
      "sweep_landed 1210 99 - - -",
      "sweep_landed 1200 - 99 - -",
      "top_up 1200 0.000001 - - -",
      "top_up 2210 - 0.000001 - -",
    ]);
  });

  it("books the price of an order as revenue, and the rest of its value as exchange result", async () => {
    // At the quote of 1.0003 USDT for a dollar.
    const charge = await aCharge(context.db, { merchantId, fiatAmount: "99.99" });
    for (const amount of ["50", "50.019997"]) await aDeposit(context.db, { chargeId: charge.id, amount });
    await valued();
    const { entries } = await books();
    const total = (account: string, side: "book_debit" | "book_credit") =>
      entries
        .filter((row) => row.account === account)
        .reduce((sum, row) => sum + Math.round(Number(row[side] ?? 0) * 100), 0);
    expect(total("held", "book_debit")).toBe(10_102);
    expect(total("revenue", "book_credit")).toBe(9_999);
    expect(total("exchange", "book_credit") - total("exchange", "book_debit")).toBe(103);
    expect((await rowsOf("payments"))[0]).toMatchObject({
      book_price: "99.99",
      book_amount: "101.02",
      book_difference: "1.03",
    });
  });

  it("leaves values empty that are not known, and counts them", async () => {
    await paid(undefined);
    await context.owner.query(
      sql`update deposits set block_time = '2020-01-01' where merchant_id = ${merchantId}`,
    );
    const { entries, unknown } = await books();
    expect(unknown).toBe(2);
    expect(entries.filter((row) => row.book_debit !== null || row.book_credit !== null)).toEqual([]);
  });

  it("has the merchant's own account codes, and the entries of its range alone", async () => {
    await paid();
    await context.owner.query(sql`
      update merchants set account_codes = '{"held": "H-1"}' where id = ${merchantId}`);
    expect((await books()).entries[0]).toMatchObject({ account: "held", account_code: "H-1" });
    expect((await books("?from=2030-01-01T00:00:00Z")).entries).toEqual([]);
  });
});

describe("a file", () => {
  it("of fees has each fee with its deposit and its value", async () => {
    const { deposit } = await paid();
    expect(await rowsOf("fees")).toMatchObject([
      { kind: "fee", amount: "1", deposit_id: deposit.id, book_amount: "1.01", order_ref: "A-1" },
    ]);
  });

  it("needs the right of its list", async () => {
    const reading = await anApiKey(context, merchantId, { scopes: ["charges:read"] });
    const status = async (kind: string) =>
      (await app.inject({ url: `/v1/exports/${kind}`, headers: { "x-api-key": reading.key } })).statusCode;
    expect(await status("payments")).toBe(200);
    for (const kind of ["refunds", "settlements", "fees", "journal"]) expect(await status(kind)).toBe(403);
  });
});

describe("a paper", () => {
  it("is in Chinese with the operator's font, and in English without", async () => {
    const { charge } = await paid();
    const fontFile = fileURLToPath(new URL("../test/NotoSansSC-subset.ttf", import.meta.url));
    const fontsOf = async (given: string | undefined) => {
      const papers = createPapers({ ...context, config: { books: { fontFile: given } } });
      const ref = { merchantId, id: charge.id };
      const pdf = Buffer.from(await papers.receipt(context.db, ref, "zh")).toString("latin1");
      return [...pdf.matchAll(/\/BaseFont \/\w+\+(\w+)/g)].map(([, name]) => name);
    };
    expect(await fontsOf(undefined)).not.toContain("NotoSansSC");
    expect(await fontsOf(fontFile)).toContain("NotoSansSC");
  });

  const paper = (url: string) => app.inject({ url, headers: { "x-api-key": key } });

  it("is the receipt of a payment in any language, and refused before money is confirmed", async () => {
    const { charge } = await paid();
    for (const language of ["en", "fa", "zh-Hans", "xx"]) {
      const answer = await paper(`/v1/deposit-addresses/${charge.id}/receipt?language=${language}`);
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.headers["content-type"]).toBe("application/pdf");
      expect(answer.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
    }
    const unpaid = await aCharge(context.db, { merchantId });
    const refused = await paper(`/v1/deposit-addresses/${unpaid.id}/receipt`);
    expect(refused.json().error.code).toBe("NOTHING_RECEIVED");
    const other = await aCharge(context.db, { merchantId: (await aMerchant(context.db)).id });
    expect((await paper(`/v1/deposit-addresses/${other.id}/receipt`)).statusCode).toBe(404);
  });

  it("is the statement of a month, as PDF and as a workbook with its balances", async () => {
    await paid();
    const month = new Date().toISOString().slice(0, 7);
    const pdf = await paper(`/v1/statements?month=${month}&format=pdf&language=ar`);
    expect(pdf.statusCode, pdf.body).toBe(200);
    expect(pdf.rawPayload.subarray(0, 5).toString()).toBe("%PDF-");
    const workbook = await paper(`/v1/statements?month=${month}&format=xlsx`);
    const [sheet] = await readXlsxFile(workbook.rawPayload);
    const kinds = (sheet as { data: unknown[][] }).data.map((row) => row[1]);
    expect(kinds).toEqual(["kind", "opening", "opening", "deposit", "fee", "so_far", "so_far"]);
  });

  it("of more entries than a PDF holds is refused", async () => {
    const { charge } = await paid();
    await context.owner.query(sql`
      update ledger_totals set lines = 5001 where merchant_id = ${merchantId} and kind = 'deposit'`);
    const month = new Date().toISOString().slice(0, 7);
    const refused = await paper(`/v1/statements?month=${month}&format=pdf`);
    expect(refused.json()).toMatchObject({ error: { code: "EXPORT_TOO_LARGE" } });
    expect(refused.json().message).toContain("format=csv");
    await context.owner.query(sql`
      update ledger_totals set lines = 1 where merchant_id = ${merchantId} and kind = 'deposit'`);
    expect(charge.id).toBeDefined();
  });
});
