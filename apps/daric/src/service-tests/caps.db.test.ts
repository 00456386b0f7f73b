import { apiScopes } from "@daric/domain/api-scope";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { one, type Sql, sql } from "@daric/postgres/sql";
import { isNight } from "@daric/testing/at-night";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { ownersDatabase } from "@daric/testing/owners-database";
import { createSecurityKey } from "@daric/testing/passkeys";
import { amplePeopleLimits, aPerson, type Browser, signedIn, type TestPerson } from "@daric/testing/people";
import { anEndpointRow } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
let owner: TestPerson;
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
  owner = await aPerson(context, { places: [{ merchantId, role: "owner" }], isOperator: true });
  browser = await signedIn(app, owner, merchantId);
});

const fill = async (statement: Sql) => void (await ownersDatabase(context.db).query(statement));
const numbers = (count: number) => sql`generate_series(1, ${count}::integer) n`;
const hash = sql`sha256(gen_random_uuid()::text::bytea)`;
const read = async (path: string) => (await browser.send(`/dashboard/v1/${path}`)).body.data;
const post = (path: string, body: object) => browser.send(`/dashboard/v1/${path}`, body);

const notes = (id: string, count: number) => sql`
  insert into payment_notes (merchant_id, id, deposit_address_id, person_id, text)
  select ${merchantId}, gen_random_uuid(), ${id}, ${owner.id}, repeat('語', 2000) from ${numbers(count)}`;
const keys = (count: number) => sql`
  with made as (
    insert into api_keys (merchant_id, id, lookup_id, secret_hash, name, scopes)
    select ${merchantId}, gen_random_uuid(), left(replace(gen_random_uuid()::text, '-', ''), 16), ${hash}, repeat('語', 120), ${apiScopes}
    from ${numbers(count)} returning merchant_id, id, lookup_id)
  insert into api_key_directory (merchant_id, api_key_id, lookup_id) select * from made`;
const links = (count: number) => sql`
  insert into one_time_links (id, token_hash, kind, email, merchant_id, role, expires_at)
  select gen_random_uuid(), ${hash}, 'invitation', n || ${`-${merchantId}@shop.example`}, ${merchantId}, 'viewer', now() + interval '1 day'
  from ${numbers(count)}`;
const serviceLinks = (count: number) => sql`
  insert into one_time_links (id, token_hash, kind, email, expires_at)
  select gen_random_uuid(), ${hash}, 'reset', n || ${`-${merchantId}@shop.example`}, now() + interval '1 day'
  from ${numbers(count)}`;
const sessions = (count: number) => sql`
  insert into sessions (id, token_hash, person_id, address, user_agent, created_at)
  select gen_random_uuid(), ${hash}, ${owner.id}, '203.0.113.7', repeat('語', 300), now() - interval '1 hour' + n * interval '1 ms'
  from ${numbers(count)}`;
const people = (count: number) => sql`
  with made as (
    insert into people (id, email, name)
    select gen_random_uuid(), n || ${`-${merchantId}@shop.example`}, repeat('語', 120) from ${numbers(count)} returning id)
  insert into memberships (merchant_id, person_id, role) select ${merchantId}, id, 'viewer' from made`;

describe("a cap refuses, in words,", () => {
  it("200 notes of a payment, but no decision and no other payment", async () => {
    const [full, other] = [
      await aCharge(context.db, { merchantId }),
      await aCharge(context.db, { merchantId }),
    ];
    await fill(notes(full.id, 199));
    const path = `payments/${full.id}/notes`;
    expect((await post(path, { text: "the last" })).status).toBe(201);
    const refused = await post(path, { text: "one more" });
    expect([refused.status, refused.body.error.code]).toEqual([422, "CAP_REACHED"]);
    expect(refused.body.message).toBe("A payment can have 200 notes.");
    expect((await post(`payments/${other.id}/notes`, { text: "first" })).status).toBe(201);
    const decided = await post(`inbox/${full.id}/decide`, { decision: "dismiss", note: "seen" });
    expect(decided.status).toBe(201);
    const shown = (await read(`payments/${full.id}/story`)).notes.map(({ text }: { text: string }) => text);
    expect([shown.length, ...shown.slice(-2)]).toEqual([100, "the last", "seen"]);
  });

  it("1,000 live API keys of a merchant; ended ones do not count", async () => {
    await fill(keys(1_000));
    const refused = await post("keys", { name: "one more" });
    expect([refused.status, refused.body.error.code]).toEqual([422, "CAP_REACHED"]);
    const [last] = await read("keys");
    expect((await post(`keys/${last.id}/revoke`, {})).status).toBe(200);
    expect((await post("keys", { name: "one more" })).status).toBe(201);
    const listed = await read("keys");
    expect(listed).toHaveLength(1_000);
    expect(listed.filter(({ revoked_at: at }: { revoked_at: string | null }) => at !== null)).toEqual([]);
  });

  it("200 open invitations, and invitations to a merchant of 500 people", async () => {
    await fill(links(200));
    const invitation = { email: `new-${merchantId}@shop.example`, role: "viewer" };
    const refused = await post("invitations", invitation);
    expect([refused.status, refused.body.error.code]).toEqual([422, "CAP_REACHED"]);
    const [first] = await read("invitations");
    await browser.send(`/dashboard/v1/invitations/${first.id}`, undefined, { method: "DELETE" });
    expect((await post("invitations", invitation)).status).toBe(201);
    expect(await read("invitations")).toHaveLength(200);
    await fill(people(499));
    expect((await post("invitations", invitation)).body.message).toContain("500 people");
    expect(await read("people")).toHaveLength(500);
  });

  it("20 passkeys of a person", async () => {
    const add = async () => {
      const { options } = (await post("me/passkeys/options", {})).body.data;
      return post("me/passkeys", { name: "Key", response: createSecurityKey().register(options) });
    };
    for (let count = 0; count < 20; count += 1) expect((await add()).status).toBe(201);
    expect((await add()).body.error.code).toBe("CAP_REACHED");
  });
});

