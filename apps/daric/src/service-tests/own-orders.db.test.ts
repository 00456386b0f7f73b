import { createTermWriter } from "@daric/console/dashboard/search/write-terms";
import type { MerchantId, PersonId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { systemClock } from "@daric/runtime/clock";
import { aMerchant, anAddress, anApiKey } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { roleTable } from "@daric/testing/role-table";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";

/** A person, and everything that only this person's orders and links have. */
type Till = {
  readonly browser: Browser;
  readonly personId: PersonId;
  readonly orders: readonly string[];
  readonly link: string;
  readonly deposits: readonly string[];
  readonly texts: readonly string[];
};

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let owner: Browser;
/** of the first cashier */
let mine: Till;
/** what the first cashier was answered before anybody else did anything */
let alone: Map<string, string>;
/** of another cashier, of the owner, and of a key */
let others: readonly Till[];

const LISTS = [
  "/v1/deposit-addresses?limit=100",
  "/v1/deposit-addresses?kind=order&status=ARCHIVED",
  "/v1/deposit-addresses?paymentStatus=paid",
  "/v1/payment-links?limit=100",
  "/v1/payment-links?status=active",
  "/v1/deposits?limit=100",
  "/v1/deposits?status=CONFIRMED&currency=USDT",
  "/dashboard/v1/home?timeZone=UTC",
  "/dashboard/v1/payments",
  "/dashboard/v1/payments?payment=short",
  "/dashboard/v1/payments?payment=paid",
  "/dashboard/v1/payments?kind=order&reference=R",
  "/dashboard/v1/inbox",
  "/dashboard/v1/search?q=ticket",
  "/dashboard/v1/search?q=R-",
  "/dashboard/v1/search?q=7.31",
];

beforeAll(async () => {
  context = await createTestContext({ ...amplePeopleLimits, PUBLIC_BASE_URL: "http://127.0.0.1:3000" });
  app = createApp(context);
  merchantId = (await aMerchant(context.db)).id;
  owner = await signedIn(
    app,
    await aPerson(context, { places: [{ merchantId, role: "owner" }] }),
    merchantId,
  );
  mine = await aTill("cashier", "ALPHA");
  await writeTerms();
  alone = new Map();
  for (const url of LISTS) alone.set(url, withoutTime((await mine.browser.send(url)).text));
  others = [await aTill("cashier", "BRAVO"), await aTill("owner", "OSCAR"), await aTill("key", "KILO")];
  await writeTerms();
}, 120_000);
afterAll(async () => {
  await app.close();
  await context.close();
});

const writeTerms = () => createTermWriter({ db: context.db, clock: systemClock }).step();
const withoutTime = (text: string) => text.replace(/"(as_of|date)":"[^"]*"/g, "");

async function aTill(role: "cashier" | "owner" | "key", mark: string): Promise<Till> {
  const place = { merchantId, role: role === "key" ? "owner" : role } as const;
  const person = await aPerson(context, { places: [place] });
  const browser = await signedIn(app, person, merchantId);
  const { key } = await anApiKey(context, merchantId);
  const send = async (url: string, payload: object) => {
    if (role !== "key") return (await browser.send(url, payload)).body.data;
    return (await app.inject({ method: "POST", url, headers: { "x-api-key": key }, payload })).json().data;
  };
  const order = (amount: string, reference: string) =>
    send("/v1/deposit-addresses", {
      ...{ amount, orderRef: `R-${mark}-${reference}`, label: `${mark} ticket` },
      metadata: { seat: `${mark}-seat` },
    });
  const [short, over, paid] = [
    await order("25", "SHORT"),
    await order("7.31", "OVER"),
    await order("9", "PAID"),
  ];
  const link = await send("/v1/payment-links", {
    title: `${mark} ticket`,
    amount: "7.31",
    orderRefPrefix: `R-${mark}`,
  });
  const click = await app.inject({
    method: "POST",
    url: `/v1/links/${link.token}/orders`,
    remoteAddress: `203.0.113.${mark.charCodeAt(0)}`,
    payload: { ref: `payer-${mark}` },
  });
  expect(click.statusCode).toBe(201);
  const [clicked] = await context.db.query<{
    id: string;
    address: string;
    token: string;
    reference: string;
  }>(sql`
    select id, address, checkout_token as token, order_ref as reference from deposit_addresses
    where merchant_id = ${merchantId} and payment_link_id = ${link.id}`);
  const sender = anAddress();
  const deposits = [];
  for (const [chargeId, amount] of [
    [short.id, "4"],
    [over.id, "30"],
    [paid.id, "9"],
    [clicked?.id ?? "", "7.31"],
  ] as const)
    deposits.push(await aDeposit(context.db, { chargeId, amount, fromAddress: sender }));
  const orders = [short, over, paid];
  return {
    browser,
    personId: person.id,
    orders: [...orders.map(({ id }) => id), clicked?.id ?? ""],
    link: link.id,
    deposits: deposits.map(({ id }) => id),
    texts: [
      ...orders.flatMap((row) => [row.id, row.address, row.checkout_token, row.order_ref]),
      ...[clicked?.id ?? "", clicked?.address ?? "", clicked?.token ?? "", clicked?.reference ?? ""],
      ...[link.id, link.token, `${mark} ticket`, `${mark}-seat`, `payer-${mark}`, sender],
      ...deposits.flatMap(({ id, txId }) => [id, txId]),
    ],
  };
}

/** Every question about one till that names something of it. */
function questionsOf({ orders, link, deposits, texts }: Till): string[] {
  const filters = [
    ...texts.flatMap((text) => [
      `/dashboard/v1/search?q=${encodeURIComponent(text)}`,
      `/dashboard/v1/search?q=${encodeURIComponent(`${text.slice(0, 8)}…${text.slice(-8)}`)}`,
    ]),
    ...orders.flatMap((id) => [
      `/v1/deposit-addresses/${id}`,
      `/v1/deposit-addresses?after=${id}`,
      `/v1/deposits?depositAddressId=${id}`,
      `/dashboard/v1/payments?after=${id}`,
      `/dashboard/v1/payments/${id}/story`,
    ]),
    ...deposits.flatMap((id) => [`/v1/deposits/${id}`, `/v1/deposits?after=${id}`]),
    ...texts
      .filter((text) => /^[0-9a-f]{64}$/.test(text))
      .flatMap((txHash) => [`/v1/lookup?txHash=${txHash}`, `/v1/deposits?txHash=${txHash}`]),
    ...texts
      .filter((text) => text.startsWith("R-"))
      .flatMap((reference) => [
        `/v1/deposit-addresses?orderRef=${reference}`,
        `/v1/deposits?orderRef=${reference}`,
        `/dashboard/v1/payments?reference=${reference}`,
      ]),
    `/v1/payment-links/${link}`,
    `/v1/payment-links?after=${link}`,
    `/v1/deposit-addresses?paymentLinkId=${link}`,
    `/v1/deposits?paymentLinkId=${link}`,
    `/dashboard/v1/payments?paymentLinkId=${link}`,
  ];
  const payerRef = texts.find((text) => text.startsWith("payer-"));
  return [
    ...filters,
    `/v1/deposit-addresses?payerRef=${payerRef}`,
    `/v1/deposits?payerRef=${payerRef}`,
    `/dashboard/v1/payments?payerRef=${payerRef}`,
  ];
}

async function answersTo(browser: Browser, urls: readonly string[]): Promise<string> {
  const texts = [];
  for (const url of urls) {
    const { status, text } = await browser.send(url);
    expect([200, 404, 422], `${url} ${text}`).toContain(status);
    texts.push(text);
  }
  return texts.join("\n");
}

const seenIn = (bytes: string, { texts }: Till) => texts.filter((text) => bytes.includes(text));

describe("a cashier", () => {
  it("sees each of the own orders and links, with those of a click and their deposits", async () => {
    const bytes = await answersTo(mine.browser, [...LISTS, ...questionsOf(mine)]);
    expect(seenIn(bytes, mine)).toEqual(mine.texts);
  });

  it("sees nothing of an order or link that another person or a key made, whatever the question names", async () => {
    for (const till of others) {
      const urls = [...LISTS, ...questionsOf(till)];
      expect(seenIn(await answersTo(mine.browser, urls), till)).toEqual([]);
      expect(seenIn(await answersTo(owner, urls), till)).toEqual(till.texts);
    }
  }, 180_000);

  it("asks about another's row as about one that does not exist", async () => {
    for (const { orders, link, deposits } of others)
      for (const url of [
        ...orders.flatMap((id) => [`/v1/deposit-addresses/${id}`, `/dashboard/v1/payments/${id}/story`]),
        ...deposits.map((id) => `/v1/deposits/${id}`),
        `/v1/payment-links/${link}`,
      ]) {
        const { status, body } = await mine.browser.send(url);
        expect([status, body.error.code], url).toEqual([404, "NOT_FOUND"]);
      }
  });

  it("is answered the same in every list, sum and search, whatever others do", async () => {
    for (const [url, before] of alone)
      expect([url, withoutTime((await mine.browser.send(url)).text)]).toEqual([url, before]);
    const { data } = (await mine.browser.send("/dashboard/v1/home?timeZone=UTC")).body;
    expect(data.month.orders_created).toBe(4);
  });

  it("changes nothing of an order or link that another made, by any route that narrows", async () => {
    const bodies: Record<string, object> = {
      "POST /v1/deposit-addresses/:id/extend": { seconds: 60 },
      "POST /v1/test/deposit-addresses/:id/simulate": { case: "exact" },
      "PATCH /v1/payment-links/:id": { isActive: false, title: "taken" },
      "POST /dashboard/v1/inbox/:id/decide": { decision: "archive", note: "x" },
    };
    const narrowing = roleTable.filter(({ own }) => own !== undefined).flatMap((group) => group.routes);
    const writes = narrowing.filter((name) => !name.startsWith("GET") && name.includes(":id"));
    expect(writes.length).toBeGreaterThan(5);
    const before = await rowsOf(others);
    for (const name of writes)
      for (const id of others.flatMap(({ orders, link, deposits }) => [...orders, link, ...deposits])) {
        const [method = "", url = ""] = name.split(" ");
        const answer = await mine.browser.send(url.replace(":id", id), bodies[name] ?? {}, {
          method: method as "POST",
        });
        expect([name, answer.status, answer.body.error?.code]).toEqual([name, 404, "NOT_FOUND"]);
      }
    expect(await rowsOf(others)).toEqual(before);
  });

  it("gets no standing address, which may be another's", async () => {
    const body = { reusable: true, customerRef: "customer-1" };
    const { status, body: answer } = await mine.browser.send("/v1/deposit-addresses", body);
    expect([status, answer.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
  });

  it("keeps an order whose rest another person asks for, and sees the rest", async () => {
    const charge = await aCharge(context.db, {
      merchantId,
      createdBy: mine.personId,
      amount: "20",
      orderRef: "REST",
    });
    await aDeposit(context.db, { chargeId: charge.id, amount: "5" });
    const rest = (await owner.send(`/v1/deposit-addresses/${charge.id}/rest`, {})).body.data;
    const { status, body } = await mine.browser.send(`/v1/deposit-addresses/${rest.id}`);
    expect([status, body.data.rest_of]).toEqual([200, charge.id]);
  });

  it("may not turn a key into sight of all: no route that makes one admits a cashier", async () => {
    const { status } = await mine.browser.send("/dashboard/v1/keys", { name: "x" });
    expect(status).toBe(403);
  });
});

function rowsOf(tills: readonly Till[]): Promise<object[]> {
  const ids = tills.flatMap(({ orders, link }) => [...orders, link]);
  return context.db.query(sql`
    select id, status, expires_at, updated_at from deposit_addresses
    where merchant_id = ${merchantId} and id = any(${ids}::uuid[])
    union all select id, title, expires_at, updated_at from payment_links
    where merchant_id = ${merchantId} and id = any(${ids}::uuid[])
    order by id`);
}
