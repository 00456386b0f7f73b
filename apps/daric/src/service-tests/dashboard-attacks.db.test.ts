import { randomBytes } from "node:crypto";
import type { MerchantId } from "@daric/domain/ids";
import { type MerchantRole, merchantRoles, scopesOfRole } from "@daric/domain/merchant-role";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { aMerchant, anApiKey } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext, withSettings } from "@daric/testing/context";
import {
  aBrowser,
  aPerson,
  type Browser,
  codeOf,
  PASSWORD,
  signedIn,
  type TestPerson,
} from "@daric/testing/people";
import { type SessionRoute, sessionRoutesOf } from "@daric/testing/session-routes";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApp } from "../app.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let routes: SessionRoute[] = [];
let own: MerchantId;
let foreign: MerchantId;
const browsers = new Map<MerchantRole, Browser>();

beforeAll(async () => {
  context = await createTestContext({
    RATE_LIMIT_SIGN_IN_PER_MINUTE: "100000",
    RATE_LIMIT_KEY_BURST: "1000000",
  });
  app = createApp(context);
  routes = await sessionRoutesOf(app);
  [own, foreign] = [(await aMerchant(context.db)).id, (await aMerchant(context.db)).id];
  for (const role of merchantRoles) browsers.set(role, await as(role));
});
afterAll(async () => {
  await app.close();
  await context.close();
});

async function as(role: MerchantRole, merchantId = own): Promise<Browser> {
  return signedIn(app, await aPerson(context, { places: [{ merchantId, role }] }), merchantId);
}

const merchantRoutes = () => routes.filter(({ scope }) => scope !== undefined);
const writes = () => routes.filter(({ method }) => method !== "GET");
const pathOf = ({ url }: SessionRoute, id: string) => url.replace(":id", id).replace(":passkeyId", "x");
const send = (
  browser: Browser,
  route: SessionRoute,
  { id = uuidv7(), ...headers }: Record<string, string> = {},
) =>
  browser.send(pathOf(route, id), route.method === "GET" ? undefined : {}, { method: route.method, headers });

describe("an old session", () => {
  const SECRETS = ["secret", "key", "api_key", "link", "recovery_codes"];
  /** Its code gives no right: it names a chat, which gets nothing before the person confirms it. */
  const WITHOUT_POWER = "/dashboard/v1/notifications/channels";
  const secret = () =>
    routes.filter(
      ({ method, url, fields }) =>
        method !== "GET" && url !== WITHOUT_POWER && fields.some((name) => SECRETS.includes(name)),
    );

  it("needs a fresh proof for every answer with a secret, and for every change of where webhooks go", () => {
    const names = (routes: readonly SessionRoute[]) => routes.map(({ method, url }) => `${method} ${url}`);
    expect(names(secret())).toContain("POST /v1/webhooks/endpoints/:id/rotate-secret");
    expect(names(secret().filter(({ needsProof, access }) => !needsProof && access !== "public"))).toEqual(
      [],
    );
    const targets = routes.filter(
      ({ method, url }) =>
        ["POST", "PATCH"].includes(method) && /^\/v1\/webhooks\/endpoints(\/:id)?$/.test(url),
    );
    expect(targets.map(({ needsProof }) => needsProof)).toEqual([true, true]);
  });

  it("is asked for a proof by the API too, and a key never is", async () => {
    const person = await aPerson(context, { places: [{ merchantId: own, role: "owner" }] });
    const browser = await signedIn(app, person, own);
    await context.owner.query(sql`
      update sessions set reauthenticated_at = now() - interval '3 hours' where person_id = ${person.id}`);
    const endpoint = { url: "https://shop.example/hook" };
    const { body } = await browser.send("/v1/webhooks/endpoints", endpoint);
    expect(body.error.code).toBe("REAUTHENTICATION_REQUIRED");
    const { updated_at: updatedAt } = (await browser.send("/dashboard/v1/settings")).body.data;
    const tolerance = { underpaymentTolerance: "5", updatedAt };
    const change = await browser.send("/dashboard/v1/settings", tolerance, { method: "PATCH" });
    expect(change.body.error.code).toBe("REAUTHENTICATION_REQUIRED");
    const { key } = await anApiKey(context, own);
    const answer = await app.inject({
      method: "PATCH",
      url: `/v1/webhooks/endpoints/${uuidv7()}`,
      headers: { "x-api-key": key },
      payload: endpoint,
    });
    expect(answer.json().error.code).toBe("NOT_FOUND");
  });
});

