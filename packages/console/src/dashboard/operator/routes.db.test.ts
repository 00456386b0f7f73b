import { idOf } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { anApiKey } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { aBrowser, amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { sampleStatus } from "@daric/testing/sample-status";
import { afterAll, beforeAll, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let operator: Browser;
beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  app = createApp(context, { findStatus: async () => sampleStatus });
  operator = await signedIn(app, await aPerson(context, { isOperator: true }));
});
afterAll(async () => {
  await app.close();
  await context.close();
});

const url = "/dashboard/v1/operator";
const aShop = async () =>
  (await operator.send(`${url}/merchants`, { name: "New shop", activeAddressCap: "50" })).body.data;
const create = (key: string, body: object) =>
  app.inject({ method: "POST", url: "/v1/deposit-addresses", headers: { "x-api-key": key }, payload: body });

it("the overview names the pair of each rate: coins in USD, and USDT in other currencies", async () => {
  const { rates } = (await operator.send(`${url}/overview`)).body.data;
  expect(rates).toMatchObject([
    { currency: "USDT", fiat_currency: "USD", price: "0.9994" },
    { currency: "USDT", fiat_currency: "EUR", price: "0.92" },
    { currency: "TRX", fiat_currency: "USD", price: null },
  ]);
});

it("an operator creates a merchant and changes its cap; fee terms are not among the fields", async () => {
  const shop = await aShop();
  expect(shop).toMatchObject({
    name: "New shop",
    active_address_cap: 50,
    fee_basis_points: 0,
    suspended_at: null,
  });
  const patch = (body: object) => operator.send(`${url}/merchants/${shop.id}`, body, { method: "PATCH" });
  const changed = await patch({ updatedAt: shop.updated_at, activeAddressCap: "60", feeBasisPoints: "500" });
  expect(changed.body.data).toMatchObject({ active_address_cap: 60, fee_basis_points: 0 });
  expect((await patch({ updatedAt: shop.updated_at, activeAddressCap: "70" })).body.error.code).toBe(
    "CHANGED_MEANWHILE",
  );
  expect((await patch({ updatedAt: changed.body.data.updated_at, activeAddressCap: "0" })).status).toBe(422);
  const { body } = await operator.send(`${url}/merchants`);
  expect(body.data.map(({ id }: { id: string }) => id)).toContain(shop.id);
  const log = await context.db.query<{ action: string; after: object }>(sql`
    select action, after from audit_log where merchant_id = ${shop.id} order by id`);
  expect(log).toMatchObject([
    { action: "create merchant" },
    { action: "change cap", after: { activeAddressCap: 60 } },
  ]);
});

it("a suspended merchant takes no new orders, and its others go on", async () => {
  const shop = await aShop();
  const { key } = await anApiKey(context, idOf("merchant", shop.id));
  const order = (await create(key, { amount: "5" })).json().data;
  const suspended = await operator.send(`${url}/merchants/${shop.id}/suspend`, { reason: "fraud" });
  expect(suspended.body.data.suspended_at).not.toBeNull();
  for (const body of [{ amount: "5" }, {}])
    expect((await create(key, body)).json().error.code).toBe("MERCHANT_SUSPENDED");
  const read = await app.inject({ url: `/v1/deposit-addresses/${order.id}`, headers: { "x-api-key": key } });
  expect(read.statusCode).toBe(200);
  await operator.send(`${url}/merchants/${shop.id}/resume`, { reason: "cleared" });
  expect((await create(key, { amount: "5" })).statusCode).toBe(201);
});

