import { archiveCharge } from "@daric/charges/close/archive-charge";
import type { ChargeId, MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { updateMerchantTerms } from "@daric/merchants/store";
import { sql } from "@daric/postgres/sql";
import { localTime } from "@daric/runtime/time-zone";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { aCharge, aDeposit } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { raceRoundsOfTwo, startTogether } from "@daric/testing/races";
import { startReceiver } from "@daric/testing/receiver";
import { settleCharges } from "@daric/testing/settle-charges";
import {
  aBacklog,
  anEndpointRow,
  announceDeposit,
  claimAsIdle,
  deliver,
} from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readOrders, readVolumes } from "./home-store.ts";
import { sumOfDays, toDays } from "./schema.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let browser: Browser;
let personId: string;
beforeAll(async () => {
  context = await createTestContext({ ...amplePeopleLimits, WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8" });
  app = createApp(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
});
beforeEach(async () => {
  merchantId = (await aMerchant(context.db)).id;
  const person = await aPerson(context, { places: [{ merchantId, role: "developer" }] });
  personId = person.id;
  browser = await signedIn(app, person, merchantId);
});

const order = (overrides: object = {}) =>
  aCharge(context.db, { merchantId, amount: "10", ...overrides } as never);

const hours = (count: number) => new Date(Date.now() + count * 3_600_000);

describe("search", () => {
  it("answers each found payment with its date, its state and why it fits", async () => {
    const charge = await order({ orderRef: "A-1042" });
    await aDeposit(context.db, { chargeId: charge.id, amount: "10", status: "CONFIRMED" } as never);
    const search = async (text: string) =>
      (await browser.send(`/dashboard/v1/search?q=${encodeURIComponent(text)}`)).body.data.results;
    expect(await search(" A-10 ")).toMatchObject([
      {
        id: charge.id,
        why: "order reference",
        created_at: charge.createdAt.toISOString(),
        amount_due: "10",
        amount_received: "10",
        state: "paid",
      },
    ]);
    expect(await search("10,00 USDT")).toMatchObject([{ id: charge.id, why: "amount" }]);
    expect(await search("nothing")).toEqual([]);
  });
});

describe("the inbox", () => {
  it("lists what ended short or got too much, until it is decided, and the decision is the one of /v1", async () => {
    const admin = await aPerson(context, { places: [{ merchantId, role: "admin" }] });
    const browser = await signedIn(app, admin, merchantId);
    const short = await order({ status: "EXPIRED", orderRef: "short" });
    await aDeposit(context.db, { chargeId: short.id, amount: "4", status: "CONFIRMED" } as never);
    const over = await order({ orderRef: "over" });
    await aDeposit(context.db, { chargeId: over.id, amount: "25", status: "CONFIRMED" } as never);
    const paid = await order({ orderRef: "paid" });
    await aDeposit(context.db, { chargeId: paid.id, amount: "10", status: "CONFIRMED" } as never);
    const read = async () =>
      (await browser.send("/dashboard/v1/inbox")).body.data.map(
        (row: { order_ref: string; reasons: string[] }) => [row.order_ref, ...row.reasons],
      );
    expect((await read()).toSorted()).toEqual([
      ["over", "overpaid"],
      ["short", "underpaid"],
    ]);
    const url = `/dashboard/v1/inbox/${short.id}/decide`;
    const decided = await browser.send(url, { decision: "accept", note: "a regular" });
    expect(decided.body.data).toMatchObject({ decision: "accept", text: "a regular" });
    const { data } = (await browser.send(`/v1/deposit-addresses/${short.id}`)).body;
    expect(data).toMatchObject({ status: "ARCHIVED", accept_reason: "a regular" });
    expect((await browser.send(url, { decision: "accept", note: "again" })).body.error.code).toBe(
      "ORDER_ALREADY_PAID",
    );
    await browser.send(`/dashboard/v1/inbox/${over.id}/decide`, { decision: "dismiss", note: "sent back" });
    expect(await read()).toEqual([]);
    const log = await context.db.query(sql`
      select action, before, after, reason from audit_log where merchant_id = ${merchantId} order by id`);
    expect(log).toMatchObject([
      {
        action: "accept payment",
        before: { status: "EXPIRED" },
        after: { status: "ARCHIVED" },
        reason: "a regular",
      },
      { action: "dismiss payment", reason: "sent back" },
    ]);
  });

  it("has no task about a short order whose rest is open or paid, but about money that comes beside the rest", async () => {
    const receive = async (chargeId: ChargeId, amount: string) => {
      await aDeposit(context.db, { chargeId, amount });
      await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id: chargeId }]));
    };
    const shortOrder = async (orderRef: string) => {
      const { id } = await order({ status: "EXPIRED", orderRef });
      await receive(id, "4");
      return id;
    };
    const ask = async (id: string) => (await browser.send(`/v1/deposit-addresses/${id}/rest`, {})).body.data;
    const read = async () =>
      (await browser.send("/dashboard/v1/inbox")).body.data
        .map((row: { order_ref: string; reasons: string[] }) => [row.order_ref, ...row.reasons])
        .toSorted();
    const open = await shortOrder("open");
    const paid = await shortOrder("paid");
    const again = await shortOrder("again");
    expect(await read()).toEqual([
      ["again", "underpaid"],
      ["open", "underpaid"],
      ["paid", "underpaid"],
    ]);
    const first = await ask(open);
    expect(first).toMatchObject({ rest_of: open, amount_due: "6" });
    expect((await ask(open)).id).toBe(first.id);
    await receive((await ask(paid)).id, "6");
    const rest = await ask(again);
    expect(await read()).toEqual([]);

    await receive(again, "1");
    await receive(open, "0.001");
    await receive(paid, "6");
    expect(await read()).toEqual([
      ["again", "late"],
      ["paid", "overpaid"],
    ]);

    for (const { id } of [rest, first]) await browser.send(`/v1/deposit-addresses/${id}/archive`, {});
    expect(await read()).toEqual([
      ["again", "underpaid"],
      ["open", "underpaid"],
      ["paid", "overpaid"],
    ]);
  });

  it("has no task about a rest that a newer one takes over, nor about parts that add up to the price", async () => {
    const receive = async (id: ChargeId, amount: string) => {
      await aDeposit(context.db, { chargeId: id, amount });
      await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id }]));
    };
    const { id } = await order({ status: "EXPIRED", orderRef: "parts" });
    const act = async (of: string, action: string) =>
      (await browser.send(`/v1/deposit-addresses/${of}/${action}`, {})).body.data;
    const read = async () =>
      (await browser.send("/dashboard/v1/inbox")).body.data.map((row: { reasons: string[] }) => row.reasons);
    await receive(id, "4");
    const older = await act(id, "rest");
    await receive(older.id, "1");
    await act(older.id, "archive");
    expect(await read()).toEqual([["underpaid"]]);
    const newer = await act(id, "rest");
    expect([newer.amount_due, await read()]).toEqual(["5", []]);
    await receive(older.id, "2");
    expect(await read()).toEqual([["late"]]);
    await receive(newer.id, "3");
    expect(await read()).toEqual([]);
    const story = (await browser.send(`/dashboard/v1/payments/${older.id}/story`)).body.data;
    expect(story.family.map((row: { id: string; state: string }) => [row.id, row.state])).toEqual([
      [id, "accepted"],
      [older.id, "underpaid"],
      [newer.id, "underpaid"],
    ]);
    const first = (await browser.send(`/dashboard/v1/payments/${id}/story`)).body.data;
    expect(first.difference).toBe("0");
    await receive(older.id, "1");
    expect(await read()).toContainEqual(["overpaid"]);
  });

  it("tells the money of an order and its rests, without dust, and their price", async () => {
    const receive = async (chargeId: ChargeId, amount: string) => {
      await aDeposit(context.db, { chargeId, amount });
      await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id: chargeId }]));
    };
    const { id } = await order({ amount: "30", status: "EXPIRED" });
    await receive(id, "10");
    const rest = (await browser.send(`/v1/deposit-addresses/${id}/rest`, {})).body.data;
    await receive(id, "8");
    await receive(id, "0.002");
    await receive(rest.id, "20");
    const sums = { credited_amount: "38", price_amount: "30" };
    const { data } = (await browser.send("/dashboard/v1/inbox")).body;
    expect(data).toMatchObject([{ id, reasons: ["overpaid"], ...sums }]);
    const story = (await browser.send(`/dashboard/v1/payments/${rest.id}/story`)).body.data;
    expect(story).toMatchObject(sums);
  });

  it("names money of the other currency, which no sum counts", async () => {
    const { id } = await order({ orderRef: "other" });
    await aDeposit(context.db, { chargeId: id, amount: "7.5", currency: "TRX" });
    await aDeposit(context.db, { chargeId: id, amount: "2", currency: "TRX" });
    const { data } = (await browser.send("/dashboard/v1/inbox")).body;
    expect(data).toMatchObject([
      { order_ref: "other", reasons: ["unmatched"], amount_received: "0", currency: "USDT" },
    ]);
    expect(data).toMatchObject([{ unmatched_amount: "9.5", unmatched_currency: "TRX" }]);
  });

  it("a decision without a note, or an extension without a time, is refused and nothing is written", async () => {
    const { id } = await order();
    const decide = (body: object) => browser.send(`/dashboard/v1/inbox/${id}/decide`, body);
    expect((await decide({ decision: "archive", note: " " })).body.error.details).toMatchObject([
      { path: "note" },
    ]);
    expect((await decide({ decision: "extend", note: "x" })).body.error.details).toMatchObject([
      { path: "seconds" },
    ]);
    const story = await browser.send(`/dashboard/v1/payments/${id}/story`);
    expect(story.body.data.notes).toEqual([]);
  });
});

