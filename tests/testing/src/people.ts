import { randomBytes } from "node:crypto";
import { insertMembership } from "@daric/console/people/members/membership-store";
import { hashPassword, storedHash } from "@daric/console/people/password";
import { insertPerson, makeOperator } from "@daric/console/people/person-store";
import { sealPerson } from "@daric/console/people/rights";
import type { MerchantId, PersonId } from "@daric/domain/ids";
import { idOf } from "@daric/domain/ids";
import type { MerchantRole } from "@daric/domain/merchant-role";
import type { ApiApp } from "@daric/http/api-app";
import { Secret, TOTP } from "otpauth";
import { uuidv7 } from "uuidv7";
import type { TestContext } from "./context.ts";
import { ownersDatabase } from "./owners-database.ts";

/** Limits that no test of people reaches by accident. */
export const amplePeopleLimits = {
  RATE_LIMIT_SIGN_IN_PER_MINUTE: "100000",
  RATE_LIMIT_KEY_BURST: "100000",
};

/** The password of every person in tests, so that it is hashed once. */
export const PASSWORD = "correct horse battery staple";
const hashes = new Map<string, ReturnType<typeof hashPassword>>();
function hashOf(pepper: string): ReturnType<typeof hashPassword> {
  const known = hashes.get(pepper);
  if (known !== undefined) return known;
  const made = hashPassword(PASSWORD, { email: "ada@shop.example", path: "password", peppers: [pepper] });
  hashes.set(pepper, made);
  return made;
}

export type TestPerson = { readonly id: PersonId; readonly email: string };
type Membership = { readonly merchantId: MerchantId; readonly role: MerchantRole };

/** A person with {@link PASSWORD} and without a second factor. */
export async function aPerson(
  { db, config }: Pick<TestContext, "db" | "config">,
  { places = [], isOperator = false }: { places?: readonly Membership[]; isOperator?: boolean } = {},
): Promise<TestPerson> {
  const id = idOf("person", uuidv7());
  const email = `ada-${randomBytes(6).toString("hex")}@shop.example`;
  const hash = storedHash(await hashOf(config.merchants.keyPepper), id);
  await ownersDatabase(db).transaction(async (tx) => {
    await insertPerson(tx, { id, email, name: "Ada", passwordHash: hash });
    for (const membership of places) await insertMembership(tx, { ...membership, personId: id });
    if (isOperator) await makeOperator(tx, id);
    await sealPerson(tx, config.integrity.key, id);
  });
  return { id, email };
}

type Sent = {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly headers?: Record<string, string>;
};
export type BrowserAnswer = {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what any route answers
  readonly body: any;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
};

/** A browser with one page of the dashboard: it keeps the cookie and the newest token against forged requests. */
export type Browser = {
  cookie: string | undefined;
  csrfToken: string | undefined;
  merchantId: string | undefined;
  send(url: string, payload?: object, sent?: Sent): Promise<BrowserAnswer>;
  signIn(email: string, more?: object): Promise<BrowserAnswer>;
};

/** `address` is the client address of its requests. */
export function aBrowser(
  app: ApiApp,
  address = `198.51.100.${1 + Math.floor(Math.random() * 250)}`,
): Browser {
  const browser: Browser = {
    cookie: undefined,
    csrfToken: undefined,
    merchantId: undefined,
    async send(url, payload, { method = payload === undefined ? "GET" : "POST", headers = {} } = {}) {
      const response = await app.inject({
        method,
        url,
        remoteAddress: address,
        headers: {
          "sec-fetch-site": "same-origin",
          ...(browser.cookie !== undefined && { cookie: browser.cookie }),
          ...(browser.csrfToken !== undefined && { "x-csrf-token": browser.csrfToken }),
          ...(browser.merchantId !== undefined && { "x-daric-merchant": browser.merchantId }),
          ...headers,
        },
        ...(payload !== undefined && { payload }),
      });
      const set = response.headers["set-cookie"];
      if (typeof set === "string") browser.cookie = set.split(";", 1)[0];
      const isJson = String(response.headers["content-type"]).startsWith("application/json");
      const body = isJson && response.body !== "" ? response.json() : {};
      const token = body.data?.csrf_token ?? body.data?.session?.csrf_token;
      if (token !== undefined) browser.csrfToken = token;
      return { status: response.statusCode, body, text: response.body, headers: response.headers };
    },
    signIn: (email, more = {}) =>
      browser.send("/dashboard/v1/sign-in", { email, password: PASSWORD, ...more }),
  };
  return browser;
}

/** A browser whose person is signed in and acts for the merchant. */
export async function signedIn(app: ApiApp, { email }: TestPerson, merchantId?: string): Promise<Browser> {
  const browser = aBrowser(app);
  const { status, text } = await browser.signIn(email);
  if (status !== 200) throw new Error(`sign-in failed: ${text}`);
  browser.merchantId = merchantId;
  return browser;
}

/** The code of the authenticator app now, or `steps` times 30 seconds later. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}