it("an operator invites, disables and resets people", async () => {
  const shop = await aShop();
  const email = `o-${shop.id}@shop.example`;
  const sent = await operator.send(`${url}/invitations`, { email, merchantId: shop.id, role: "owner" });
  const browser = aBrowser(app);
  const token = sent.body.data.link.split("#")[1];
  await browser.send("/dashboard/v1/links/accept", {
    token,
    name: "Olga",
    password: "a long and quite unusual sentence",
  });
  const people = (await operator.send(`${url}/people`)).body.data;
  const person = people.find((row: { email: string }) => row.email === email);
  expect(person.memberships).toEqual([{ merchant_id: shop.id, role: "owner" }]);
  const reset = await operator.send(`${url}/people/${person.id}/reset`, { secondFactor: true });
  expect(reset.body.data.link).toContain("/dashboard/link#");
  expect(
    (await operator.send(`${url}/people/${person.id}/disable`, {})).body.data.disabled_at,
  ).not.toBeNull();
  expect((await browser.send("/dashboard/v1/session")).status).toBe(401);
  expect(
    (await operator.send(`${url}/invitations`, { email, role: "owner" })).body.error.details,
  ).toMatchObject([{ path: "role" }]);
  const unknown = await operator.send(`${url}/invitations`, { email, merchantId: person.id, role: "owner" });
  expect(unknown.status).toBe(404);
});

const lookUp = (link: string) =>
  aBrowser(app).send("/dashboard/v1/links/look-up", { token: link.split("#")[1] });