it("the story of a payment has its deposits and notes; another merchant's is not found", async () => {
  const { id } = await order();
  const deposit = await aDeposit(context.db, { chargeId: id, amount: "10" });
  await browser.send(`/dashboard/v1/payments/${id}/notes`, { text: "called, will pay on Monday" });
  const { data } = (await browser.send(`/dashboard/v1/payments/${id}/story`)).body;
  expect(data.notes).toMatchObject([{ text: "called, will pay on Monday", decision: null }]);
  expect(
    data.entries.every(
      (entry: { kind: string; id: string }) => entry.kind !== "deposit" || entry.id === deposit.id,
    ),
  ).toBe(true);
  merchantId = (await aMerchant(context.db)).id;
  const stranger = await signedIn(
    app,
    await aPerson(context, { places: [{ merchantId, role: "owner" }] }),
    merchantId,
  );
  for (const sent of [
    () => stranger.send(`/dashboard/v1/payments/${id}/story`),
    () => stranger.send(`/dashboard/v1/payments/${id}/notes`, { text: "x" }),
    () => stranger.send(`/dashboard/v1/inbox/${id}/decide`, { decision: "archive", note: "x" }),
  ])
    expect((await sent()).body.error.code).toBe("NOT_FOUND");
  expect((await stranger.send(`/dashboard/v1/search?q=${id}`)).body.data.results).toEqual([]);
});

