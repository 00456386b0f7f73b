import type { ApiApp } from "@daric/http/api-app";
import { one, sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { createTestContext } from "@daric/testing/context";
import { createSecurityKey } from "@daric/testing/passkeys";
import {
  aBrowser,
  amplePeopleLimits,
  aPerson,
  type Browser,
  codeOf,
  PASSWORD,
  signedIn,
  type TestPerson,
} from "@daric/testing/people";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  app = createApp(context);
});
afterAll(async () => {
  await app.close();
  await context.close();
});

/** Sets up an authenticator app; returns its secret and the recovery codes. */
async function withTotp(browser: Browser): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await browser.send("/dashboard/v1/me/totp", {})).body.data;
  const code = codeOf(secret, -1);
  const { status, body } = await browser.send("/dashboard/v1/me/totp/confirm", { secret, code });
  expect(status).toBe(200);
  return { secret, recoveryCodes: body.data.recovery_codes };
}

async function withPasskey(browser: Browser, key = createSecurityKey()) {
  const { options } = (await browser.send("/dashboard/v1/me/passkeys/options", {})).body.data;
  const answer = await browser.send("/dashboard/v1/me/passkeys", {
    name: "Key",
    response: key.register(options),
  });
  return { key, answer };
}

async function challenge(browser: Browser): Promise<{ challenge: string }> {
  return (await browser.send("/dashboard/v1/sign-in/passkey/options", {})).body.data.options;
}

const actions = async ({ id }: TestPerson) =>
  (
    await context.db.query<{ action: string; address: string }>(
      sql`select action, address from audit_log where actor = ${`person ${id}`} order by id`,
    )
  ).map(({ action }) => action);

