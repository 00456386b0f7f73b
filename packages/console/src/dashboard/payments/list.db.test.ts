import { listPayments } from "@daric/charges/list-charges";
import { type BrowsedFilter, LOOKED_AT } from "@daric/charges/list-filter-store";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { aPaymentLink } from "@daric/testing/payment-link-builder";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { plansOf } from "@daric/testing/plans";
import { settleCharges } from "@daric/testing/settle-charges";
import { counted } from "@daric/totals/list-store";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let browser: Browser;
beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  app = createApp(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  const places = [{ merchantId, role: "viewer" }] as const;
  browser = await signedIn(app, await aPerson(context, { places }), merchantId);
});

const order = (orderRef: string | null, more: object = {}) =>
  aCharge(context.db, { merchantId, amount: "10", orderRef, ...more });

/** An order with one confirmed deposit, as the watcher leaves it. */
async function paid(orderRef: string, amount: string, more: object = {}): Promise<void> {
  const { id } = await order(orderRef, more);
  await aDeposit(context.db, { chargeId: id, amount });
  await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id }]));
}

const read = async (query: string) => (await browser.send(`/dashboard/v1/payments${query}`)).body;
const referencesOf = async (query: string): Promise<string[]> =>
  (await read(query)).data.map(({ order_ref }: { order_ref: string }) => order_ref);

/** Every page until the list ends. */
async function whole(query: string): Promise<string[]> {
  const found: string[] = [];
  let after = "";
  do {
    const { data, meta } = await read(`${query}${after}`);
    found.push(...data.map(({ order_ref }: { order_ref: string }) => order_ref));
    after = meta.next === null ? "" : `&after=${meta.next}`;
  } while (after !== "");
  return found;
}

describe("the list of payments", () => {
  it("has what is paid, and what is partly paid, whatever its status", async () => {
    await paid("exact", "10");
    await paid("over", "25");
    await paid("short, waits", "4");
    await paid("short, over", "4", { status: "EXPIRED" });
    await order("accepted", { status: "ARCHIVED", acceptedAt: new Date() });
    await order("waits");
    await order("closed", { status: "ARCHIVED" });
    expect(await referencesOf("?payment=paid")).toEqual(["accepted", "over", "exact"]);
    expect(await referencesOf("?payment=short")).toEqual(["short, over", "short, waits"]);
    expect(await referencesOf("?payment=short&status=ACTIVE")).toEqual(["short, waits"]);
    expect(await referencesOf("?payment=paid&kind=open")).toEqual([]);
  });

  it("has the orders of one payment link, and those of one reference in its address", async () => {
    const click = async (orderRef: string, linkId: string, payerRef: string | null) => {
      const { id } = await order(orderRef);
      await context.owner.query(sql`
        update deposit_addresses set payment_link_id = ${linkId}, payer_ref = ${payerRef}
        where merchant_id = ${merchantId} and id = ${id}`);
    };
    const { id: mine } = await aPaymentLink(context, merchantId);
    const { id: other } = await aPaymentLink(context, merchantId);
    await click("one", mine, "mail");
    await click("two", mine, null);
    await click("three", other, "mail");
    await order("four");
    expect(await referencesOf(`?paymentLinkId=${mine}`)).toEqual(["two", "one"]);
    expect(await referencesOf("?payerRef=mail")).toEqual(["three", "one"]);
    expect(await referencesOf(`?paymentLinkId=${mine}&payerRef=mail&status=ACTIVE`)).toEqual(["one"]);
    expect(await referencesOf(`?paymentLinkId=${mine}&status=ARCHIVED`)).toEqual([]);
    expect(await whole(`?paymentLinkId=${mine}&limit=1`)).toEqual(["two", "one"]);
  });

  it("finds references by how they begin, letter by letter, the greatest first", async () => {
    for (const reference of ["A-10", "A-1042", "A-1043", "a-1044", "B-A-10", "A_10", null])
      await order(reference);
    await paid("A-1045", "10");
    expect(await referencesOf("?reference=A-10")).toEqual(["A-1045", "A-1043", "A-1042", "A-10"]);
    expect(await referencesOf("?reference=A-10&payment=paid")).toEqual(["A-1045"]);
    expect(await referencesOf("?reference=A-10&status=ACTIVE")).toEqual(["A-1043", "A-1042", "A-10"]);
    expect(await referencesOf(`?reference=${encodeURIComponent("%")}`)).toEqual([]);
    expect(await whole("?reference=A&limit=2")).toEqual(["A_10", "A-1045", "A-1043", "A-1042", "A-10"]);
  });

  it("has what was made in a range of time", async () => {
    for (const day of ["2026-01-01", "2026-02-01", "2026-03-01"])
      await order(day, { createdAt: new Date(`${day}T12:00:00Z`) });
    expect(await referencesOf("?from=2026-02-01T12:00:00Z")).toEqual(["2026-03-01", "2026-02-01"]);
    expect(await referencesOf("?to=2026-02-01T12:00:00Z")).toEqual(["2026-01-01"]);
    expect(await whole("?from=2026-01-02T00:00:00Z&to=2026-03-02T00:00:00Z&limit=1")).toEqual([
      "2026-03-01",
      "2026-02-01",
    ]);
    expect((await browser.send("/dashboard/v1/payments?from=yesterday")).status).toBe(422);
  });

  it("has the total if no row must be read for it", async () => {
    await order("one");
    await order("two", { status: "EXPIRED" });
    expect((await read("")).meta).toEqual({ total: 2, next: null });
    expect((await read("?status=EXPIRED&limit=1")).meta).toMatchObject({
      total: 1,
      next: expect.any(String),
    });
    expect((await read("?payment=paid")).meta).toEqual({ total: null, next: null });
  });

  it("has no address, and no row of another merchant; an unknown row to read on from is refused", async () => {
    const { id } = await order("mine");
    const { data } = await read("?reference=mine");
    expect(Object.keys(data[0])).not.toContain("address");
    const other = (await aMerchant(context.db)).id;
    const places = [{ merchantId: other, role: "owner" }] as const;
    const stranger = await signedIn(app, await aPerson(context, { places }), other);
    for (const query of ["", "?reference=mine", "?payment=short"])
      expect((await stranger.send(`/dashboard/v1/payments${query}`)).body.data).toEqual([]);
    const { body } = await stranger.send(`/dashboard/v1/payments?after=${id}`);
    expect(body.error.details).toEqual([{ path: "after", message: "must be the id of a row of this list" }]);
  });
});