it("the story of a payment has the checks of a deposit that is not final, in its block of now, and those of no other", async () => {
  const { id } = await order();
  const stuck = await aDeposit(context.db, {
    chargeId: id,
    amount: "10",
    status: "STUCK",
    stuckReason: "quorum",
  });
  const final = await aDeposit(context.db, { chargeId: id, amount: "1" });
  const lost = await aDeposit(context.db, { chargeId: id, amount: "1", status: "REORG_PENDING" });
  await context.owner.query(sql`
    insert into deposit_checks (merchant_id, deposit_id, name, block_id, result, detail, since)
    select merchant_id, id, name, case name when 'balance' then 'before' else block_id end,
      case name when 'quorum' then 'waiting' else 'passed' end, 'node.example says', '2026-01-01T10:00:00Z'
    from deposits, unnest(array['solidity', 'quorum', 'balance']) name
    where merchant_id = ${merchantId} and id = any(${[stuck.id, final.id, lost.id]}::uuid[])`);
  const { data } = (await browser.send(`/dashboard/v1/payments/${id}/story`)).body;
  const checks = data.entries.filter(({ kind }: { kind: string }) => kind === "check");
  const check = { kind: "check", id: stuck.id, at: "2026-01-01T10:00:00.000Z" };
  expect(checks).toEqual([
    { ...check, name: "solidity", result: "passed" },
    { ...check, name: "quorum", result: "waiting" },
  ]);
});

