import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseUnavailableError } from "@daric/postgres/errors";
import { type Database, sql } from "@daric/postgres/sql";
import { type AlarmMetrics, createAlarmMetrics, raiseNodeAlarm } from "@daric/runtime/metrics";
import { firingAt, healthyAt, type SampleValues, samplesOf } from "@daric/testing/alert-samples";
import { createTestContext, type TestContext, withSettings } from "@daric/testing/context";
import { freePort } from "@daric/testing/free-port";
import { Gauge, Registry } from "prom-client";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { alerts } from "./alerts.ts";
import { consequences } from "./consequences.ts";
import { occurrenceMac } from "./occurrence-mac.ts";
import { listOpen } from "./occurrence-store.ts";
import { findProcessChecks } from "./process-checks.ts";
import { startNotifier } from "./worker.ts";

let context: Awaited<ReturnType<typeof createTestContext>>;
let registry: Registry;
let halted: Gauge<never>;
let alarms: AlarmMetrics;
let mails: string[];
let smtp: SMTPServer | undefined;
let smtpPort: number;
let running: { stop(): Promise<void> }[];
let clockMs: number;

beforeAll(async () => {
  context = await createTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  registry = new Registry();
  const registers = [registry];
  new Gauge({ name: "daric_watcher_leader", help: "-", registers }).set(1);
  const rate = new Gauge({ name: "daric_rate_age_seconds", help: "-", labelNames: ["currency"], registers });
  for (const currency of ["USDT", "TRX"]) rate.set({ currency }, 1);
  halted = new Gauge({ name: "daric_scan_halted", help: "-", registers });
  alarms = createAlarmMetrics(registers);
  mails = [];
  running = [];
  clockMs = 0;
  smtpPort = await freePort();
  for (const table of [sql`messages`, sql`alert_occurrences`, sql`alert_samples`])
    await context.owner.query(sql`delete from ${table}`);
});
afterEach(async () => {
  for (const notifier of running) await notifier.stop();
  await closeSmtp();
});

/** The readiness checks of every process. */
const checks = [{ name: "quorum", detail: "2 of 3 nodes must agree; a.example: answered HTTP 502" }];

/** A mail server that keeps the text of each mail. */
async function openSmtp(): Promise<void> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData: async (stream, _session, callback) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      mails.push(Buffer.concat(chunks).toString("utf8"));
      callback();
    },
  });
  await new Promise<void>((resolve) => server.listen(smtpPort, "127.0.0.1", () => resolve()));
  smtp = server;
}

async function closeSmtp(): Promise<void> {
  const server = smtp;
  smtp = undefined;
  if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
}

type Alerts = Partial<TestContext["config"]["alerts"]>;

function start(process: string, alerts: Alerts = {}): { stop(): Promise<void> } {
  const settled = withSettings(context, {
    alerts: { mailTo: ["ops@shop.example"], digestAt: "off", ...alerts },
    mail: { smtpUrl: `smtp://127.0.0.1:${smtpPort}?tls=none`, mailFrom: "daric@shop.example" },
  });
  const clock = { now: () => new Date(Date.now() + clockMs), monotonicMs: () => performance.now() + clockMs };
  const notifier = startNotifier(
    { ...settled, clock, metrics: { ...context.metrics, ...alarms, registry } as never },
    { process, findReadiness: async () => ({ checks }), roundMs: 50 },
  );
  running.push(notifier);
  return notifier;
}

const subjects = () => mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]?.trim());
const makeDue = () => context.owner.query(sql`update messages set due_at = now() where ended_at is null`);
/** Moves the times of open alerts back, as if they had been written so long ago. */
async function moveBack(of: "trueAt" | "pendingSince", ms: number): Promise<void> {
  for (const occurrence of await listOpen(context.owner)) {
    const moved = { ...occurrence, [of]: new Date(occurrence[of].getTime() - ms) };
    const mac = occurrenceMac(context, moved);
    await context.owner.query(sql`
      update alert_occurrences set true_at = ${moved.trueAt}, pending_since = ${moved.pendingSince}, mac = ${mac}
      where id = ${moved.id} and mac = ${occurrence.mac}`);
  }
}
const passTime = () => moveBack("trueAt", 180_000);