it("the links that an operator made end when that operator is disabled", async () => {
  const shop = await aShop();
  const second = await aPerson(context, { isOperator: true });
  const [boss, browser] = [await aPerson(context, { isOperator: true }), await signedIn(app, second)];
  const sent = [
    await browser.send(`${url}/invitations`, { email: `third-${second.id}@shop.example` }),
    await browser.send(`${url}/invitations`, {
      email: `owner-${second.id}@shop.example`,
      merchantId: shop.id,
      role: "owner",
    }),
    await browser.send(`${url}/people/${boss.id}/reset`, { secondFactor: true }),
  ];
  const links: string[] = sent.map(({ body }) => body.data.link);
  const statuses = async () => Promise.all(links.map(async (link) => (await lookUp(link)).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  await operator.send(`${url}/people/${second.id}/disable`, {});
  expect(await statuses()).toEqual([404, 404, 404]);
});

it("operators see and withdraw the open links of the service, and no other person does", async () => {
  const shop = await aShop();
  const person = await aPerson(context, {
    places: [{ merchantId: idOf("merchant", shop.id), role: "owner" }],
  });
  const author = await aPerson(context, { isOperator: true });
  const browser = await signedIn(app, author);
  const email = `next-${author.id}@shop.example`;
  const invited = (await browser.send(`${url}/invitations`, { email })).body.data;
  const reset = (await browser.send(`${url}/people/${person.id}/reset`, { secondFactor: true })).body.data;
  const invitation = (await browser.send(`${url}/invitations`, { email, merchantId: shop.id, role: "owner" }))
    .body.data;
  const list = async (): Promise<{ invited_by: string | null }[]> =>
    (await operator.send(`${url}/links`)).body.data.filter(
      (row: { invited_by: string | null }) => row.invited_by === author.id,
    );
  expect(await list()).toEqual([
    {
      id: reset.id,
      kind: "reset",
      email: person.email,
      resets_second_factor: true,
      invited_by: author.id,
      created_at: reset.created_at,
      expires_at: reset.expires_at,
    },
    expect.objectContaining({ id: invited.id, kind: "invitation", email, expires_at: invited.expires_at }),
  ]);
  const withdraw = (by: Browser, id: string) =>
    by.send(`${url}/links/${id}`, undefined, { method: "DELETE" });
  const owner = await signedIn(app, person, shop.id);
  expect((await owner.send(`${url}/links`)).status).toBe(403);
  expect((await withdraw(owner, reset.id)).status).toBe(403);
  for (const { id, link } of [reset, invited]) {
    expect((await withdraw(operator, id)).status).toBe(200);
    expect((await lookUp(link)).status).toBe(404);
    expect((await withdraw(operator, id)).body.error.code).toBe("NOT_FOUND");
  }
  expect((await withdraw(operator, invitation.id)).status).toBe(404);
  expect(await list()).toEqual([]);
  const subjects = [reset, invited].map(({ id }) => `link ${id}`);
  const log = await context.db.query(sql`
    select action, before from audit_log
    where subject = any(${subjects}::text[]) and action like 'withdraw%' order by id`);
  expect(log).toEqual([
    { action: "withdraw reset", before: { email: person.email, resetsSecondFactor: true } },
    { action: "withdraw invitation", before: { email, role: "operator" } },
  ]);
});

it("the overview has what / of the metrics port has", async () => {
  const { data } = (await operator.send(`${url}/overview`)).body;
  expect(data.process).toMatchObject({ network: expect.any(String), uptime_seconds: expect.any(Number) });
  expect(data.checks[0]).toMatchObject({ name: expect.any(String), ok: expect.any(Boolean) });
  expect(data.sweeps).toMatchObject({ open: expect.any(Array), held: [], gas_of_week: "0" });
  expect((await operator.send(`${url}/endpoints`)).body.data).toEqual([]);
});

it("the overview has the checks of the other processes that fail or that this one lacks, and names a process that is silent", async () => {
  const says = (process: string, samples: object[] | null, ago = "0 s") =>
    context.owner.query(sql`
      insert into alert_samples (process, samples, taken_at)
      values (${process}, ${JSON.stringify(samples)}::jsonb, now() - ${ago}::interval)`);
  const ready = (check: string, value: number, detail: string) => ({
    metric: "daric_ready",
    labels: { check },
    value,
    detail,
  });
  const lie =
    "2 of 3 nodes must agree; a.example reported transaction 01 of block 7 differently from the quorum";
  await says("watch-1:9464", [ready("quorum", 1, "2 of 3 nodes must agree")], "30 s");
  await says("watch-1:9464", [
    { metric: "daric_watcher_leader", labels: {}, value: 1 },
    ready("database", 1, "answers"),
    ready("schema", 0, "too old"),
    ready("quorum", 1, lie),
  ]);
  await says(sampleStatus.process.name, [ready("quorum", 1, "of this process")]);
  await says("killed:9464", [ready("quorum", 1, "of long ago")], "5 minutes");
  await says("stopped:9464", [ready("quorum", 1, "before its stop")], "5 minutes");
  await says("stopped:9464", null, "4 minutes");
  await says("yesterday:9464", [ready("quorum", 1, "of yesterday")], "1 day");
  const { checks } = (await operator.send(`${url}/overview`)).body.data;
  expect(checks.slice(0, sampleStatus.checks.length)).toEqual(sampleStatus.checks);
  expect(checks.slice(sampleStatus.checks.length)).toEqual([
    { process: "killed:9464", name: "process", ok: false, detail: "no sign of life for 5 min" },
    { process: "watch-1:9464", name: "schema", ok: false, detail: "too old" },
    { process: "watch-1:9464", name: "quorum", ok: true, detail: lie },
  ]);
  await context.owner.query(sql`delete from alert_samples`);
});

it("operators download the lists that they see, and no other person does", async () => {
  const shop = await aShop();
  const csv = await operator.send(`${url}/exports/merchants?format=csv`);
  expect(csv.headers).toMatchObject({ "content-disposition": 'attachment; filename="merchants.csv"' });
  expect(csv.text).toContain(`"${shop.id}",`);
  expect(csv.text.startsWith('\uFEFF"id","created_at (UTC)"')).toBe(true);
  const [traced] = await context.owner.query(sql`
    select actor, after from audit_log where action = 'export' and merchant_id is null order by id desc limit 1`);
  expect(traced).toEqual({
    actor: expect.stringMatching(/^person /),
    after: { list: "merchants", format: "csv" },
  });
  const people = (await operator.send(`${url}/exports/people?format=json`)).body;
  expect(people).toEqual((await operator.send(`${url}/people`)).body.data);
  expect((await operator.send(`${url}/exports/endpoints?format=json`)).body).toEqual([]);
  const owner = await signedIn(
    app,
    await aPerson(context, { places: [{ merchantId: shop.id, role: "owner" }] }),
    shop.id,
  );
  for (const list of ["merchants", "people", "endpoints"])
    expect((await owner.send(`${url}/exports/${list}`)).status).toBe(403);
});