it("the story of a payment says how it closed, and when", async () => {
  const closingsOf = async (id: string) =>
    (await browser.send(`/dashboard/v1/payments/${id}/story`)).body.data.entries
      .filter(({ kind }: { kind: string }) => kind === "closing")
      .map(({ how, at }: { how: string; at: string }) => [
        how,
        Math.round((Date.parse(at) - Date.now()) / 3_600_000) + 0,
      ]);
  const past = { expiresAt: hours(-30), lateUntil: hours(-6) };
  expect(await closingsOf((await order()).id)).toEqual([]);
  expect(await closingsOf((await order({ ...past, status: "EXPIRED" })).id)).toEqual([
    ["expired", -30],
    ["late_over", -6],
  ]);
  expect(await closingsOf((await order({ ...past, status: "ARCHIVED" })).id)).toEqual([
    ["expired", -30],
    ["late_over", -6],
    ["closed", 0],
  ]);
  expect(await closingsOf((await order({ status: "ARCHIVED" })).id)).toEqual([["closed", 0]]);
  expect(await closingsOf((await order({ ...past, status: "ARCHIVED", acceptedAt: hours(-1) })).id)).toEqual([
    ["expired", -30],
    ["late_over", -6],
  ]);
  const { id } = await order({ ...past, status: "EXPIRED" });
  await aDeposit(context.db, { chargeId: id, amount: "10" });
  await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id }]));
  expect(await closingsOf(id)).toEqual([
    ["expired", -30],
    ["late_over", -6],
    ["too_late", 0],
  ]);
});

it("the figures add up: days, sums, open and abandoned orders", async () => {
  for (const amount of ["10", "2.5"]) {
    const { id } = await order();
    await aDeposit(context.db, { chargeId: id, amount, status: "CONFIRMED" } as never);
  }
  await order({ status: "EXPIRED" });
  const { id: late } = await order({ expiresAt: hours(-30), lateUntil: hours(-6), status: "EXPIRED" });
  await aDeposit(context.db, { chargeId: late, amount: "10", status: "CONFIRMED" });
  await context.db.transaction((tx) => settleCharges(context, tx, [{ merchantId, id: late }]));
  await archiveCharge(context, { merchantId, id: late });
  await updateMerchantTerms(context.db, merchantId, { timeZone: "Pacific/Kiritimati" });
  const { data } = (await browser.send("/dashboard/v1/home")).body;
  expect(data.days).toHaveLength(30);
  expect(data.month).toMatchObject({ volume: { USDT: "22.5", TRX: "0" }, orders_created: 4, orders_paid: 1 });
  expect(data.today).toEqual(data.month);
  expect(data).toMatchObject({ open: 2, abandoned: 2 });
  expect(data.days.at(-1)).toMatchObject({ volume: { USDT: "22.5" } });
  expect(data.days.at(-1).date).toBe(localTime(new Date(), "Pacific/Kiritimati").day);
});

