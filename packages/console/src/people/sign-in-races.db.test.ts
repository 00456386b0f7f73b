import type { ApiApp } from "@daric/http/api-app";
import { sql, type Transaction } from "@daric/postgres/sql";
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
import { deletePasskeys, lockPerson, storeDisabled, storePassword, storeTotp } from "./person-store.ts";
import { endSessions } from "./session-store.ts";

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

/** Sends while this change of the person is under way, and commits once the request has proven itself and waits for the change. */
async function during<T>(
  { id }: TestPerson,
  change: (tx: Transaction) => Promise<unknown>,
  send: () => Promise<T>,
): Promise<T> {
  let answer: Promise<T> | undefined;
  await context.db.transaction(async (tx) => {
    await lockPerson(tx, id);
    await change(tx);
    await endSessions(tx, id);
    let isAnswered = false;
    answer = send().finally(() => {
      isAnswered = true;
    });
    await expect.poll(async () => isAnswered || (await isLockAwaited()), { timeout: 20_000 }).toBe(true);
  });
  return answer as Promise<T>;
}

async function isLockAwaited(): Promise<boolean> {
  const rows = await context.db.query(sql`
    select lock.pid from pg_locks lock join pg_stat_activity session on session.pid = lock.pid
    where not lock.granted and session.datname = current_database()`);
  return rows.length > 0;
}

async function registerPasskey(browser: Browser) {
  const key = createSecurityKey();
  const { options } = (await browser.send("/dashboard/v1/me/passkeys/options", {})).body.data;
  const response = key.register(options);
  expect((await browser.send("/dashboard/v1/me/passkeys", { name: "Key", response })).status).toBe(201);
  return key;
}

async function sessionsOf({ id }: TestPerson): Promise<number> {
  const rows = await context.db.query(sql`
    select id from sessions where person_id = ${id} and ended_at is null`);
  return rows.length;
}

describe("a sign-in that was proven before a change of the person starts no session after it:", () => {
  it.each<[string, (tx: Transaction, person: TestPerson) => Promise<unknown>]>([
    ["a new password", (tx, { id }) => storePassword(tx, id, "another hash")],
    [
      "an authenticator app",
      (tx, { id }) => storeTotp(tx, id, { ciphertext: Buffer.from("sealed"), step: 1 }),
    ],
    ["a disabled person", (tx, { id }) => storeDisabled(tx, id, true)],
  ])("%s", async (_, change) => {
    const person = await aPerson(context);
    const { body } = await during(
      person,
      (tx) => change(tx, person),
      () => aBrowser(app).signIn(person.email),
    );
    expect(body.error.code).toBe("SIGN_IN_FAILED");
    expect(await sessionsOf(person)).toBe(0);
  });

  it("a first passkey", async () => {
    const person = await aPerson(context);
    const add = (tx: Transaction) =>
      tx.query(sql`
        insert into passkeys (id, person_id, name, public_key, counter, transports, challenged_at)
        values (${person.id}, ${person.id}, 'Key', '\\x00', 0, '{}', now())`);
    const { body } = await during(person, add, () => aBrowser(app).signIn(person.email));
    expect(body.error.code).toBe("SIGN_IN_FAILED");
    expect(await sessionsOf(person)).toBe(0);
  });

  it("a removed passkey", async () => {
    const person = await aPerson(context);
    const key = await registerPasskey(await signedIn(app, person));
    const browser = aBrowser(app);
    const { options } = (await browser.send("/dashboard/v1/sign-in/passkey/options", {})).body.data;
    const { body } = await during(
      person,
      (tx) => deletePasskeys(tx, person.id),
      () => browser.send("/dashboard/v1/sign-in/passkey", { response: key.signIn(options) }),
    );
    expect(body.error.code).toBe("SIGN_IN_FAILED");
    expect(await sessionsOf(person)).toBe(0);
  });
});

it("a change of the password that was proven before another one is refused", async () => {
  const person = await aPerson(context);
  const browser = await signedIn(app, person);
  const change = { password: PASSWORD, newPassword: "a different long sentence" };
  const { status } = await during(
    person,
    (tx) => storePassword(tx, person.id, "another hash"),
    () => browser.send("/dashboard/v1/me/password", change),
  );
  expect(status).toBe(401);
});

it("of many wrong codes at once only as many are judged as may come before the first wait", async () => {
  const person = await aPerson(context);
  const browser = await signedIn(app, person);
  const { secret } = (await browser.send("/dashboard/v1/me/totp", {})).body.data;
  const code = codeOf(secret, -1);
  expect((await browser.send("/dashboard/v1/me/totp/confirm", { secret, code })).status).toBe(200);
  const guess = () => aBrowser(app).signIn(person.email, { code: codeOf(secret, 500) });
  const answers = await Promise.all(Array.from({ length: 25 }, guess));
  const codes = answers.map(({ body }) => body.error.code);
  expect(codes.filter((refusal) => refusal === "WRONG_CODE").length).toBeLessThanOrEqual(7);
  expect(codes.filter((refusal) => refusal === "RATE_LIMITED").length).toBeGreaterThanOrEqual(18);
});