describe("sign-in by password", () => {
  it("sets a cookie that no script can read, and returns the signed-in person", async () => {
    const person = await aPerson(context);
    const browser = aBrowser(app);
    const { status, body, headers } = await browser.signIn(person.email.toUpperCase());
    expect(status).toBe(200);
    expect(body.data.person).toMatchObject({ id: person.id, email: person.email, has_totp: false });
    expect(headers["set-cookie"]).toMatch(
      /^daric_session=[\w-]{75}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/,
    );
    expect((await browser.send("/dashboard/v1/session")).body.data.person.id).toBe(person.id);
    expect(await actions(person)).toEqual(["sign in"]);
  });

  it("keeps neither password nor token in the database", async () => {
    const person = await aPerson(context);
    const { cookie = "" } = await signedIn(app, person);
    const rows = await context.db.query<{ text: string }>(sql`
      select people::text || sessions::text as text from people join sessions on person_id = people.id
      where people.id = ${person.id}`);
    const token = cookie.split("=")[1] ?? "";
    expect(one(rows).text).not.toContain(PASSWORD);
    expect(one(rows).text).not.toContain(token);
    expect(one(rows).text).not.toContain(Buffer.from(token, "base64url").toString("hex"));
    expect(one(rows).text).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
  });

  it("needs a second factor that is set up, and takes each code of the app once", async () => {
    const person = await aPerson(context);
    const { secret } = await withTotp(await signedIn(app, person));
    const browser = aBrowser(app);
    expect((await browser.signIn(person.email)).body.error.code).toBe("CODE_REQUIRED");
    const code = codeOf(secret);
    expect((await browser.signIn(person.email, { code })).status).toBe(200);
    const again = await aBrowser(app).signIn(person.email, { code });
    expect(again.body).toMatchObject({
      error: { code: "WRONG_CODE" },
      message: expect.stringContaining("used already"),
    });
  });

  it("takes each recovery code once, in any case and spacing", async () => {
    const person = await aPerson(context);
    const { recoveryCodes } = await withTotp(await signedIn(app, person));
    expect(new Set(recoveryCodes).size).toBe(10);
    const code = ` ${recoveryCodes[3]?.toLowerCase().replace("-", " ")}`;
    const first = await aBrowser(app).signIn(person.email, { code });
    expect(first.body.data.person.recovery_codes_left).toBe(9);
    expect((await aBrowser(app).signIn(person.email, { code })).body.error.code).toBe("WRONG_CODE");
    const again = { code: recoveryCodes[4] };
    const atOnce = await Promise.all([1, 2, 3].map(() => aBrowser(app).signIn(person.email, again)));
    expect(atOnce.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("waits after five wrong codes, and a recovery code never does", async () => {
    const person = await aPerson(context);
    const { secret, recoveryCodes } = await withTotp(await signedIn(app, person));
    const browser = aBrowser(app);
    const wrong = codeOf(secret, 500);
    for (let count = 0; count < 7; count += 1) {
      await browser.signIn(person.email, { code: wrong });
      await context.owner.query(sql`
        update people set wrong_code_at = wrong_code_at - interval '1 second' * (${count} % 6) where id = ${person.id}`);
    }
    const refused = await browser.signIn(person.email, { code: codeOf(secret) });
    expect(refused.body.error.code).toBe("RATE_LIMITED");
    expect(refused.headers["retry-after"]).toMatch(/^\d+$/);
    expect((await browser.signIn(person.email, { code: recoveryCodes[0] })).status).toBe(200);
  });

  it("a disabled person and an ended session are out at once", async () => {
    const person = await aPerson(context);
    const browser = await signedIn(app, person);
    await context.owner.query(sql`update people set disabled_at = now() where id = ${person.id}`);
    expect((await browser.send("/dashboard/v1/session")).body.error.code).toBe("SESSION_ENDED");
    expect((await aBrowser(app).signIn(person.email)).body.error.code).toBe("SIGN_IN_FAILED");
  });

  it.each([
    ["14 days old", sql`expires_at = now()`],
    ["unused for 12 hours", sql`seen_at = now() - interval '12 hours'`],
  ])("a session that is %s has ended", async (_name, change) => {
    const person = await aPerson(context);
    const browser = await signedIn(app, person);
    await context.owner.query(sql`update sessions set ${change} where person_id = ${person.id}`);
    expect((await browser.send("/dashboard/v1/session")).body.error.code).toBe("SESSION_ENDED");
  });
});

describe("sign-in by passkey", () => {
  it("needs neither e-mail nor password, and takes each answer once", async () => {
    const person = await aPerson(context);
    const { key, answer } = await withPasskey(await signedIn(app, person));
    expect(answer.status).toBe(201);
    const browser = aBrowser(app);
    const response = key.signIn(await challenge(browser));
    const { status, body } = await browser.send("/dashboard/v1/sign-in/passkey", { response });
    expect(status).toBe(200);
    expect(body.data.person).toMatchObject({ id: person.id, passkeys: 1 });
    const replayed = await aBrowser(app).send("/dashboard/v1/sign-in/passkey", { response });
    expect(replayed.body.error.code).toBe("SIGN_IN_FAILED");
  });

  it("signs in only one of two simultaneous uses of an answer", async () => {
    const { key } = await withPasskey(await signedIn(app, await aPerson(context)));
    const response = key.signIn(await challenge(aBrowser(app)));
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => aBrowser(app).send("/dashboard/v1/sign-in/passkey", { response })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it.each([
    ["of another site", createSecurityKey({ origin: "https://evil.example" })],
    ["without a verified user", createSecurityKey({ verifiesUser: false })],
    ["from a frame of another site", createSecurityKey({ crossOrigin: true })],
  ])("a key %s is not registered", async (_name, key) => {
    const { answer } = await withPasskey(await signedIn(app, await aPerson(context)), key);
    expect(answer.body).toMatchObject({
      error: { code: "VALIDATION_ERROR", details: [{ path: "response" }] },
    });
  });

  it("one question registers one key", async () => {
    const browser = await signedIn(app, await aPerson(context));
    const { options } = (await browser.send("/dashboard/v1/me/passkeys/options", {})).body.data;
    const register = () =>
      browser.send("/dashboard/v1/me/passkeys", {
        name: "Key",
        response: createSecurityKey().register(options),
      });
    expect((await register()).status).toBe(201);
    expect((await register()).body.error.code).toBe("VALIDATION_ERROR");
  });

  it("a challenge of another purpose or person, an old one and a made-up one are refused", async () => {
    const [ada, eve] = [
      await signedIn(app, await aPerson(context)),
      await signedIn(app, await aPerson(context)),
    ];
    const { key } = await withPasskey(ada);
    const { options } = (await eve.send("/dashboard/v1/me/passkeys/options", {})).body.data;
    const other = createSecurityKey();
    const stolen = await ada.send("/dashboard/v1/me/passkeys", {
      name: "x",
      response: other.register(options),
    });
    expect(stolen.status).toBe(422);
    const old = Buffer.from((await challenge(ada)).challenge, "base64url");
    old.writeBigUInt64BE(BigInt(Date.now() - 6 * 60_000));
    for (const text of [options.challenge, old.toString("base64url"), "AAAA"]) {
      const response = key.signIn({ challenge: text });
      const answer = await aBrowser(app).send("/dashboard/v1/sign-in/passkey", { response });
      expect(answer.body.error.code).toBe("SIGN_IN_FAILED");
    }
  });

  it("proves a person again by a passkey of that person only", async () => {
    const [ada, eve] = [
      await signedIn(app, await aPerson(context)),
      await signedIn(app, await aPerson(context)),
    ];
    const { key } = await withPasskey(ada);
    const send = async (browser: Browser) =>
      browser.send("/dashboard/v1/session/reauthenticate", {
        response: key.signIn(await challenge(browser)),
      });
    expect((await send(ada)).status).toBe(200);
    expect((await send(eve)).body.error.code).toBe("SIGN_IN_FAILED");
  });

  it("a password alone does not sign in a person with a passkey", async () => {
    const person = await aPerson(context);
    await withPasskey(await signedIn(app, person));
    expect((await aBrowser(app).signIn(person.email)).body.error.code).toBe("CODE_REQUIRED");
  });
});

describe("sessions", () => {
  it("are listed and ended one by one, and another person's is not found", async () => {
    const person = await aPerson(context);
    const [phone, desk] = [await signedIn(app, person), await signedIn(app, person)];
    const rows = (await desk.send("/dashboard/v1/sessions")).body.data;
    expect(rows).toHaveLength(2);
    const { id } = rows.find((row: { is_current: boolean }) => !row.is_current);
    const stranger = await signedIn(app, await aPerson(context));
    const url = `/dashboard/v1/sessions/${id}`;
    expect((await stranger.send(url, undefined, { method: "DELETE" })).status).toBe(404);
    expect((await desk.send(url, undefined, { method: "DELETE" })).status).toBe(200);
    expect((await phone.send("/dashboard/v1/session")).status).toBe(401);
    expect((await desk.send("/dashboard/v1/session")).status).toBe(200);
  });

  it("end at sign-out, which removes the cookie", async () => {
    const browser = await signedIn(app, await aPerson(context));
    const { cookie } = browser;
    expect((await browser.send("/dashboard/v1/sign-out", {})).headers["set-cookie"]).toMatch(
      /=; .*Max-Age=0$/,
    );
    browser.cookie = cookie;
    expect((await browser.send("/dashboard/v1/session")).status).toBe(401);
  });

  it("a new password ends the others and gives this one another token", async () => {
    const person = await aPerson(context);
    const [phone, desk] = [await signedIn(app, person), await signedIn(app, person)];
    const former = desk.cookie;
    const change = { password: PASSWORD, newPassword: "a different long sentence" };
    expect((await desk.send("/dashboard/v1/me/password", { ...change, newPassword: "short" })).status).toBe(
      422,
    );
    expect((await desk.send("/dashboard/v1/me/password", change)).status).toBe(200);
    expect((await phone.send("/dashboard/v1/session")).status).toBe(401);
    expect((await desk.send("/dashboard/v1/session")).status).toBe(200);
    desk.cookie = former;
    expect((await desk.send("/dashboard/v1/session")).status).toBe(401);
    expect((await aBrowser(app).signIn(person.email, { password: change.newPassword })).status).toBe(200);
  });

  it("an operation that needs a proof is refused five minutes after the last proof, until a new one", async () => {
    const person = await aPerson(context);
    const browser = await signedIn(app, person);
    await context.owner.query(sql`
      update sessions set reauthenticated_at = now() - interval '5 minutes' where person_id = ${person.id}`);
    const send = () => browser.send("/dashboard/v1/me/totp", {});
    expect((await send()).body.error.code).toBe("REAUTHENTICATION_REQUIRED");
    // A change without a proof renews the token, and is no proof.
    await browser.send("/dashboard/v1/me", { name: "Ada L." }, { method: "PATCH" });
    expect((await send()).body.error.code).toBe("REAUTHENTICATION_REQUIRED");
    const wrong = await browser.send("/dashboard/v1/session/reauthenticate", { password: "wrong password" });
    expect(wrong.body.error.code).toBe("SIGN_IN_FAILED");
    expect((await browser.send("/dashboard/v1/session/reauthenticate", { password: PASSWORD })).status).toBe(
      200,
    );
    expect((await send()).status).toBe(200);
  });
});

describe("the limit of an address", () => {
  const aLimitedApp = () =>
    createApp({
      ...context,
      config: { ...context.config, people: { ...context.config.people, signInsPerMinute: 5 } },
    });

  it("counts wrong passwords, which delay no passkey", async () => {
    const limited = aLimitedApp();
    const person = await aPerson(context);
    const { key } = await withPasskey(await signedIn(app, person));
    const browser = aBrowser(limited, "203.0.113.7");
    for (let count = 0; count < 6; count += 1) await browser.signIn(person.email, { password: "wrong" });
    expect((await browser.signIn(person.email)).body.error.code).toBe("RATE_LIMITED");
    const response = key.signIn(await challenge(browser));
    expect((await browser.send("/dashboard/v1/sign-in/passkey", { response })).status).toBe(200);
    await limited.close();
  });

  it("counts neither a success nor a missing or wrong code", async () => {
    const limited = aLimitedApp();
    const [plain, person] = [await aPerson(context), await aPerson(context)];
    const { secret, recoveryCodes } = await withTotp(await signedIn(app, person));
    const browser = aBrowser(limited, "203.0.113.8");
    for (let count = 0; count < 6; count += 1) {
      expect((await browser.signIn(plain.email)).status).toBe(200);
      expect((await browser.signIn(person.email)).body.error.code).toBe("CODE_REQUIRED");
      await browser.signIn(person.email, { code: codeOf(secret, 500) });
    }
    expect((await browser.signIn(person.email, { code: recoveryCodes[0] })).status).toBe(200);
    await limited.close();
  });

  it("counts wrong passwords that are sent simultaneously", async () => {
    const limited = aLimitedApp();
    const { email } = await aPerson(context);
    const guess = () => aBrowser(limited, "203.0.113.9").signIn(email, { password: "wrong" });
    const answers = await Promise.all(Array.from({ length: 9 }, guess));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    await limited.close();
  });
});

it("a live service lets a person without a second factor only set one up", async () => {
  const live = { ...context, config: { ...context.config, environment: "live" as const } };
  const liveApp = createApp(live);
  try {
    const browser = await signedIn(liveApp, await aPerson(context, { isOperator: true }));
    expect((await browser.send("/dashboard/v1/session")).body.data.second_factor_missing).toBe(true);
    for (const url of ["/dashboard/v1/operator/people", "/dashboard/v1/operator/merchants"])
      expect((await browser.send(url)).body.error.code).toBe("SECOND_FACTOR_REQUIRED");
    const { key } = await withPasskey(browser);
    expect((await browser.send("/dashboard/v1/sign-out", {})).status).toBe(200);
    const again = aBrowser(liveApp);
    const response = key.signIn(await challenge(again));
    expect((await again.send("/dashboard/v1/sign-in/passkey", { response })).status).toBe(200);
    const last = await again.send(`/dashboard/v1/me/passkeys/${key.id}`, undefined, { method: "DELETE" });
    expect(last.body.error.code).toBe("SECOND_FACTOR_REQUIRED");
  } finally {
    await liveApp.close();
  }
});

it("with DASHBOARD=off there is no route", async () => {
  const off = createApp({
    ...context,
    config: { ...context.config, people: { ...context.config.people, dashboard: "off" } },
  });
  const { status, body } = await aBrowser(off).signIn("ada@shop.example");
  await off.close();
  expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
});