it.each([
  ["2026-11-10T22:30:00Z", "2026-10-25", "2026-10-12"],
  ["2027-04-03T22:30:00Z", "2027-03-28", "2027-03-06"],
])(
  "the figures of %s in Berlin have the orders of %s once, beside a change of the clock",
  async (now, day, first) => {
    for (const at of ["00:30:00", "12:00:00"]) {
      const createdAt = new Date(`${day}T${at}Z`);
      const { id } = await order({ createdAt });
      await aDeposit(context.db, { chargeId: id, amount: "10", status: "CONFIRMED", createdAt } as never);
      await context.owner.query(sql`
      update deposits set confirmed_at = ${createdAt} where merchant_id = ${merchantId} and deposit_address_id = ${id}`);
    }
    const question = { merchantId, timeZone: "Europe/Berlin", now: new Date(now) };
    const volumes = await readVolumes(context.db, question);
    const days = toDays(question, volumes, await readOrders(context.db, question));
    expect(days[0]?.date).toBe(first);
    expect(days.filter(({ orders_created: count }) => count > 0)).toMatchObject([
      { date: day, orders_created: 2, volume: { USDT: "20" } },
    ]);
    expect(sumOfDays(days, volumes, days.length)).toMatchObject({
      volume: { USDT: "20" },
      orders_created: 2,
    });
  },
);