describe("forged requests", () => {
  it("the suite sees the routes of the dashboard and of the API", () => {
    expect(merchantRoutes().length).toBeGreaterThan(35);
    expect(routes.filter(({ access }) => access !== undefined).length).toBeGreaterThan(25);
  });

  it("PORT has neither pages nor sessions if the dashboard has a port of its own", async () => {
    const alone = createApp(context, { hasDashboard: false });
    const { cookie = "" } = browsers.get("owner") as Browser;
    for (const [url, status] of [
      ["/dashboard", 404],
      ["/dashboard/v1/session", 404],
      ["/v1/balances", 401],
    ] as const) {
      const headers = { cookie, "x-daric-merchant": own, "sec-fetch-site": "same-origin" };
      expect([url, (await alone.inject({ url, headers })).statusCode]).toEqual([url, status]);
    }
    await alone.close();
  });

  it("a write from another site is refused", async () => {
    const browser = browsers.get("owner") as Browser;
    for (const route of writes())
      for (const site of ["cross-site", "same-site", "none"]) {
        const { status, body } = await send(browser, route, { "sec-fetch-site": site });
        expect([status, body.error.code], `${route.method} ${route.url} ${site}`).toEqual([
          403,
          "CSRF_REFUSED",
        ]);
      }
  });

  it("a write without the token, with another session's or an old one is refused", async () => {
    const browser = await as("owner");
    const other = await as("owner");
    for (const token of ["", "junk", other.csrfToken ?? ""])
      for (const route of writes().filter(({ access }) => access !== "public")) {
        const { body } = await send(browser, route, { "x-csrf-token": token });
        expect(body.error?.code, `${route.method} ${route.url}`).toBe("CSRF_REFUSED");
      }
  });

  it.each([
    ["of this service", "http://127.0.0.1:3000", 200],
    ["of another one", "https://evil.example", 403],
    ["that is missing", undefined, 403],
  ])("a browser without Sec-Fetch-Site is checked by its Origin: %s", async (_name, origin, status) => {
    const person = await aPerson(context);
    const response = await app.inject({
      method: "POST",
      url: "/dashboard/v1/sign-in",
      headers: { ...(origin !== undefined && { origin }) },
      payload: { email: person.email, password: PASSWORD },
    });
    expect(response.statusCode).toBe(status);
  });

  it("a cookie does not ride along with an API key, and a key opens no route of the dashboard", async () => {
    const { key } = await anApiKey(context, foreign);
    const browser = await as("viewer");
    const read = await browser.send("/v1/settlement-accounts", undefined, { headers: { "x-api-key": key } });
    expect(read.status).toBe(200);
    const junk = await browser.send("/v1/settlement-accounts", undefined, {
      headers: { "x-api-key": "junk" },
    });
    expect(junk.body.error.code).toBe("UNAUTHORIZED");
    for (const route of routes.filter(({ url }) => url.startsWith("/dashboard/"))) {
      if (route.access === "public") continue;
      const { body } = await send(aBrowser(app), route, { "x-api-key": key, "x-daric-merchant": foreign });
      expect(body.error.code, route.url).toBe("SESSION_ENDED");
    }
  });
});

describe("sessions", () => {
  it("a token from before the sign-in is refused after it (session fixation)", async () => {
    const [attacker, victim] = [await aPerson(context), await aPerson(context)];
    const planted = await signedIn(app, attacker);
    const browser = aBrowser(app);
    browser.cookie = planted.cookie;
    await browser.signIn(victim.email);
    expect(browser.cookie).not.toBe(planted.cookie);
    expect((await planted.send("/dashboard/v1/session")).body.error.code).toBe("SESSION_ENDED");
    for (const text of [randomBytes(40).toString("base64url"), "x".repeat(54), "", "a b"]) {
      const made = aBrowser(app);
      made.cookie = `daric_session=${text}`;
      expect((await made.send("/dashboard/v1/session")).status).toBe(401);
    }
  });

  it("behind TLS the cookie is __Host-, Secure, HttpOnly and SameSite=Strict", async () => {
    const { http } = context.config;
    const tls = createApp(withSettings(context, { http: { ...http, publicBaseUrl: "https://pay.example" } }));
    const { email } = await aPerson(context);
    const { headers } = await aBrowser(tls).signIn(email);
    await tls.close();
    expect(headers["set-cookie"]).toMatch(
      /^__Host-daric_session=[\w-]{75}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=1209600$/,
    );
  });
});

