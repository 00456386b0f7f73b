import { createLookUp } from "@daric/deposits/lookup/look-up";
import type { MerchantId } from "@daric/domain/ids";
import { sql } from "@daric/postgres/sql";
import { systemClock } from "@daric/runtime/clock";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { searchPayments } from "./search-payments.ts";
import { createTermWriter } from "./write-terms.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
});

const order = (overrides: object = {}) =>
  aCharge(context.db, { merchantId, amount: "10", ...overrides } as never);
const writeTerms = () => createTermWriter({ db: context.db, clock: systemClock }).step();
const search = (text: string) => {
  const lookUp = createLookUp(context);
  const asker = { merchantId, clientAddress: "10.0.0.1" };
  return searchPayments({ ...context, lookUp, currentChain: () => undefined }, asker, text);
};
const find = async (text: string) => (await search(text)).hits.map(({ charge, why }) => [charge.id, why]);
const setTexts = (id: string, metadata: object) =>
  context.owner.query(sql`
    update deposit_addresses set metadata = ${JSON.stringify(metadata)}::json where merchant_id = ${merchantId} and id = ${id}`);

const group = (text: string, blank: string) => text.replace(/(.{4})(?=.)/g, `$1${blank}`);

describe("before its terms are written", () => {
  it("a payment is found by what is exact: id, reference, customer, address, page, transaction and amount", async () => {
    const charge = await order({ orderRef: "INV-77" });
    const { txId } = await depositOf(charge.id, "10");
    const found = [
      [charge.id, "id"],
      [`https://pay.example/payments/${charge.id}?tab=1`, "id"],
      [charge.checkoutToken, "id"],
      [`https://pay.example/pay/${charge.checkoutToken}?lang=es`, "id"],
      ["INV-77", "order reference"],
      ["INV-", "order reference"],
      [charge.address, "address"],
      [`tron:${charge.address}?amount=1`, "address"],
      [group(charge.address, " "), "address"],
      [group(charge.address, "\u00a0"), "address"],
      [`${charge.address.slice(0, 17)}\n${charge.address.slice(17)}`, "address"],
      [`${charge.address.slice(0, 8)}…${charge.address.slice(-8)}`, "address"],
      [`${charge.address.slice(0, 4)}...${charge.address.slice(-6)}`, "address"],
      [txId, "transaction"],
      [`https://tronscan.org/#/transaction/${txId}`, "transaction"],
      [`${txId.slice(0, 32)}\r\n${txId.slice(32)}`, "transaction"],
      [`${txId.slice(0, 8)}…${txId.slice(-8)}`, "transaction"],
      ["10", "amount"],
      ["10,00 USDT", "amount"],
    ] as const;
    for (const [text, why] of found) expect(await find(text), text).toEqual([[charge.id, why]]);
  });
});

/** With its transaction and sender. */
async function depositOf(chargeId: string, amount: string) {
  const deposit = await aDeposit(context.db, { chargeId, amount } as never);
  const [row] = await context.db.query<{ txId: string; sender: string | null }>(sql`
    select tx_id as "txId", from_address as sender from deposits where merchant_id = ${merchantId} and id = ${deposit.id}`);
  if (row === undefined) throw new Error("no deposit");
  return row;
}

