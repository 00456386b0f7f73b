import type { MerchantId } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { freePort } from "@daric/testing/free-port";
import {
  aBrowser,
  amplePeopleLimits,
  aPerson,
  type Browser,
  PASSWORD,
  signedIn,
  type TestPerson,
} from "@daric/testing/people";
import { SMTPServer } from "smtp-server";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { invite, offerReset } from "./links.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
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
});

const member = (role: MerchantRole) => aPerson(context, { places: [{ merchantId, role }] });
const asMember = async (person: TestPerson) => signedIn(app, person, merchantId);
const patch = (browser: Browser, { id }: TestPerson, role: MerchantRole) =>
  browser.send(`/dashboard/v1/people/${id}`, { role }, { method: "PATCH" });
const remove = (browser: Browser, { id }: TestPerson) =>
  browser.send(`/dashboard/v1/people/${id}`, undefined, { method: "DELETE" });
const tokenOf = (link: string) => link.split("#")[1] ?? "";
const accept = (browser: Browser, token: string, more: object = {}) =>
  browser.send("/dashboard/v1/links/accept", { token, ...more });
const NEW = { name: "Grace", password: "a long and quite unusual sentence" };

describe("an invitation", () => {
  it("makes a new person a member, once, and the audit log has its author", async () => {
    const owner = await member("owner");
    const email = `grace-${merchantId}@shop.example`;
    const sent = await (await asMember(owner)).send("/dashboard/v1/invitations", {
      email,
      role: "developer",
    });
    expect(sent.status).toBe(201);
    expect(sent.body.data.link).toMatch(/^http:\/\/127\.0\.0\.1:3000\/dashboard\/link#[\w-]{54}$/);
    const token = tokenOf(sent.body.data.link);
    const browser = aBrowser(app);
    const looked = await browser.send("/dashboard/v1/links/look-up", { token });
    expect(looked.body.data).toMatchObject({
      kind: "invitation",
      email,
      role: "developer",
      has_account: false,
    });
    expect((await accept(browser, token, { name: "Grace", password: "short" })).status).toBe(422);
    const accepted = await accept(browser, token, NEW);
    expect(accepted.body.data.session.memberships).toMatchObject([
      { merchant_id: merchantId, role: "developer" },
    ]);
    expect((await accept(aBrowser(app), token, NEW)).body.error.code).toBe("LINK_NOT_VALID");
    const log = await context.db.query<{ action: string; actor: string; address: string | null }>(sql`
      select action, actor, address from audit_log where merchant_id = ${merchantId} order by id`);
    expect(log.map(({ action }) => action)).toEqual(["invite", "accept invitation"]);
    expect(log[0]).toMatchObject({
      actor: `person ${owner.id}`,
      address: expect.stringMatching(/^198\.51\.100\./),
    });
  });

  it("counts once of several simultaneous uses", async () => {
    const email = `race-${merchantId}@shop.example`;
    const { url } = await invite(
      context,
      { operator: "test" },
      { email, membership: { merchantId, role: "viewer" } },
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => accept(aBrowser(app), tokenOf(url), NEW)),
    );
    // A request that found the link unused may find the new account afterwards, whose session it lacks.
    const others = [expect.toBeOneOf([401, 404]), expect.toBeOneOf([401, 404])];
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...others, ...others]);
  });

  it("is mailed once a quarter of an hour to an address and 50 times a day for a merchant; above that the inviter has the link", async () => {
    const mails: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS", "AUTH"],
      onRcptTo: ({ address }, _session, callback) => {
        mails.push(address);
        callback();
      },
      onData: (stream, _session, callback) => stream.on("end", callback).resume(),
    });
    const port = await freePort();
    await new Promise<void>((done) => void server.listen(port, "127.0.0.1", done));
    const mail = { smtpUrl: `smtp://127.0.0.1:${port}?tls=none`, mailFrom: "daric@shop.example" };
    const mailing = { ...context, config: { ...context.config, mail } } as unknown as typeof context;
    const send = (email: string) =>
      invite(mailing, { operator: "test" }, { email, membership: { merchantId, role: "viewer" } });
    const victim = `victim-${merchantId}@shop.example`;
    const sent = await Promise.all(Array.from({ length: 8 }, () => send(victim)));
    expect(sent.filter(({ isMailed }) => isMailed).length).toBeLessThanOrEqual(1);
    expect((await send(victim)).isMailed).toBe(false);
    for (let count = 0; count < 60; count += 1) await send(`p${count}-${merchantId}@shop.example`);
    // The nine links to the one address count too.
    expect(mails.filter((address) => address !== victim)).toHaveLength(41);
    server.close();
  });

  it("of a person with an account needs that person's session, not a password", async () => {
    const [ada, eve] = [await aPerson(context), await aPerson(context)];
    const membership = { merchantId, role: "admin" } as const;
    const { url } = await invite(context, { operator: "test" }, { email: ada.email, membership });
    const token = tokenOf(url);
    expect((await accept(aBrowser(app), token, NEW)).body.error.code).toBe("SESSION_ENDED");
    expect((await accept(await signedIn(app, eve), token)).body.error.code).toBe("SESSION_ENDED");
    const accepted = await accept(await signedIn(app, ada), token);
    expect(accepted.body.data.session.memberships).toMatchObject([{ role: "admin" }]);
  });

  it("ends with a newer one, with its withdrawal, and after seven days", async () => {
    const browser = await asMember(await member("admin"));
    const send = async (email: string) =>
      (await browser.send("/dashboard/v1/invitations", { email, role: "viewer" })).body.data;
    const lookUp = async (link: string) => {
      const sent = { token: tokenOf(link) };
      const { status, body } = await aBrowser(app).send("/dashboard/v1/links/look-up", sent);
      return body.error?.code ?? status;
    };
    const [older, newer] = [await send("one@shop.example"), await send("one@shop.example")];
    expect([await lookUp(older.link), await lookUp(newer.link)]).toEqual(["LINK_NOT_VALID", 200]);
    const url = `/dashboard/v1/invitations/${newer.id}`;
    expect((await browser.send(url, undefined, { method: "DELETE" })).status).toBe(200);
    expect(await lookUp(newer.link)).toBe("LINK_NOT_VALID");
    const old = await send("two@shop.example");
    await context.owner.query(sql`
      update one_time_links set expires_at = expires_at - interval '7 days' where id = ${old.id}`);
    expect(await lookUp(old.link)).toBe("LINK_NOT_VALID");
    expect((await browser.send("/dashboard/v1/invitations")).body.data).toEqual([]);
  });

  it("of a member is refused, and only an owner may invite an owner", async () => {
    const [owner, viewer] = [await member("owner"), await member("viewer")];
    const admin = await asMember(await member("admin"));
    const again = await admin.send("/dashboard/v1/invitations", { email: viewer.email, role: "admin" });
    expect(again.body.error).toMatchObject({ code: "VALIDATION_ERROR", details: [{ path: "email" }] });
    const invitation = { email: "boss@shop.example", role: "owner" };
    expect((await admin.send("/dashboard/v1/invitations", invitation)).body.error.code).toBe(
      "INSUFFICIENT_SCOPE",
    );
    expect((await (await asMember(owner)).send("/dashboard/v1/invitations", invitation)).status).toBe(201);
  });
});

