import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { insertMembership } from "@daric/console/people/members/membership-store";
import { insertPerson } from "@daric/console/people/person-store";
import { sealPerson } from "@daric/console/people/rights";
import { idOf } from "@daric/domain/ids";
import { openDatabase } from "@daric/postgres/database";
import { type Database, sql } from "@daric/postgres/sql";
import { type MailServer, openMailServer } from "@daric/testing/mail-server";
import { readMail } from "@daric/testing/read-mail";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { type Stack, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";
import { history } from "../../apps/demo/src/pay-history.ts";
import { isPayer, leaveAddresses } from "./leave-addresses.ts";

const DEMO = join(import.meta.dirname, "../../apps/demo/dist/commands.js");
/** The merchants of the history: most orders are of the first, those of the second live two minutes. */
const MERCHANTS = [
  [],
  [
    ...["--fee-mode", "client", "--fee-basis-points", "100", "--fee-fixed-usdt", "0.5"],
    ...["--order-lifetime", "120s"],
  ],
] as const;
/** Later than the end of every order. */
const [LATER_BLOCKS, LATER_STEP_MS] = [30, 180_000];
/** Owners are mailed so many paid orders of a merchant in a day; then comes a summary of the hour. */
const PAID_ONE_BY_ONE = 20;

/** The kind of a mail, by its subject. */
const kinds = {
  receipt: /^\[Test\] Receipt: /,
  rest: /^\[Test\] .* is missing: /,
  paid: /^\[Test\] Paid: /,
  "paid in an hour": /^\[Test\] \d+ orders? paid: /,
  "paid late": /^\[Test\] Paid too late: /,
  overpaid: /^\[Test\] Too much: /,
  underpaid: /^\[Test\] Missing: /,
  "other coin": /^\[Test\] Paid in another coin: /,
} as const;
type Kind = keyof typeof kinds;
type Counts = Partial<Record<Kind, number>>;

type Event = {
  readonly type: string;
  readonly createdAt: Date;
  readonly data: {
    readonly late?: boolean;
    readonly paymentState?: string;
    readonly depositAddressId?: string;
  };
};

let stack: Stack;
let db: Database;
let mails: MailServer;
let home: string;
let merchantIds: string[];

beforeAll(async () => {
  mails = await openMailServer();
  stack = await startStack({ SMTP_URL: mails.url, MAIL_FROM: "pay@shop.example", MAIL_PER_MINUTE: "60000" });
  const url = stack.variables.DATABASE_URL ?? "";
  db = openDatabase({ url, applicationName: "demo-messages", onError: () => undefined });
  home = await mkdtemp(join(scratchFolder(), "daric-history-"));
  const merchants = await Promise.all(MERCHANTS.map((options) => stack.merchant(...options)));
  merchantIds = merchants.map(({ id }) => id);
  for (const merchantId of merchantIds) await addOwner(merchantId);
  const [apiKey, shortApiKey] = merchants.map((merchant) => merchant.apiKey);
  const demo = {
    ...{ baseUrl: stack.baseUrl, apiKey, clientFeeMerchant: { apiKey: shortApiKey } },
    devchain: { url: stack.devchain.url },
  };
  await writeFile(join(home, "demo.json"), JSON.stringify(demo));
});
afterAll(async () => {
  await db.close();
  await stack.stop();
  await mails.close();
  await rm(home, { recursive: true, force: true });
});

function ownerOf(merchantId: string): string {
  return `owner-${merchantId}@shop.example`;
}

/** An owner with the MAC of the service, without which no message is sent. */
async function addOwner(id: string): Promise<void> {
  const [personId, merchantId] = [idOf("person", randomUUID()), idOf("merchant", id)];
  const key = Buffer.from(stack.variables.DARIC_INTEGRITY_KEY ?? "", "hex");
  await db.transaction(async (tx) => {
    await insertPerson(tx, { id: personId, email: ownerOf(id), name: "Owner", passwordHash: "none" });
    await insertMembership(tx, { merchantId, personId, role: "owner" });
    await sealPerson(tx, key, personId);
  });
}

/** Plays the history as its command does. Each payer leaves an address before the money comes, and the chain goes on. */
async function playHistory(): Promise<void> {
  const env = { PATH: process.env.PATH, DARIC_HOME: home };
  const child = spawn(process.execPath, [DEMO, "history"], { env, stdio: ["ignore", "pipe", "inherit"] });
  let isMade = false;
  child.stdout.once("data", () => {
    isMade = true;
  });
  const ended = once(child, "exit");
  while (child.exitCode === null) {
    for (const merchantId of merchantIds) await leaveAddresses(stack, db, merchantId);
    // Once all orders are made, the short ones may expire.
    if (isMade) await stack.mine(10);
    await sleep(isMade ? 1_000 : 100);
  }
  expect((await ended)[0]).toBe(0);
  await stack.mine(25);
  await stack.control("mine", { blocks: LATER_BLOCKS, stepMs: LATER_STEP_MS });
  await stack.mine(25);
}

async function eventsOf(merchantId: string): Promise<Event[]> {
  const rows = await db.query<Omit<Event, "data"> & { body: Buffer }>(sql`
    select event.type, event.created_at as "createdAt", body.body
    from webhook_events event
    join webhook_event_bodies body on body.merchant_id = event.merchant_id and body.event_id = event.id
    where event.merchant_id = ${merchantId} order by event.position`);
  return rows.map(({ body, ...event }) => ({ ...event, data: JSON.parse(body.toString()).data }));
}

/** The mails that these events ask for, to the owner of a merchant without an endpoint and to its payers. */
function askedBy(events: readonly Event[]): { owner: Counts; payers: Counts } {
  const count = (type: string) => events.filter((event) => event.type === type).length;
  const paid = events.filter(({ type }) => type === "order.paid");
  // An order that was paid late or too much by one block makes that message alone.
  const keyOf = ({ data, createdAt }: Event) => `${data.depositAddressId} ${createdAt.toISOString()}`;
  const special = new Set(
    events.filter(({ type }) => type === "order.paid_late" || type === "order.overpaid").map(keyOf),
  );
  const plain = paid.filter((event) => !special.has(keyOf(event)));
  const hours = new Set(
    plain.slice(PAID_ONE_BY_ONE).map(({ createdAt }) => createdAt.toISOString().slice(0, 13)),
  );
  const short = events.filter(
    ({ type, data }) => type === "deposit.confirmed" && data.paymentState === "under" && data.late === false,
  );
  return {
    owner: withoutZero({
      paid: Math.min(plain.length, PAID_ONE_BY_ONE),
      "paid in an hour": hours.size,
      "paid late": count("order.paid_late"),
      overpaid: count("order.overpaid"),
      underpaid: count("order.underpaid"),
      "other coin": count("deposit.unmatched"),
    }),
    payers: withoutZero({ receipt: paid.length, rest: short.length }),
  };
}

function withoutZero(counts: Counts): Counts {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** The mails to these receivers, by kind. */
function mailed(isOne: (receiver: string) => boolean): Counts {
  const counts: Counts = {};
  for (const { to, raw } of mails.received) {
    if (!to.every(isOne)) continue;
    const subject = readMail(raw).header("subject") ?? "";
    const found = Object.entries(kinds).find(([, words]) => words.test(subject));
    if (found === undefined) throw new Error(`no kind has the subject ${subject}`);
    counts[found[0] as Kind] = (counts[found[0] as Kind] ?? 0) + 1;
  }
  return counts;
}

/** Orders of the history that are paid like this. */
function planned(isShort: boolean, ...cases: string[]): number {
  const isOrder = (body: object) => "amount" in body;
  return history.filter(
    (order) =>
      (order.isShort ?? false) === isShort && isOrder(order.body) && cases.includes(order.case ?? ""),
  ).length;
}

it("the demo's history mails its payers and owners what its events ask for, each once", {
  timeout: 400_000,
}, async () => {
  await playHistory();
  const [first = "", second = ""] = merchantIds;
  const isOver = async () => (await eventsOf(first)).filter(({ type }) => type === "order.underpaid").length;
  await until("short orders have ended", async () => (await isOver()) === planned(false, "under"), 60_000);
  // The summary of an hour is due at its end.
  await db.query(
    sql`update messages set due_at = now() where kind = 'paid_hour' and merchant_id = any(${merchantIds}::uuid[])`,
  );
  const waiting = sql`select from messages where ended_at is null and merchant_id = any(${merchantIds}::uuid[])`;
  await until("no message waits", async () => (await db.query(waiting)).length === 0, 60_000);

  const asked = [askedBy(await eventsOf(first)), askedBy(await eventsOf(second))] as const;
  expect(asked[0].payers).toEqual({
    receipt: planned(false, "exact", "over", "twice"),
    rest: planned(false, "under"),
  });
  expect(asked[0].owner).toMatchObject({
    ...{ overpaid: planned(false, "over", "twice"), underpaid: planned(false, "under") },
    "other coin": planned(false, "wrong_coin"),
  });
  expect(asked[1].payers).toEqual({ receipt: planned(true, "exact", "late") });
  expect(asked[1].owner).toEqual({
    paid: planned(true, "exact"),
    "paid late": planned(true, "late"),
  });
  expect(mailed((receiver) => receiver === ownerOf(first))).toEqual(asked[0].owner);
  expect(mailed((receiver) => receiver === ownerOf(second))).toEqual(asked[1].owner);
  const { rest, receipt = 0 } = asked[0].payers;
  expect(mailed(isPayer)).toEqual({ rest, receipt: receipt + (asked[1].payers.receipt ?? 0) });
});