describe("rights", () => {
  it("a decision of the inbox that accepts an order needs the right to accept", async () => {
    const { id } = await aCharge(context.db, { merchantId: own });
    const accept = { decision: "accept", note: "a friend" };
    for (const [role, browser] of browsers) {
      const { status, body } = await browser.send(`/dashboard/v1/inbox/${id}/decide`, accept);
      const may = scopesOfRole(role).includes("orders:accept");
      expect([role, status, body.error.code]).toEqual([
        role,
        ...(may ? [409, "NOTHING_RECEIVED"] : [403, "INSUFFICIENT_SCOPE"]),
      ]);
    }
  });

  it("for every role and route, another merchant in the header is 404", async () => {
    for (const [role, browser] of browsers)
      for (const route of merchantRoutes()) {
        const { status, body } = await send(browser, route, { "x-daric-merchant": foreign });
        expect([status, body.error?.code], `${role} ${route.method} ${route.url}`).toEqual([
          404,
          "NOT_FOUND",
        ]);
      }
  });

  it("for every route with an id, another merchant's row is 404, as an id that does not exist", async () => {
    const owner = browsers.get("owner") as Browser;
    const victim = await as("owner", foreign);
    const { db } = context;
    const charge = await aCharge(db, { merchantId: foreign });
    const { id: key } = await anApiKey(context, foreign);
    const member = await aPerson(context, { places: [{ merchantId: foreign, role: "viewer" }] });
    const invitation = { email: `i-${foreign}@shop.example`, role: "viewer" };
    const { id: link } = (await victim.send("/dashboard/v1/invitations", invitation)).body.data;
    const bodies: Record<string, object> = {
      "PATCH /dashboard/v1/people/:id": { role: "viewer" },
      "POST /dashboard/v1/inbox/:id/decide": { decision: "archive", note: "x" },
      "POST /dashboard/v1/payments/:id/notes": { text: "x" },
      "POST /v1/deposit-addresses/:id/extend": { seconds: 60 },
    };
    for (const route of merchantRoutes().filter(({ url }) => url.includes("/:id")))
      for (const id of [charge.id, key, member.id, link, uuidv7(), "not-an-id"]) {
        const name = `${route.method} ${route.url}`;
        const payload =
          route.method === "GET" || route.method === "DELETE" ? undefined : (bodies[name] ?? {});
        const { status, body } = await owner.send(pathOf(route, id), payload, { method: route.method });
        expect([status, body.error?.code], `${name} ${id}`).toEqual([404, "NOT_FOUND"]);
      }
    const rows = await db.query(sql`select from memberships where merchant_id = ${foreign}`);
    expect(rows).toHaveLength(2);
  });

  it("only operators reach the routes of operators", async () => {
    const owner = browsers.get("owner") as Browser;
    for (const route of routes.filter(({ access }) => access === "operator")) {
      const { body } = await send(owner, route);
      expect(body.error.code, route.url).toBe("INSUFFICIENT_SCOPE");
    }
  });

  it("a write of a person under /v1 is in the audit log with its row before and after, and a refused one is not", async () => {
    const person = await aPerson(context, { places: [{ merchantId: own, role: "admin" }] });
    const browser = await signedIn(app, person, own);
    const made = await browser.send("/v1/deposit-addresses", { amount: "5", orderRef: "by hand" });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    await browser.send(`/v1/deposit-addresses/${id}/archive`, {});
    expect((await browser.send(`/v1/deposit-addresses/${id}/accept`, {})).status).toBe(409);
    const closed = { url: "http://10.0.0.1/hook", eventTypes: ["order.paid"] };
    expect((await browser.send("/v1/webhooks/endpoints", closed)).status).toBe(422);
    const hook = { url: "https://shop.example/hook", eventTypes: ["order.paid"] };
    const endpoint = (await browser.send("/v1/webhooks/endpoints", hook)).body.data;
    await browser.send(`/v1/webhooks/endpoints/${endpoint.id}`, { isActive: false }, { method: "PATCH" });
    const log = await context.db.query(sql`
      select action, subject, before, after, address, merchant_id as "merchantId" from audit_log
      where actor = ${`person ${person.id}`} and action <> 'sign in' order by id`);
    expect(log).toMatchObject([
      { action: "createDepositAddress", before: null, after: { orderRef: "by hand" }, merchantId: own },
      {
        action: "archiveDepositAddress",
        subject: `deposit address ${id}`,
        before: { status: "ACTIVE", acceptedAt: null },
        after: { status: "ARCHIVED" },
        address: expect.stringMatching(/^198\./),
      },
      { action: "createWebhookEndpoint", after: hook },
      {
        action: "updateWebhookEndpoint",
        subject: `webhook endpoint ${endpoint.id}`,
        before: { ...hook, isActive: true },
        after: { isActive: false },
      },
    ]);
  });
});

