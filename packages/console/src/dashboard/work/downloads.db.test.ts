import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import type { MerchantId } from "@daric/domain/ids";
import type { ApiApp } from "@daric/http/api-app";
import { sql } from "@daric/postgres/sql";
import { createApp } from "@daric/server/app";
import { aMerchant } from "@daric/testing/builders";
import { createTestContext } from "@daric/testing/context";
import { ownersDatabase } from "@daric/testing/owners-database";
import { amplePeopleLimits, aPerson, type Browser, signedIn } from "@daric/testing/people";
import { eventually } from "@daric/testing/webhook-builders";
import { afterAll, beforeAll, expect, it } from "vitest";

/** A kilobyte each: far more than the sockets of both sides hold. */
const ROWS = 20_000;
const MAX_BYTES = 256 * 1024;

let context: Awaited<ReturnType<typeof createTestContext>>;
let app: ApiApp;
let port: number;
const sockets = new Set<Socket>();
const answers: IncomingMessage[] = [];
beforeAll(async () => {
  context = await createTestContext(amplePeopleLimits);
  app = createApp(context);
  await app.listen({ host: "127.0.0.1", port: 0 });
  app.server.on("connection", (socket) => sockets.add(socket));
  port = (app.server.address() as AddressInfo).port;
});
afterAll(async () => {
  for (const answer of answers) answer.destroy();
  await app.close();
  await context.close();
});

/** A merchant with a long audit log, and browsers of so many people. */
async function aShop(people: number): Promise<{ merchantId: MerchantId; browsers: Browser[] }> {
  const { id: merchantId } = await aMerchant(context.db);
  await ownersDatabase(context.db).query(sql`
    insert into audit_log (actor, action, subject, after, reason, merchant_id)
    select 'test', 'test', 'row ' || n, jsonb_build_object('text', repeat('a', 1000)), '', ${merchantId}
    from generate_series(1, ${ROWS}::integer) n`);
  const browsers: Browser[] = [];
  for (let count = 0; count < people; count += 1)
    browsers.push(
      await signedIn(app, await aPerson(context, { places: [{ merchantId, role: "viewer" }] }), merchantId),
    );
  return { merchantId, browsers };
}

/** Asks for a download, and reads nothing of it yet. */
async function download({ cookie = "", merchantId = "" }: Browser): Promise<IncomingMessage> {
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  const path = `/dashboard/v1/exports/audit?merchantId=${merchantId}`;
  const [answer] = (await once(request({ port, path, headers, agent: false }).end(), "response")) as [
    IncomingMessage,
  ];
  answers.push(answer);
  return answer;
}

async function refusalOf(browser: Browser): Promise<object> {
  const answer = await download(browser);
  const { message, error } = JSON.parse(await text(answer));
  return { status: answer.statusCode, retry: answer.headers["retry-after"], code: error.code, message };
}

it.each([
  [
    "the role of its person changes",
    (personId: string) => sql`update memberships set role = 'cashier' where person_id = ${personId}`,
  ],
  [
    "its session ends",
    (personId: string) => sql`update sessions set ended_at = now() where person_id = ${personId}`,
  ],
])("a download that runs breaks off when %s", async (_name, change) => {
  const { merchantId } = await aShop(0);
  const person = await aPerson(context, { places: [{ merchantId, role: "viewer" }] });
  const answer = await download(await signedIn(app, person, merchantId));
  await once(answer, "readable");
  await context.owner.query(change(person.id));
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await expect(text(answer)).rejects.toThrow("aborted");
});

it("a session runs 2 downloads, a merchant 4 and the process 16; each holds little memory, and its end makes room", async () => {
  const first = await aShop(3);
  const [one, two, three] = first.browsers as [Browser, Browser, Browser];
  const running = [await download(one), await download(one)];
  expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  const busy = "run already: wait until one ends.";
  expect(await refusalOf(one)).toEqual({
    status: 429,
    retry: "10",
    code: "RATE_LIMITED",
    message: `2 of your downloads ${busy}`,
  });
  for (let count = 0; count < 2; count += 1) expect((await download(two)).statusCode).toBe(200);
  expect(await refusalOf(three)).toMatchObject({
    status: 429,
    message: `4 downloads of this merchant ${busy}`,
  });
  for (let shop = 0; shop < 3; shop += 1)
    for (const browser of (await aShop(2)).browsers)
      for (let count = 0; count < 2; count += 1) expect((await download(browser)).statusCode).toBe(200);
  const last = (await aShop(1)).browsers[0] as Browser;
  expect(await refusalOf(last)).toMatchObject({ status: 503, retry: "10", message: `16 downloads ${busy}` });
  // The readers read nothing: what they do not take stands in the process.
  const held = [...sockets].map(({ writableLength }) => writableLength);
  expect(Math.max(...held)).toBeGreaterThan(0);
  expect(Math.max(...held)).toBeLessThan(MAX_BYTES);
  running[0]?.destroy();
  expect(await eventually(async () => (await download(last)).statusCode === 200)).toBe(true);
});