describe("once its terms are written", () => {
  it("a payment is found by its words, in any case, width and composition", async () => {
    const stored = {
      label: [
        "Éclair 12",
        "ŞİŞLİ 3",
        "Παραγγελία 5",
        "Cafe\u0301-1",
        "ＡＢＣ",
        "订单王小明",
        "MÜLLER & Söhne",
      ],
      orderRef: ["ЗАКАЗ-0042", "Seek 1 x", "INV-78"],
    };
    const ids = new Map<string, string>();
    for (const [field, texts] of Object.entries(stored))
      for (const text of texts) ids.set(text, (await order({ [field]: text })).id);
    const withMetadata = await order();
    await setTexts(withMetadata.id, { name: "Иванов С.", path: "a\\b", mail: "Bob@mail.example" });
    await writeTerms();
    const cases = [
      ["éclair", "Éclair 12", "label"],
      ["şişli 3", "ŞİŞLİ 3", "label"],
      ["παραγγελια 5".replace("ια", "ία"), "Παραγγελία 5", "label"],
      ["Café-1", "Cafe\u0301-1", "label"],
      ["cafe\u0301", "Cafe\u0301-1", "label"],
      ["abc", "ＡＢＣ", "label"],
      ["王小明", "订单王小明", "label"],
      ["明", "订单王小明", "label"],
      ["müll", "MÜLLER & Söhne", "label"],
      ["söhne müller", "MÜLLER & Söhne", "label"],
      ["заказ-", "ЗАКАЗ-0042", "order reference"],
      ["заказ 0042", "ЗАКАЗ-0042", "order reference"],
      ["SEEK 1…", "Seek 1 x", "order reference"],
      ["seek\u00a01", "Seek 1 x", "order reference"],
      ["78", "INV-78", "order reference"],
      ["#78", "INV-78", "order reference"],
      ["inv-78", "INV-78", "order reference"],
      ["#inv-78", "INV-78", "order reference"],
      ["“INV-78”", "INV-78", "order reference"],
      ["IN\u200bV-\u200e78", "INV-78", "order reference"],
    ] as const;
    for (const [text, of, why] of cases) expect(await find(text), text).toContainEqual([ids.get(of), why]);
    for (const text of ["иванов", "ИВАНОВ с", "a\\b", "bob@mail", "BOB@MAIL.EXAMPLE"])
      expect(await find(text), text).toEqual([[withMetadata.id, "metadata"]]);
    expect(await find("müller nobody")).toEqual([]);
  });

  it("a payment is found by its price, by what it got, and by the sender", async () => {
    const usd = await order({ fiatAmount: "49.90" });
    const large = await order({ amount: "1200.5" });
    const twelve = await order({ amount: "1200" });
    const small = await order({ amount: "1.2" });
    const { sender } = await depositOf(small.id, "20.25");
    await depositOf(small.id, "40.25");
    await writeTerms();
    const cases: [string, string[]][] = [
      ["49.90", [usd.id]],
      ["$49.9", [usd.id]],
      ["49,90 USD", [usd.id]],
      ["1,200.50 USDT", [large.id]],
      ["1.200,50", [large.id]],
      ["1\u202f200,50 USDT", [large.id]],
      ["۱٬۲۰۰٫۵۰", [large.id]],
      ["1.200,00 USDT", [twelve.id]],
      ["1.200", [twelve.id, small.id]],
      ["20,25", [small.id]],
      ["60.50", [small.id]],
      [sender ?? "none", [small.id]],
      [`${sender?.slice(0, 8)}…${sender?.slice(-8)}`, [small.id]],
    ];
    for (const [text, ids] of cases)
      expect((await find(text)).map(([id]) => id).toSorted(), text).toEqual(ids.toSorted());
  });

  it("a rare word leads over the many rows of a common one; where many have one of two words, the newest are searched and the answer says so", async () => {
    const both = await order({ label: "blue large zanzibar" });
    await writeTerms();
    const rows = 1_200;
    await context.owner.query(sql`
      insert into search_terms (merchant_id, term, deposit_address_id)
      select ${merchantId}, case when n % 2 = 0 then 'blue' else 'large' end, uuidv7(n * interval '1 second') from generate_series(1, ${2 * rows}) n`);
    expect((await search("blue large")).hits).toEqual([]);
    expect((await search("blue large")).isCut).toBe(true);
    for (const text of ["blue zanzibar", "zanzibar large blue", "large zanz", "zanzibar bl"]) {
      const { hits, isCut } = await search(text);
      expect([hits.map(({ charge }) => charge.id), isCut], text).toEqual([[both.id], false]);
    }
    await context.owner.query(sql`
      delete from search_terms where merchant_id = ${merchantId} and deposit_address_id > ${both.id}`);
    expect(await search("blue large")).toMatchObject({ hits: [{ charge: { id: both.id } }], isCut: false });
  });

  it("a merchant finds none of another one's, by any way", async () => {
    const charge = await order({ orderRef: "INV-77", label: "mug" });
    const { txId, sender } = await depositOf(charge.id, "12.5");
    await writeTerms();
    merchantId = (await aMerchant(context.db)).id;
    const ends = (text: string) => `${text.slice(0, 6)}…${text.slice(-6)}`;
    for (const text of [
      charge.id,
      charge.checkoutToken,
      charge.address,
      ends(charge.address),
      txId,
      ends(txId),
      sender ?? "",
      "INV-77",
      "mug",
      "12.5",
    ])
      expect(await find(text), text).toEqual([]);
  });
});