describe("guessing", () => {
  it("an unknown e-mail, a wrong password and a disabled person get one answer", async () => {
    const [person, disabled] = [await aPerson(context), await aPerson(context)];
    await context.owner.query(sql`update people set disabled_at = now() where id = ${disabled.id}`);
    const attempts: [string, string][] = [
      ["nobody@shop.example", PASSWORD],
      [person.email, "wrong password"],
      [disabled.email, PASSWORD],
      ["", ""],
    ];
    const texts = [];
    for (const [email, password] of attempts) {
      const { status, body } = await aBrowser(app).signIn(email, { password });
      texts.push(JSON.stringify([status, body.message, body.error]));
    }
    expect(new Set(texts).size).toBe(1);
  });

  it("an unknown e-mail takes as long as a wrong password, because a password is checked too", async () => {
    const person = await aPerson(context);
    const cpu: Record<"known" | "unknown", number[]> = { known: [], unknown: [] };
    for (let round = 0; round < 15; round += 1)
      for (const [kind, email] of [
        ["known", person.email],
        ["unknown", `x${round}@shop.example`],
      ] as const) {
        const before = process.cpuUsage();
        await aBrowser(app).signIn(email, { password: "wrong password" });
        const { user, system } = process.cpuUsage(before);
        cpu[kind].push(user + system);
      }
    // The least CPU times of this process are compared, since a busy machine delays an answer. Without the password check the
    // ratio would be a tenth.
    const ratio = Math.min(...cpu.unknown) / Math.min(...cpu.known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it("of several uses of one code at once, one signs in", async () => {
    const person = await aPerson(context);
    const { secret } = (await (await signedIn(app, person)).send("/dashboard/v1/me/totp", {})).body.data;
    await confirm(person, secret);
    const code = codeOf(secret);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => aBrowser(app).signIn(person.email, { code })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401, 401, 401]);
  });

  async function confirm(person: TestPerson, secret: string): Promise<void> {
    const browser = await signedIn(app, person);
    expect(
      (await browser.send("/dashboard/v1/me/totp/confirm", { secret, code: codeOf(secret, -1) })).status,
    ).toBe(200);
  }

  it("an address has a few attempts a minute, and a known one is never locked out by others", async () => {
    const tight = withSettings(context, { people: { ...context.config.people, signInsPerMinute: 5 } });
    const limited = createApp(tight);
    const person = await aPerson(context);
    const home = aBrowser(limited, "203.0.113.9");
    expect((await home.signIn(person.email)).status).toBe(200);
    const statuses = [];
    for (let count = 0; count < 7; count += 1)
      statuses.push(
        (await aBrowser(limited, "203.0.113.66").signIn(person.email, { password: "wrong" })).status,
      );
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    for (let host = 100; host < 125; host += 1)
      await aBrowser(limited, `203.0.113.${host}`).signIn(person.email, { password: "wrong" });
    const stranger = await aBrowser(limited, "203.0.113.200").signIn(person.email);
    expect(stranger.body.error.code).toBe("RATE_LIMITED");
    expect((await home.signIn(person.email)).status).toBe(200);
    await limited.close();
  });
});
