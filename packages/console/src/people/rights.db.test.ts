import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createLogger } from "@daric/runtime/logger";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import {
  aBrowser,
  amplePeopleLimits,
  aPerson,
  PASSWORD,
  signedIn,
  type TestPerson,
} from "@daric/testing/people";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPassword } from "./password.ts";
import { sealPeople } from "./rights.ts";

/* A thief who has only the password of the service's database role: `context.db` has its rights. */

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let merchantId: MerchantId;
beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  app = createApp(context);
  merchantId = (await aMerchant(context.db)).id;
});
afterAll(async () => {
  await app.close();
  await context.close();
});

const alarms = async () =>
  (await context.metrics.alarms.get()).values.find(({ labels }) => labels.alarm === "person_refused")
    ?.value ?? 0;

it("the log line of a person without the right names the person, on pages and on the API", async () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logged = createApp({ ...context, log: createLogger({ level: "info", role: "test", destination }) });
  const cashier = await aPerson(context, { places: [{ merchantId, role: "cashier" }] });
  const browser = await signedIn(logged, cashier, merchantId);
  for (const url of ["/dashboard/v1/shop-codes", "/v1/webhooks/endpoints"]) {
    expect((await browser.send(url, {})).status).toBe(403);
    expect(lines.at(-1)).toMatchObject({ error_code: "INSUFFICIENT_SCOPE", person_id: cashier.id });
  }
  await logged.close();
});

describe("a thief with the password of the service's database", () => {
  it.each<[string, (thief: TestPerson) => Promise<unknown>]>([
    [
      "a membership",
      ({ id }) =>
        context.db.query(sql`
          insert into memberships (merchant_id, person_id, role) values (${merchantId}, ${id}, 'owner')`),
    ],
    [
      "the operator's seat",
      ({ id }) => context.db.query(sql`update people set is_operator = true where id = ${id}`),
    ],
    [
      "a passkey",
      ({ id }) =>
        context.db.query(sql`
          insert into passkeys (id, person_id, name, public_key, counter, transports, challenged_at)
          values (${id}, ${id}, 'Key', '\\x00', 0, '{}', now())`),
    ],
  ])("gains nothing by writing %s: the person is refused, with an alarm", async (_, write) => {
    const thief = await aPerson(context);
    const browser = await signedIn(app, thief);
    const before = await alarms();
    await write(thief);
    expect((await browser.send("/dashboard/v1/session")).body.error.code).toBe("SESSION_ENDED");
    expect((await aBrowser(app).signIn(thief.email)).status).toBe(401);
    expect(await alarms()).toBeGreaterThan(before);
  });

  it("cannot remove a second factor", async () => {
    const person = await aPerson(context);
    await context.owner.query(
      sql`update people set totp_ciphertext = '\\x01', totp_step = 1 where id = ${person.id}`,
    );
    await context.owner.query(sql`update people set rights_mac = null where id = ${person.id}`);
    await sealPeople(context.owner, context.config.integrity.key);
    await context.db.query(sql`update people set totp_ciphertext = null where id = ${person.id}`);
    expect((await aBrowser(app).signIn(person.email)).status).toBe(401);
  });

  it("cannot use a hash of his own, of the form from before the pepper, or one that is another person's", async () => {
    const [victim, thief] = [await aPerson(context), await aPerson(context)];
    const oldForm =
      "$argon2id$v=19$m=19456,t=2,p=1$J44MHqYF1WpTOMbVZ6yaJw$ev1mevzPW3PuSNzJRkBmloSPGHyItGer5eMKX7pyhjU";
    const [{ hash: own = "" } = {}] = await context.db.query<{ hash: string }>(sql`
      select password_hash as hash from people where id = ${thief.id}`);
    for (const hash of [oldForm, own]) {
      await context.db.query(sql`update people set password_hash = ${hash} where id = ${victim.id}`);
      expect((await aBrowser(app).signIn(victim.email)).body.error.code).toBe("SIGN_IN_FAILED");
    }
  });

  it("cannot give the session of one person to another", async () => {
    const [victim, thief] = [await aPerson(context), await aPerson(context)];
    const browser = await signedIn(app, thief);
    const [session] = await context.db.query<{ hash: Buffer }>(sql`
      delete from sessions where person_id = ${thief.id} returning token_hash as hash`);
    await context.db.query(sql`
      insert into sessions (id, token_hash, person_id, address, user_agent)
      values (${thief.id}, ${session?.hash}, ${victim.id}, '127.0.0.1', '')`);
    expect((await browser.send("/dashboard/v1/session")).body.error.code).toBe("SESSION_ENDED");
  });
});

it("a person from before the codes is refused until they are sealed, and is listed then", async () => {
  const person = await aPerson(context, { places: [{ merchantId, role: "admin" }] });
  await context.owner.query(sql`update people set rights_mac = null where id = ${person.id}`);
  expect((await aBrowser(app).signIn(person.email)).status).toBe(401);
  const { sealed } = await sealPeople(context.owner, context.config.integrity.key);
  expect(sealed).toEqual([
    {
      email: person.email,
      isOperator: false,
      memberships: [{ merchantId, role: "admin" }],
      secondFactors: 0,
    },
  ]);
  expect((await aBrowser(app).signIn(person.email)).status).toBe(200);
});

it("sealing names a person whose rights another program wrote, and leaves that person refused", async () => {
  const person = await aPerson(context);
  await context.db.query(sql`update people set is_operator = true where id = ${person.id}`);
  const { sealed, refused } = await sealPeople(context.owner, context.config.integrity.key);
  expect(sealed).toEqual([]);
  expect(refused).toContain(person.email);
});

it("a right password under the previous pepper is hashed again under the current one", async () => {
  const person = await aPerson(context);
  const rotated = {
    ...context,
    config: {
      ...context.config,
      merchants: {
        ...context.config.merchants,
        keyPepper: "a new pepper of more than thirty-two characters",
        previousKeyPepper: context.config.merchants.keyPepper,
      },
    },
  };
  const later = createApp(rotated);
  expect((await aBrowser(later).signIn(person.email)).status).toBe(200);
  const [{ hash = "" } = {}] = await context.db.query<{ hash: string }>(sql`
    select password_hash as hash from people where id = ${person.id}`);
  const peppers = [rotated.config.merchants.keyPepper];
  expect(await isPassword(hash, PASSWORD, { peppers, personId: person.id })).toBe(true);
  await later.close();
});