describe("the open links that a member made", () => {
  const linkOf = async (browser: Browser, role: MerchantRole) => {
    const invitation = { email: `${uuidv7()}@shop.example`, role };
    return tokenOf((await browser.send("/dashboard/v1/invitations", invitation)).body.data.link);
  };
  const statusOf = async (token: string) =>
    (await aBrowser(app).send("/dashboard/v1/links/look-up", { token })).status;

  it("end with the member's removal, and those of other members and merchants stay", async () => {
    const other = (await aMerchant(context.db)).id;
    const places = [merchantId, other].map((id) => ({ merchantId: id, role: "admin" }) as const);
    const [owner, admin] = [await asMember(await member("owner")), await aPerson(context, { places })];
    const made = await linkOf(await asMember(admin), "admin");
    const elsewhere = await linkOf(await signedIn(app, admin, other), "admin");
    const owners = await linkOf(owner, "admin");
    expect((await remove(owner, admin)).status).toBe(200);
    expect([await statusOf(made), await statusOf(elsewhere), await statusOf(owners)]).toEqual([
      404, 200, 200,
    ]);
    expect((await accept(aBrowser(app), made, NEW)).body.error.code).toBe("LINK_NOT_VALID");
  });

  it.each<[string, MerchantRole, number]>([
    ["end with a lower role", "developer", 404],
    ["stay with a higher role", "owner", 200],
  ])("%s", async (_, role, status) => {
    const [owner, admin] = [await asMember(await member("owner")), await member("admin")];
    const made = await linkOf(await asMember(admin), "admin");
    expect((await patch(owner, admin, role)).status).toBe(200);
    expect(await statusOf(made)).toBe(status);
  });

  it("end even when they are made while the member is removed", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [owner, admin] = [await asMember(await member("owner")), await member("admin")];
      const browser = await asMember(admin);
      const invitations = Array.from({ length: 8 }, () => ({
        email: `${uuidv7()}@shop.example`,
        role: "admin",
      }));
      await Promise.all([
        ...invitations.map((invitation) => browser.send("/dashboard/v1/invitations", invitation)),
        remove(owner, admin),
      ]);
      const open = await context.db.query(sql`
        select from one_time_links where made_by = ${admin.id} and withdrawn_at is null`);
      expect(open).toHaveLength(0);
    }
  });
});