describe("exports", () => {
  it("have the rows of a range of time, and refuse what is no time", async () => {
    for (const day of ["2026-01-01", "2026-02-01", "2026-03-01"]) {
      const createdAt = new Date(`${day}T12:00:00Z`);
      const charge = await order({ orderRef: day, createdAt });
      await aDeposit(context.db, { chargeId: charge.id, amount: "10", createdAt });
    }
    const read = async (list: string, range: string) =>
      (await browser.send(`/dashboard/v1/exports/${list}?format=json&${range}`)).body;
    for (const list of ["payments", "deposits"]) {
      const inRange = await read(list, "from=2026-01-15T00:00:00Z&to=2026-02-15T00:00:00Z");
      expect(inRange.map((row: { order_ref: string }) => row.order_ref)).toEqual(["2026-02-01"]);
      expect(await read(list, "to=2026-01-01T00:00:00Z")).toEqual([]);
    }
    expect(await read("audit", "from=2027-01-01T00:00:00Z")).toEqual([]);
    expect(await read("deliveries", "from=2027-01-01T00:00:00Z")).toEqual([]);
    expect((await read("payments", "from=yesterday")).error.details[0].path).toBe("from");
  });

  it("have the refunds of a range, without a claim link, and of a row that another program wrote nothing", async () => {
    const admin = await signedIn(
      app,
      await aPerson(context, { places: [{ merchantId, role: "admin" }] }),
      merchantId,
    );
    const charge = await order({ amount: "10" });
    await aDeposit(context.db, { chargeId: charge.id, amount: "15" });
    const asking = { amount: "2", refundRef: "R-1" };
    const { body } = await admin.send(`/v1/deposit-addresses/${charge.id}/refunds`, asking);
    await admin.send(`/v1/deposit-addresses/${charge.id}/refunds`, { amount: "1", refundRef: "R-2" });
    await context.db.query(
      sql`update refunds set tx_id = repeat('a', 64) where merchant_id = ${merchantId} and refund_ref = 'R-2'`,
    );
    const rows = (await admin.send("/dashboard/v1/exports/refunds?format=json")).body;
    expect(rows).toMatchObject([
      { id: body.data.id, amount: "2", status: "REQUESTED", order_ref: charge.orderRef },
    ]);
    expect(JSON.stringify(rows)).not.toContain("/r/");
    expect(
      (await admin.send("/dashboard/v1/exports/refunds?format=json&to=2026-01-01T00:00:00Z")).body,
    ).toEqual([]);
  });

  it("have a delivery in the range whose id is older than those of many from before the range", async () => {
    const from = new Date("2026-06-01T00:00:00Z");
    await aBacklog(context, { merchantId, id: await anEndpointRow(context.db, merchantId) }, 501);
    await context.owner.query(sql`
      update webhook_deliveries set created_at = ${from}::timestamptz + case when id = (
        select id from webhook_deliveries where merchant_id = ${merchantId} order by id limit 1
      ) then interval '1 minute' else interval '-1 minute' end where merchant_id = ${merchantId}`);
    const { body } = await browser.send(
      `/dashboard/v1/exports/deliveries?format=json&from=${from.toISOString()}`,
    );
    expect(body).toHaveLength(1);
  });

  it("have every row once, as CSV that no spreadsheet runs and as JSON", async () => {
    for (let index = 0; index < 3; index += 1)
      await order({ orderRef: index === 0 ? '=HYPERLINK("x")' : `B-${index}` });
    const csv = await browser.send("/dashboard/v1/exports/payments?format=csv");
    expect(csv.headers).toMatchObject({ "content-disposition": 'attachment; filename="payments.csv"' });
    const lines = csv.text.trimEnd().split("\r\n");
    expect(lines[0]).toMatch(/^\uFEFF"id","created_at \(UTC\)","kind","order_ref"/);
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,"order",.*,10,/);
    expect(csv.text).not.toMatch(/\d{4}-\d\d-\d\dT/);
    expect(csv.text).toContain(`"'=HYPERLINK(""x"")"`);
    const json = await browser.send("/dashboard/v1/exports/payments?format=json");
    expect(json.body.map((row: { order_ref: string }) => row.order_ref).toSorted()).toEqual([
      '=HYPERLINK("x")',
      "B-1",
      "B-2",
    ]);
    expect((await browser.send("/dashboard/v1/exports/deposits?format=json")).body).toEqual([]);
  });

  it("are for programs with `bom=0`: no mark, and the API's names and times", async () => {
    await order({ orderRef: "00017" });
    const csv = await browser.send("/dashboard/v1/exports/payments?format=csv&bom=0");
    expect(csv.text).toMatch(/^"id","created_at","kind","order_ref"/);
    expect(csv.text).toMatch(/,\d{4}-\d\d-\d\dT[\d:.]+Z,"order","00017",/);
    expect((await browser.send("/dashboard/v1/exports/payments?bom=no")).status).toBe(422);
  });

  it("leave a trace in the audit log: the person, the list and its range", async () => {
    const range = "from=2026-01-15T00:00:00Z&to=2026-02-15T00:00:00Z";
    await browser.send(`/dashboard/v1/exports/deposits?format=json&${range}`);
    await browser.send("/dashboard/v1/exports/statement?month=2026-01");
    const { id } = await order({});
    await aDeposit(context.db, { chargeId: id, amount: "10" });
    await browser.send(`/dashboard/v1/payments/${id}/receipt?language=es`);
    await browser.send(`/v1/deposit-addresses/${id}/receipt`);
    const entries = await context.owner.query(sql`
      select actor, action, subject, after, address from audit_log where merchant_id = ${merchantId} and action = 'export' order by id`);
    const by = {
      actor: `person ${personId}`,
      action: "export",
      address: expect.stringMatching(/^198\.51\.100\./),
    };
    const [from, to] = ["2026-01-15T00:00:00.000Z", "2026-02-15T00:00:00.000Z"];
    expect(entries).toEqual([
      { ...by, subject: "list deposits", after: { list: "deposits", format: "json", from, to } },
      { ...by, subject: "list statement", after: { list: "statement", month: "2026-01" } },
      { ...by, subject: "list receipt", after: { list: "receipt", id, language: "es" } },
      { ...by, subject: "list receipt", after: { list: "receipt", id, language: "en" } },
    ]);
  });

  it("have the statement of a month as the API answers it", async () => {
    const month = new Date().toISOString().slice(0, 7);
    const charge = await order({ orderRef: "S-1;=1+1" });
    await aDeposit(context.db, { chargeId: charge.id, amount: "10" });
    const ours = await browser.send(`/dashboard/v1/exports/statement?month=${month}`);
    expect(ours.headers).toMatchObject({
      "content-disposition": `attachment; filename="statement-${month}.csv"`,
    });
    const marks = "format=csv&separator=tab&decimal=,";
    const file = async (path: string) =>
      (await browser.send(`${path}?month=${month}&${marks}`)).text.replaceAll(/^.*(?=\t"so_far")/gm, "now");
    const text = await file("/dashboard/v1/exports/statement");
    expect(text).toBe(await file("/v1/statements"));
    expect(text).toMatch(/\r\nnow\t"so_far"\t/);
    expect((await browser.send("/dashboard/v1/exports/statement?month=2026-13")).status).toBe(422);
  });

  it("short lists can be downloaded too, and no key is in one", async () => {
    const owner = await signedIn(
      app,
      await aPerson(context, { places: [{ merchantId, role: "owner" }] }),
      merchantId,
    );
    const { key } = (await owner.send("/dashboard/v1/keys", { name: "=1+1" })).body.data;
    const read = async (list: string, query = "format=json") =>
      owner.send(`/dashboard/v1/exports/${list}?${query}`);
    const csv = (await read("keys", "format=csv")).text;
    expect(csv).toContain(`,"'=1+1",`);
    expect(csv).not.toContain(key);
    expect((await read("people")).body).toHaveLength(2);
    expect((await read("people", "format=json&from=2099-01-01T00:00:00Z")).body).toEqual([]);
    expect([(await read("invitations")).body, (await read("settlements")).body]).toEqual([[], []]);
  });

  it("endpoints and events are downloaded as the API shows them, events in the order of the feed", async () => {
    const made = { url: "http://127.0.0.1:9/hook", eventTypes: ["deposit.confirmed"] };
    await browser.send("/v1/webhooks/endpoints", made);
    await announceDeposit(context, merchantId);
    await announceDeposit(context, merchantId);
    const read = async (list: string, query = "") =>
      (await browser.send(`/dashboard/v1/exports/${list}?format=json${query}`)).body;
    expect(await read("endpoints")).toMatchObject([{ url: made.url, event_types: made.eventTypes }]);
    const feed = (await browser.send("/v1/events")).body.data as { id: string; data: object }[];
    expect(feed.length).toBeGreaterThan(1);
    const events = (await read("events")) as { id: string; data: object }[];
    expect(events.map(({ id, data }) => ({ id, data }))).toEqual(feed.map(({ id, data }) => ({ id, data })));
    expect(await read("events", "&to=2020-01-01T00:00:00Z")).toEqual([]);
  });

  it("every wallet that was asked for is downloaded, however many they are", async () => {
    const owner = await aPerson(context, { places: [{ merchantId, role: "owner" }] });
    await context.owner.query(sql`
      insert into wallet_requests (merchant_id, id, address, person_id)
      select ${merchantId}, gen_random_uuid(), 'TJQC6ECxwJBqgGRZVPfohYqFXYAane2wC4', ${owner.id}
      from generate_series(1, 1201)`);
    const wallets = (await browser.send("/dashboard/v1/exports/wallets?format=json")).body as {
      id: string;
    }[];
    expect(new Set(wallets.map(({ id }) => id)).size).toBe(1_201);
    expect((await browser.send("/dashboard/v1/wallet-requests")).body.data).toHaveLength(100);
  });

  it("a plain link names the merchant in its query; another merchant is not found", async () => {
    browser.merchantId = undefined;
    expect((await browser.send(`/dashboard/v1/exports/audit?merchantId=${merchantId}`)).status).toBe(200);
    const other = (await aMerchant(context.db)).id;
    expect((await browser.send(`/dashboard/v1/exports/audit?merchantId=${other}`)).status).toBe(404);
  });
});