it("an alert sends one mail at its start and one at its end: of two processes, after a restart, and after the mail server was down", async () => {
  start("a:1");
  const second = start("b:1");
  halted.set(1);
  const tried = () =>
    context.owner.query(sql`select attempts, last_error is not null as failed from messages`);
  await expect.poll(tried, { timeout: 10_000 }).toEqual([{ attempts: 1, failed: true }]);
  for (const notifier of running) await notifier.stop();
  await openSmtp();
  start("a:1");
  await makeDue();
  const [begun, over] = [
    /^\[daric\] CRITICAL on devnet: The scan is halted/,
    /^\[daric\] Over after .* is halted/,
  ];
  await expect.poll(subjects, { timeout: 10_000 }).toEqual([expect.stringMatching(begun)]);
  halted.set(0);
  // The two minutes without the condition.
  await expect
    .poll(async () => {
      await passTime();
      return subjects();
    })
    .toEqual([expect.stringMatching(begun), expect.stringMatching(over)]);
  expect(await tried()).toEqual([
    { attempts: 2, failed: false },
    { attempts: 1, failed: false },
  ]);
  await second.stop();
});

it("every alert that no other one explains sends one mail at its start and one at its end", async () => {
  await openSmtp();
  // Samples of the process itself would hide that a leader or a rate is missing.
  registry = new Registry();
  const says = async (process: string, values: SampleValues, ago = "0 s") =>
    context.owner.query(sql`
      insert into alert_samples (process, samples, taken_at)
      values (${process}, ${JSON.stringify(samplesOf(values))}::jsonb, now() - ${ago}::interval)`);
  const now = () => Date.now() / 1_000;
  const all = Object.assign({}, ...Object.values(firingAt(now())));
  await says("b:1", healthyAt(now()), "160 s");
  // A silent process.
  await says("c:1", healthyAt(now()), "150 s");
  await says("b:1", { ...healthyAt(now()), ...all, "daric_webhook_attempts_total{result=timeout}": 9 });
  const first = start("a:1");
  const states = () =>
    context.owner.query<{ alert: string; isStarted: boolean; isEnded: boolean }>(sql`
      select alert, started_at is not null as "isStarted", ended_at is not null as "isEnded"
      from alert_occurrences order by alert, labels`);
  const names = alerts.map(({ name }) => name).toSorted();
  await expect
    .poll(async () => [...new Set((await states()).map(({ alert }) => alert))], { timeout: 20_000 })
    // It counts a past window, so it is not open beside its cause.
    .toEqual(names.filter((name) => name !== "DaricNodeFailing"));
  await moveBack("pendingSince", 7_200_000);
  const sent = (over: boolean) => subjects().filter((subject) => subject?.includes(" Over after ") === over);
  // What follows from another alert is not told beside it.
  const explained = new Set(Object.values(consequences).flat());
  const told = names.filter((name) => !explained.has(name));
  await expect.poll(() => sent(false).length, { timeout: 20_000 }).toBe(told.length);
  expect((await states()).flatMap(({ alert, isStarted }) => (isStarted ? [alert] : []))).toEqual(told);

  // Another process evaluates, and has not read the deleted rows.
  await first.stop();
  await context.owner.query(sql`delete from alert_samples`);
  start("a:2");
  await says("b:1", healthyAt(now()));
  await expect
    .poll(
      async () => {
        await passTime();
        return sent(true).length;
      },
      { timeout: 20_000 },
    )
    .toBe(told.length);
  expect((await states()).map(({ alert, isEnded }) => [alert, isEnded])).toEqual(
    told.map((name) => [name, true]),
  );
  expect([new Set(sent(false)).size, new Set(sent(true)).size, mails.length]).toEqual([
    told.length,
    told.length,
    2 * told.length,
  ]);
});

it("in quiet hours a critical alert is sent, and the digest of the day once they are over", async () => {
  await openSmtp();
  const quiet = { timeZone: "UTC", quietHours: { from: 0, to: 1_439 }, digestAt: 0 };
  const first = start("a:1", { ...quiet, digestAt: "off" });
  halted.set(1);
  await expect.poll(subjects).toEqual([expect.stringMatching(/CRITICAL/)]);
  await first.stop();
  const second = start("a:1", quiet);
  const digests = () =>
    context.owner.query(
      sql`select attempts, due_at > now() as waits from messages where kind = 'alert_digest'`,
    );
  await expect.poll(digests).toEqual([{ attempts: 0, waits: true }]);
  await second.stop();
  await makeDue();
  start("a:1", { ...quiet, quietHours: undefined });
  await expect.poll(subjects).toEqual([expect.anything(), "[daric] Daily digest: 1 open on devnet"]);
  expect(mails[1]).toMatch(/^open for .*: DaricScanHalted: The scan is/m);
  expect(mails[1]).toContain("processes that answer: 1");
});

it("the samples of a process have what its readiness checks found, and no label of an alert has it", async () => {
  const ready = new Gauge({ name: "daric_ready", help: "-", labelNames: ["check"], registers: [registry] });
  ready.set({ check: "quorum" }, 0);
  start("a:1");
  const found = () => findProcessChecks(context.db, { except: "b:1" });
  await expect.poll(found).toEqual([{ process: "a:1", ok: false, ...checks[0] }]);
  expect(await findProcessChecks(context.db, { except: "a:1" })).toEqual([]);
  const labels = () =>
    context.owner.query(sql`select labels from alert_occurrences where alert = 'DaricNotReady'`);
  await expect.poll(labels).toEqual([{ labels: JSON.stringify({ check: "quorum", instance: "a:1" }) }]);
});