describe("a list of which few rows fit", () => {
  beforeEach(async () => {
    await paid("t1", "4", { createdAt: new Date(Date.now() - 3_600_000) });
    await order("t2", { status: "ARCHIVED" });
    await context.owner.query(sql`
      with made as (
        insert into deposit_addresses
        select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'checkout_token', 'copy ' || n))).*
        from deposit_addresses one, generate_series(1, ${LOOKED_AT}::integer) n
        where one.merchant_id = ${merchantId} and one.order_ref = 't2' returning *
      )
      ${counted("deposit_addresses", sql`select merchant_id, array[kind, status, chain] as facets, 1 as delta from made`)}`);
    await context.owner.query(sql`
      insert into charge_sums (merchant_id, deposit_address_id)
      select merchant_id, id from deposit_addresses where merchant_id = ${merchantId} on conflict do nothing`);
    await context.owner.query(sql`analyze`);
  });

  it("is read on beyond a page without rows, to its end", async () => {
    for (const query of ["?payment=short", "?reference=t&payment=short"]) {
      const { data, meta } = await read(query);
      expect([data, meta.next], query).toEqual([[], expect.any(String)]);
    }
    expect(await whole("?payment=short")).toEqual(["t1"]);
    expect(await whole("?reference=t&payment=short")).toEqual(["t1"]);
  });

  it("is read by an index, in every order", async () => {
    const filters: BrowsedFilter[] = [
      { merchantId, payment: "paid" },
      { merchantId, payment: "short" },
      { merchantId, reference: "A" },
      { merchantId, reference: "A", status: "EXPIRED" },
      { merchantId, from: new Date(0), to: new Date() },
      { merchantId, kind: "order", from: new Date(0) },
    ];
    const url = context.config.runtime.databaseUrl;
    for (const filter of filters) {
      const plans = await plansOf({ db: context.db, url }, (db) => listPayments(db, filter, { limit: 50 }));
      expect(plans.length).toBeGreaterThan(0);
      const scans = plans.flatMap((plan) => plan.scans);
      const whole = scans.filter((scan) => scan.endsWith(" whole") && !scan.startsWith("scan_cursors"));
      expect(whole).toEqual([]);
    }
  });
});