it("a delivery shows what each attempt really sent and was answered; another merchant's is not found", async () => {
  const receiver = await startReceiver();
  receiver.answer = (response) =>
    response.writeHead(500, { "x-request-id": "r-1", "set-cookie": "secret=1" }).end("broken");
  const endpoint = { url: receiver.url, eventTypes: ["deposit.confirmed"] };
  const endpointId = (await browser.send("/v1/webhooks/endpoints", endpoint)).body.data.id;
  await announceDeposit(context, merchantId);
  for (const claim of await claimAsIdle(context, 100)) await deliver(context, claim);
  await receiver.close();
  await context.db.query(sql`
    update webhook_endpoints set url = 'http://127.0.0.1:9/new' where merchant_id = ${merchantId} and id = ${endpointId}`);
  const [delivery] = await context.db.query<{ id: string }>(sql`
    select id from webhook_deliveries where merchant_id = ${merchantId} and endpoint_id = ${endpointId}`);
  const { data } = (await browser.send(`/dashboard/v1/deliveries/${delivery?.id}/sent`)).body;
  const [received] = receiver.received;
  expect(data).toMatchObject({ url: "http://127.0.0.1:9/new", body: received?.body.toString() });
  expect(data.attempts).toHaveLength(1);
  const [attempt] = data.attempts;
  expect(attempt).toMatchObject({ number: 1, url: receiver.url });
  const { host, connection, "content-length": length, ...headers } = received?.headers ?? {};
  expect(attempt.headers).toEqual(headers);
  expect(attempt.response_headers).toContain("x-request-id: r-1");
  expect(attempt.response_headers).not.toContain("secret");
  const other = (await aMerchant(context.db)).id;
  const stranger = await signedIn(
    app,
    await aPerson(context, { places: [{ merchantId: other, role: "owner" }] }),
    other,
  );
  expect((await stranger.send(`/dashboard/v1/deliveries/${delivery?.id}/sent`)).status).toBe(404);
});