it("the message of an alarm about a node says what the node said, and no label has it", async () => {
  await openSmtp();
  alarms.alarms.inc({ alarm: "single_node_transfer", node: "a.example" }, 0);
  start("a:1");
  const rounds = async () => (await context.owner.query(sql`select id from alert_samples`)).length;
  await expect.poll(rounds).toBeGreaterThan(0);
  const words = "it reported transaction ab of block 7 differently: no payment instead of 5 TRX";
  raiseNodeAlarm(alarms, { alarm: "single_node_transfer", node: "a.example", words });
  const summary = `Look at it now: single_node_transfer a.example: ${words}`;
  const labels = JSON.stringify({ alarm: "single_node_transfer", instance: "a:1", node: "a.example" });
  const told = () => context.owner.query(sql`select summary, labels from alert_occurrences`);
  await expect.poll(told).toEqual([{ summary, labels }]);
  const unfolded = () => mails.map((mail) => mail.replaceAll(/\r?\n |=\r?\n/g, ""));
  await expect.poll(unfolded).toEqual([expect.stringContaining(words)]);
});

it("an alert or a message that the database alone wrote is not told, and an alarm names it", async () => {
  await openSmtp();
  start("a:1");
  const forged = (mac: Buffer) =>
    context.owner.query(sql`
    insert into alert_occurrences (alert, labels, severity, summary, runbook, pending_since, true_at, started_at, mac)
    values ('DaricNoNode', '{}', 'critical', 'Send your coins to T…', 'x', now() - interval '1 h', now() - interval '1 h', now(), ${mac})
    returning id`);
  await forged(Buffer.alloc(32));
  await context.owner.query(sql`
    insert into messages (merchant_id, lane, kind, cause, receiver, created_at, mac, due_at, gives_up_at)
    values ('00000000-0000-0000-0000-000000000000', 'operator', 'alert_digest', 'forged', 'operator mail', now(), ${Buffer.alloc(32)},
      now(), now() + interval '1 day')`);
  const ended = () => context.owner.query(sql`select last_error from messages where ended_at is not null`);
  await expect.poll(ended).toEqual([{ last_error: "its code is not ours" }]);
  const open = () => context.owner.query(sql`select id from alert_occurrences where alert = 'DaricNoNode'`);
  await expect.poll(open).toEqual([]);
  const refused = await alarms.alarms.get();
  expect(refused.values).toContainEqual({ labels: { alarm: "message_refused" }, value: 2 });
  expect(mails.filter((mail) => mail.includes("Send your coins"))).toEqual([]);
});

it("the heartbeat's URL is called once a minute", async () => {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(request.url ?? "");
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  start("a:1", { mailTo: [], heartbeatUrl: `http://127.0.0.1:${port}/beat` });
  await expect.poll(() => calls).toEqual(["/beat"]);
  clockMs += 59_000;
  const rounds = async () => (await context.owner.query(sql`select id from alert_samples`)).length;
  const before = await rounds();
  await expect.poll(rounds).toBeGreaterThan(before + 2);
  expect(calls).toHaveLength(1);
  clockMs += 1_000;
  await expect.poll(() => calls).toHaveLength(2);
  await new Promise((resolve) => server.close(resolve));
});

it("an outage of the database causes one mail, from the last leader, after three minutes", async () => {
  await openSmtp();
  const broken = { isAway: false, calls: 0 };
  const db: Database = {
    ...context.db,
    query: (statement) => {
      if (!broken.isAway) return context.owner.query(statement);
      broken.calls += 1;
      return Promise.reject(new DatabaseUnavailableError(new Error("the server is gone")));
    },
  };
  const kept = context.db;
  Object.assign(context, { db });
  try {
    start("a:1");
    await expect
      .poll(async () => (await context.owner.query(sql`select id from alert_samples`)).length)
      .toBe(2);
    broken.isAway = true;
    await expect.poll(() => broken.calls).toBeGreaterThan(1);
    expect(mails).toEqual([]);
    clockMs += 180_000;
    await expect
      .poll(subjects, { timeout: 20_000 })
      .toEqual([expect.stringMatching(/CRITICAL on devnet: The database does not answer at a:1/)]);
    broken.isAway = false;
    await expect
      .poll(subjects, { timeout: 20_000 })
      .toEqual([expect.anything(), expect.stringMatching(/Over after 3 min .*: The database does not/)]);
  } finally {
    Object.assign(context, { db: kept });
  }
});