describe("a reset", () => {
  it("sets a password and ends all sessions, and keeps the second factor unless it is lost", async () => {
    const person = await aPerson(context);
    const browser = await signedIn(app, person);
    const { email } = person;
    const { url } = await offerReset(context, { operator: "test" }, { email, resetsSecondFactor: false });
    const answer = await accept(aBrowser(app), tokenOf(url), { password: NEW.password });
    expect(answer.body.data).toEqual({ session: null });
    expect(answer.headers["set-cookie"]).toBeUndefined();
    expect((await browser.send("/dashboard/v1/session")).status).toBe(401);
    expect((await aBrowser(app).signIn(email, { password: PASSWORD })).status).toBe(401);
    expect((await aBrowser(app).signIn(email, { password: NEW.password })).status).toBe(200);
  });
});

describe("roles", () => {
  it("a changed role ends the member's sessions and counts at once", async () => {
    const [owner, ada] = [await asMember(await member("owner")), await member("viewer")];
    const browser = await asMember(ada);
    const invitation = { email: "x@shop.example", role: "viewer" };
    expect((await browser.send("/dashboard/v1/invitations", invitation)).status).toBe(403);
    expect((await patch(owner, ada, "admin")).body.data.role).toBe("admin");
    expect((await browser.send("/dashboard/v1/people")).body.error.code).toBe("SESSION_ENDED");
    expect((await (await asMember(ada)).send("/dashboard/v1/invitations", invitation)).status).toBe(201);
  });

  it("are not changed by a form that shows an outdated role", async () => {
    const owner = await asMember(await member("owner"));
    const { id } = await member("viewer");
    const send = (body: object) => owner.send(`/dashboard/v1/people/${id}`, body, { method: "PATCH" });
    expect((await send({ role: "admin", shownRole: "viewer" })).status).toBe(200);
    const stale = await send({ role: "developer", shownRole: "viewer" });
    expect([stale.status, stale.body.error.code]).toEqual([409, "CHANGED_MEANWHILE"]);
    const now = (await owner.send("/dashboard/v1/people")).body.data;
    expect(now.find((row: { id: string }) => row.id === id).role).toBe("admin");
  });

  it("owners are neither changed nor made by admins", async () => {
    const [owner, admin, viewer] = [
      await member("owner"),
      await asMember(await member("admin")),
      await member("viewer"),
    ];
    for (const answer of [
      await patch(admin, owner, "viewer"),
      await patch(admin, viewer, "owner"),
      await remove(admin, owner),
    ])
      expect(answer.body.error.code).toBe("INSUFFICIENT_SCOPE");
  });

  it("of the last owner stays; any other member may leave", async () => {
    const [owner, viewer] = [await member("owner"), await member("viewer")];
    const browser = await asMember(owner);
    expect((await remove(browser, owner)).body.error.code).toBe("LAST_OWNER");
    expect((await patch(browser, owner, "admin")).body.error.code).toBe("LAST_OWNER");
    expect((await remove(await asMember(viewer), viewer)).status).toBe(200);
    expect((await browser.send("/dashboard/v1/people")).body.data).toHaveLength(1);
  });

  type Act = (browser: Browser, person: TestPerson, own: TestPerson) => ReturnType<Browser["send"]>;
  const demote = (browser: Browser, { id }: TestPerson) =>
    browser.send(`/dashboard/v1/people/${id}`, { role: "admin" }, { method: "PATCH" });
  it.each<[string, Act]>([
    ["remove each other", (browser, member) => remove(browser, member)],
    ["demote each other", (browser, member) => demote(browser, member)],
    ["leave", (browser, _, own) => remove(browser, own)],
  ])("of two owners who %s at once, one stays", async (_, act) => {
    for (let round = 0; round < 5; round += 1) {
      const place = { merchantId: (await aMerchant(context.db)).id, role: "owner" } as const;
      const [ada, eve] = [
        await aPerson(context, { places: [place] }),
        await aPerson(context, { places: [place] }),
      ];
      const [first, second] = [
        await signedIn(app, ada, place.merchantId),
        await signedIn(app, eve, place.merchantId),
      ];
      const answers = await Promise.all([act(first, eve, ada), act(second, ada, eve)]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const rows = await context.db.query(sql`
        select from memberships where merchant_id = ${place.merchantId} and role = 'owner'`);
      expect(rows).toHaveLength(1);
    }
  });

  it("a member of another merchant is not found, and neither is the merchant", async () => {
    const owner = await asMember(await member("owner"));
    const other = (await aMerchant(context.db)).id;
    const stranger = await aPerson(context, { places: [{ merchantId: other, role: "viewer" }] });
    expect((await patch(owner, stranger, "viewer")).status).toBe(404);
    owner.merchantId = other;
    expect((await owner.send("/dashboard/v1/people")).body.error.code).toBe("NOT_FOUND");
    owner.merchantId = undefined;
    expect((await owner.send("/dashboard/v1/people")).body.error.details).toMatchObject([
      { path: "x-daric-merchant" },
    ]);
  });
});