it("a stale form of an endpoint is refused and changes nothing; the audit log has before and after of each act", async () => {
  const made = { url: "http://127.0.0.1:9/hook", eventTypes: ["deposit.confirmed"] };
  const { id, updated_at: shown } = (await browser.send("/v1/webhooks/endpoints", made)).body.data;
  const patch = (body: object) =>
    browser.send(`/v1/webhooks/endpoints/${id}`, body, {
      method: "PATCH",
      headers: { "x-daric-updated-at": shown },
    });
  expect((await patch({ description: "first" })).status).toBe(200);
  expect((await patch({ description: "second" })).body.error.code).toBe("CHANGED_MEANWHILE");
  expect((await browser.send(`/v1/webhooks/endpoints/${id}`)).body.data.description).toBe("first");
  await announceDeposit(context, merchantId);
  for (const claim of await claimAsIdle(context, 100)) await deliver(context, claim);
  const [delivery] = (await browser.send("/v1/webhooks/deliveries")).body.data;
  expect((await browser.send(`/v1/webhooks/deliveries/${delivery.id}/resend`, {})).status).toBe(200);
  const range = { from: new Date(Date.now() - 3_600_000).toISOString() };
  expect((await browser.send(`/v1/webhooks/endpoints/${id}/recover`, range)).status).toBe(200);
  const log = await context.db.query<{ action: string; before: object | null; after: object | null }>(sql`
    select action, before, after from audit_log where merchant_id = ${merchantId} order by id`);
  expect(log).toMatchObject([
    { action: "createWebhookEndpoint", before: null },
    { action: "updateWebhookEndpoint", before: { description: null }, after: { description: "first" } },
    {
      action: "resendWebhookDelivery",
      before: { status: "FAILED", attemptCount: 1, lastError: "connect_refused" },
      // Its next attempt is due at once; its status changes with the attempt.
      after: { status: "FAILED", attemptCount: 1 },
    },
    { action: "recoverWebhookEndpoint", before: { url: made.url }, after: range },
  ]);
});

it("race: of two forms of one endpoint that are saved at once, one is kept and the other is refused", async () => {
  const made = { url: "http://127.0.0.1:9/hook", eventTypes: ["deposit.confirmed"] };
  const { id } = (await browser.send("/v1/webhooks/endpoints", made)).body.data;
  const url = `/v1/webhooks/endpoints/${id}`;
  for (let round = 0; round < raceRoundsOfTwo; round += 1) {
    const { updated_at: shown } = (await browser.send(url)).body.data;
    const save = async (description: string) => {
      const headers = { "x-daric-updated-at": shown };
      const { status } = await browser.send(url, { description }, { method: "PATCH", headers });
      return { description, status };
    };
    const saved = await startTogether(round, [() => save(`a ${round}`), () => save(`b ${round}`)]);
    expect(saved.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const kept = saved.find(({ status }) => status === 200);
    expect((await browser.send(url)).body.data.description).toBe(kept?.description);
  }
});