it("a person has 100 live sessions: the next sign-in ends the oldest, and 1,000 rows are kept", async () => {
  await fill(sessions(1_500));
  const newest = await signedIn(app, owner, merchantId);
  const listed = (await newest.send("/dashboard/v1/sessions")).body.data;
  expect(listed).toHaveLength(100);
  expect(listed.some((session: { is_current: boolean }) => session.is_current)).toBe(true);
  const rows = await context.db.query<{ live: number; kept: number }>(sql`
    select count(*) filter (where ended_at is null)::int as live, count(*)::int as kept from sessions where person_id = ${owner.id}`);
  // The row of the new session comes on top of those that are kept.
  expect(one(rows)).toEqual({ live: 100, kept: 1_001 });
});

/** The rows of each list, of which many are 100,000 at night. */
const ROWS = isNight ? 100_000 : 2_000;
const MAX_BYTES = 1_000_000;
const MAX_GROWTH = 100 * 2 ** 20;

it(
  `a list of ${ROWS} rows answers with at most 1 MB, and the process grows by at most 100 MB`,
  async () => {
    const charge = await aCharge(context.db, { merchantId });
    const endpointId = await anEndpointRow(context.db, merchantId, {
      url: `https://shop.example/${"a".repeat(2_000)}`,
    });
    for (const rows of [keys, links, serviceLinks, sessions, people]) await fill(rows(ROWS));
    await fill(notes(charge.id, ROWS));
    await fill(sql`
      with event as (
        insert into webhook_events (merchant_id, id, type, resource_id, sequence)
        select ${merchantId}, gen_random_uuid(), 'order.paid', ${charge.id}, n from ${numbers(ROWS)} returning id),
      delivery as (
        insert into webhook_deliveries (merchant_id, id, event_id, endpoint_id, event_type, reference_id, status)
        select ${merchantId}, gen_random_uuid(), id, ${endpointId}, 'order.paid', ${charge.id}, 'DELIVERED' from event returning id)
      insert into webhook_attempts (merchant_id, delivery_id, number, status_code, error, duration_ms, attempted_at)
      select ${merchantId}, id, 1, 500, 'http_status', 1, now() from delivery`);
    await fill(sql`
      with one as (select id from webhook_deliveries where merchant_id = ${merchantId} limit 1)
      insert into webhook_attempts (merchant_id, delivery_id, number, status_code, response_snippet, error, duration_ms, attempted_at)
      select ${merchantId}, one.id, n + 1, 500, repeat('語', 600), 'http_status', 1, now() from one, ${numbers(ROWS)}`);
    await fill(sql`
      insert into merchants (id, name) select gen_random_uuid(), repeat('語', 120) from ${numbers(ROWS)}`);
    await fill(sql`
      insert into audit_log (actor, action, subject, after, reason, merchant_id)
      select 'test', 'write note', 'row ' || n, jsonb_build_object('text', repeat('語', 2000)), '', ${merchantId} from ${numbers(ROWS)}`);
    await fill(sql`
      insert into wallet_requests (merchant_id, id, address, label, person_id)
      select ${merchantId}, gen_random_uuid(), 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8', repeat('語', 120), ${owner.id} from ${numbers(ROWS)}`);
    await fill(sql`analyze`);
    const delivery = one(
      await ownersDatabase(context.db).query<{ id: string }>(sql`
        select delivery_id as id from webhook_attempts where merchant_id = ${merchantId} and number = 3`),
    );
    const paths = [
      `/dashboard/v1/payments/${charge.id}/story`,
      ...["keys", "people", "invitations", "sessions", "inbox", "wallet-requests", "audit?limit=100"],
      ...["operator/people", "operator/merchants", "operator/links", `deliveries/${delivery.id}/sent`],
    ].map((path) => (path.startsWith("/") ? path : `/dashboard/v1/${path}`));
    paths.push(
      "/v1/webhooks/deliveries?limit=100",
      `/v1/webhooks/deliveries/${delivery.id}`,
      "/v1/events?limit=100",
    );
    for (const path of paths) await browser.send(path);
    const before = process.memoryUsage.rss();
    let most = 0;
    for (const path of paths) {
      const { status, text } = await browser.send(path);
      expect([path, status]).toEqual([path, 200]);
      expect([path, Math.max(Buffer.byteLength(text), MAX_BYTES)]).toEqual([path, MAX_BYTES]);
      most = Math.max(most, process.memoryUsage.rss() - before);
    }
    expect(most).toBeLessThan(MAX_GROWTH);
  },
  isNight ? 600_000 : 120_000,
);