describe("every proof of a password has one limit:", () => {
  const aLimitedApp = () =>
    createApp({
      ...context,
      config: { ...context.config, people: { ...context.config.people, signInsPerMinute: 5 } },
    });

  it("the change of a password counts wrong ones as a sign-in does", async () => {
    const limited = aLimitedApp();
    const browser = await signedIn(limited, await aPerson(context));
    const statuses: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      const change = { password: "a wrong long sentence", newPassword: "a different long sentence" };
      statuses.push((await browser.send("/dashboard/v1/me/password", change)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    await limited.close();
  });

  it("right passwords of one account are at most 30 a minute", async () => {
    const person = await aPerson(context);
    const answers = await Promise.all(Array.from({ length: 40 }, () => aBrowser(app).signIn(person.email)));
    const statuses = answers.map(({ status }) => status);
    // A new one may come every two seconds.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(36);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(4);
  });

  it("an IPv6 site has four times the limit of one /64 in it", async () => {
    const limited = aLimitedApp();
    const guess = (subnet: number) =>
      aBrowser(limited, `2001:db8:7:${subnet}::1`).signIn(`unknown-${subnet}@shop.example`, {
        password: "wrong",
      });
    const answers = await Promise.all(Array.from({ length: 30 }, (_, subnet) => guess(subnet)));
    const judged = answers.filter(({ status }) => status === 401).length;
    // A new one may come every three seconds.
    expect(judged).toBeGreaterThanOrEqual(20);
    expect(judged).toBeLessThan(27);
    await limited.close();
  });
});

it.each([
  ["203.0.113.9", () => "203.0.113.9"],
  ["203.0.113.9 with a port", (port: number) => `203.0.113.9:${port}`],
  ["2001:db8::1", () => "2001:db8::1"],
  ["[2001:db8::1] with a port", (port: number) => `[2001:db8::1]:${port}`],
  ["an entry that is no address", (port: number) => `198.51.100.${port % 200}, unknown-${port}`],
])("behind a trusted proxy the sixth wrong password from %s is refused", async (_, forwardedOf) => {
  const config = {
    ...context.config,
    people: { ...context.config.people, signInsPerMinute: 5 },
    http: { ...context.config.http, trustedProxies: ["127.0.0.1"] },
  };
  const proxied = createApp({ ...context, config });
  const statuses: number[] = [];
  for (let count = 0; count < 7; count += 1) {
    const { email } = await aPerson(context);
    const headers = { "x-forwarded-for": forwardedOf(50_000 + count) };
    const browser = aBrowser(proxied, "127.0.0.1");
    const payload = { email, password: "wrong" };
    statuses.push((await browser.send("/dashboard/v1/sign-in", payload, { headers })).status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  await proxied.close();
});

it("a session keeps the address without the port that a proxy wrote beside it", async () => {
  const config = { ...context.config, http: { ...context.config.http, trustedProxies: ["127.0.0.1"] } };
  const proxied = createApp({ ...context, config });
  const { email } = await aPerson(context);
  const browser = aBrowser(proxied, "127.0.0.1");
  const headers = { "x-forwarded-for": "203.0.113.9:51234" };
  await browser.send("/dashboard/v1/sign-in", { email, password: PASSWORD }, { headers });
  const { body } = await browser.send("/dashboard/v1/sessions");
  expect(body.data[0].address).toBe("203.0.113.9");
  await proxied.close();
});

it("a failed sign-in leaves a line with the person and the address", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = Object.assign(Object.create(context.log), {
    warn: (fields: Record<string, unknown>) => void lines.push(fields),
  });
  const logged = createApp({ ...context, log });
  const person = await aPerson(context);
  await aBrowser(logged, "203.0.113.40").signIn(person.email, { password: "wrong" });
  await aBrowser(logged, "203.0.113.41").signIn("unknown@shop.example", { password: "wrong" });
  const failures = lines.filter(({ event }) => event === "sign_in_failed");
  expect(failures).toMatchObject([
    { person_id: person.id, address: "203.0.113.40", code: "SIGN_IN_FAILED" },
    { account: expect.stringMatching(/^[0-9a-f]{16}$/), address: "203.0.113.41" },
  ]);
  expect(JSON.stringify(failures)).not.toContain("unknown@shop.example");
  await logged.close();
});
