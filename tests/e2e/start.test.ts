import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { isNight } from "@daric/testing/at-night";
import { aDevchain } from "@daric/testing/devchain-client";
import type { Row } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  callDemo,
  createDemoHome,
  type DemoHome,
  type DemoRun,
  PROGRAM,
  READY_LIMIT_MS,
} from "./demo-home.ts";

const STOP_LIMIT_MS = 10_000;

const PAYER = join(import.meta.dirname, "../../apps/demo/dist/commands.js");

/** Runs a program like a new user; returns its output. */
async function run(program: string, args: string[], variables: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...variables } as NodeJS.ProcessEnv,
  });
  return stdout;
}

/** The service's roles at its database. */
async function rolesOfService(adminUrl: string): Promise<string[]> {
  const { rows } = await withDedicatedClient({ connectionString: adminUrl }, (client) =>
    client.query<{ role: string }>(
      "select distinct usename::text as role from pg_stat_activity where application_name like 'daric-%'",
    ),
  );
  return rows.map(({ role }) => role);
}

/** The addresses in the lines of the dashboard, as `npm start` printed them. */
function printedEntries(run: DemoRun): Record<string, string | undefined> {
  const addressAfter = (name: string) => new RegExp(`^ +${name} +(\\S+)`, "m").exec(run.output())?.[1];
  return { dashboard: addressAfter("Dashboard"), operator: addressAfter("Operator") };
}

const NEWCOMER = { name: "Ada", password: "seven grey cats watch the slow rain" };

/** Accepts the invitation of a printed link, as the page behind it does. */
async function acceptPrinted(link = "", more: object = {}, headers: Record<string, string> = {}) {
  const { origin, hash } = new URL(link);
  return fetch(`${origin}/dashboard/v1/links/accept`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", ...headers },
    body: JSON.stringify({ token: hash.slice(1), ...more }),
  });
}

/** The home of all tests here: each test continues from the state of the previous one. */
describe("npm start", () => {
  let home: DemoHome;
  /** the description of the first start, with its chain and an order at its end */
  let first: Row;
  let lastHead: number;
  let kept: Row;
  /** the last start, until a test kills it */
  let running: DemoRun | undefined;

  beforeAll(async () => {
    home = await createDemoHome();
  });
  afterAll(() => home.close());

  const headOf = async ({ devchain }: Row): Promise<number> =>
    ((await (await fetch(`${devchain.url}/devchain/info`)).json()) as Row).head;

  it("is ready within 60 s, and prints the next steps", async () => {
    // By day without the build before it.
    const run = home.start(isNight ? "npm" : "node");
    running = run;
    first = await home.ready(run);
    expect(first).toMatchObject({
      version: 1,
      network: "devnet",
      baseUrl: `http://127.0.0.1:${home.env.PORT}`,
      devchain: { url: `http://127.0.0.1:${home.env.DEVCHAIN_PORT}`, payer: { address: expect.any(String) } },
    });
    await until("the demo has printed it", () => run.output().includes("Daric is ready"));
    expect(run.output()).toContain(first.apiKey);
    expect(run.output()).toContain("curl -s");
    const { dashboard = "" } = printedEntries(run);
    // A browser keeps passkeys for a name alone.
    expect(dashboard).toMatch(`http://localhost:${home.env.PORT}/dashboard/link#`);
    expect(await (await fetch(dashboard)).text()).toContain("<script");
    for (const file of ["demo.json", "database.json", "daric.env"])
      expect((await stat(join(home.path, file))).mode & 0o077).toBe(0);
    expect(await rolesOfService(first.adminDatabaseUrl)).toEqual(["daric"]);

    const created = await callDemo(first, "/v1/deposit-addresses", { amount: "25.5" });
    expect((await fetch(created.data.checkout_url)).status).toBe(200);
    for (const { apiKey, merchantId } of [first, first.secondMerchant, first.clientFeeMerchant] as Row[]) {
      const receive = await callDemo({ ...first, apiKey }, "/v1/deposit-addresses", { reusable: true });
      expect([merchantId, receive.data.kind ?? "receive"]).toEqual([merchantId, "receive"]);
    }
    const withFee = await callDemo(
      { ...first, apiKey: first.clientFeeMerchant.apiKey },
      "/v1/deposit-addresses",
      {
        amount: "100",
      },
    );
    expect(withFee.data).toMatchObject({ fee_mode: "client", pay_amount: "101.515152" });
    expect((await fetch(first.metricsUrl)).status).toBe(200);
    ({ data: kept } = await callDemo(first, "/v1/deposit-addresses", { amount: "5", orderRef: "kept" }));
  });

  it("prints links that make one account owner and operator, each once", async () => {
    const { dashboard, operator } = printedEntries(running ?? home.start());
    const accepted = await acceptPrinted(dashboard, NEWCOMER);
    expect(accepted.status).toBe(200);
    expect((await acceptPrinted(dashboard, NEWCOMER)).status).toBe(404);
    const { session } = ((await accepted.json()) as Row).data;
    const proof = {
      cookie: accepted.headers.getSetCookie()[0]?.split(";")[0] ?? "",
      "x-csrf-token": session.csrf_token,
    };
    const { data } = (await (await acceptPrinted(operator, {}, proof)).json()) as Row;
    expect(data.session.person.is_operator).toBe(true);
    expect(data.session.memberships).toMatchObject([{ merchant_id: first.merchantId, role: "owner" }]);
  });

  it("is paid by `npm run demo -- pay`, and `daric sweep plan --addresses` shows the money meanwhile", async () => {
    const created = await callDemo(first, "/v1/deposit-addresses", { amount: "25.5", orderRef: "A-1042" });
    const paying = run(PAYER, ["pay", created.data.checkout_url, "--case", "under"], {
      DARIC_HOME: home.path,
    });
    await until("the payment is seen", () =>
      callDemo(first, "/v1/deposits").then(({ data }) => data.length === 1),
    );
    await fetch(`${first.devchain.url}/devchain/mine`, { method: "POST", body: '{"blocks": 20}' });
    expect(await paying).toMatch(
      /^Order A-1042 of 25.5 USDT at T\w+\nSent 12.75 USDT: [0-9a-f]{64}\n.* CONFIRMED\nUSDT received: 12.75; the order is awaiting\nNo event was sent/s,
    );

    const plan = await run(PROGRAM, ["sweep", "plan", "--addresses"], {
      DATABASE_URL: first.adminDatabaseUrl,
      TRON_NETWORK: first.network,
      TRON_NODE_URLS: first.devchain.url,
    });
    expect(plan).toMatch(new RegExp(`${created.data.address} +m/44'/195'/0'/0/\\d+ +12.75 +0 `));
    const options = ["--case", "wrong_coin", "--no-wait", "--json"];
    expect(
      JSON.parse(await run(PAYER, ["pay", created.data.id, ...options], { DARIC_HOME: home.path })),
    ).toMatchObject({
      payments: [{ currency: "TRX", amount: "25.5" }],
      expected_events: ["deposit.unmatched"],
    });
    await expect(run(PAYER, ["pay", "unknown-order"], { DARIC_HOME: home.path })).rejects.toThrow(
      "no merchant of the demo has unknown-order",
    );
    await expect(run(PAYER, ["pay", "unknown-order"], { DARIC_HOME: tmpdir() })).rejects.toThrow(
      "no demo is running",
    );
  });

  it("refuses a second start in its home, in one line", async () => {
    const another = home.start();
    expect(await another.exit).toBe(1);
    const lines = another.output().trim().split("\n");
    const shownLines = lines.filter((line) => !line.startsWith("Starting"));
    expect(shownLines).toEqual([
      expect.stringContaining(`already running in ${home.path} (pid ${first.pids.supervisor})`),
    ]);
  });

  it("ends without a trace on SIGTERM", async () => {
    lastHead = await headOf(first);
    const startMs = performance.now();
    process.kill(first.pids.supervisor, "SIGTERM");
    await running?.exit;
    await until("all processes have ended", () => home.processes().length === 0);
    expect(performance.now() - startMs).toBeLessThan(STOP_LIMIT_MS);
    for (const file of ["demo.json", "daric.env"])
      await expect(stat(join(home.path, file))).rejects.toThrow("ENOENT");
  });

  it.runIf(isNight)("keeps everything for the second start and continues from the last block", async () => {
    running = home.start();
    const second = await home.ready(running);
    expect(second.apiKey).toBe(first.apiKey);
    expect(second.devchain).toEqual(first.devchain);
    expect(await headOf(second)).toBeGreaterThanOrEqual(lastHead);
    const found = await callDemo(second, `/v1/deposit-addresses/${kept.id}`);
    expect(found.data).toMatchObject({ order_ref: "kept", address: kept.address });
  });

  it.runIf(isNight)(
    "after kill -9 of the parent a new start can take over everything, and then nothing is left",
    async () => {
      const killed = running ?? home.start();
      await home.ready(killed);
      killed.child.kill("SIGKILL");
      await killed.exit;
      const again = home.start();
      await until(
        "a new demo.json is there",
        async () => {
          const demo = await home.read();
          return demo.pids.supervisor === again.child.pid;
        },
        READY_LIMIT_MS,
      );
      const after = await home.ready(again);
      expect(after.apiKey).toBe(first.apiKey);
      await until("the demo has printed it", () => again.output().includes("Daric is ready"));
      expect(printedEntries(again)).toEqual({
        dashboard: `http://localhost:${home.env.PORT}/dashboard`,
        operator: undefined,
      });
      again.child.kill("SIGTERM");
      expect(await again.exit).toBe(0);
      await until("all processes have ended", () => home.processes().length === 0);
    },
  );

  it.runIf(isNight)("ends when the npm that started it is killed", async () => {
    const run = home.start("npm");
    await home.ready(run);
    run.child.kill("SIGKILL");
    await until("all processes have ended", () => home.processes().length === 0, STOP_LIMIT_MS);
  });

  it.runIf(isNight)(
    "restarts nothing on a Ctrl-C, which ends each part before the slowest has stopped",
    async () => {
      const run = home.start("node", { isGroupLeader: true });
      const { pids } = await home.ready(run);
      // The service stops late, long after the local chain has ended.
      process.kill(pids.service, "SIGSTOP");
      process.kill(-(run.child.pid ?? 0), "SIGINT");
      expect(await run.exit).toBe(0);
      expect(run.output()).toContain("Stopping");
      expect(run.output()).not.toContain("started again");
      expect(home.processes()).toEqual([]);
    },
  );
});

it.runIf(isNight)("npm start ends the unused links that the start before it printed", async () => {
  const home = await createDemoHome();
  const run = home.start();
  await until("the demo has printed them", () => run.output().includes("Daric is ready"), READY_LIMIT_MS);
  const { dashboard: unused } = printedEntries(run);
  run.child.kill("SIGTERM");
  await run.exit;
  const again = home.start();
  await until("the demo has printed others", () => again.output().includes("Daric is ready"), READY_LIMIT_MS);
  expect((await acceptPrinted(unused, NEWCOMER)).status).toBe(404);
  expect((await acceptPrinted(printedEntries(again).dashboard, NEWCOMER)).status).toBe(200);
  await home.close();
});

it.runIf(isNight)("npm start makes its merchants again after the database was deleted", async () => {
  const home = await createDemoHome();
  const run = home.start();
  const before = await home.ready(run);
  run.child.kill("SIGTERM");
  await run.exit;
  await rm(join(home.path, "postgres"), { recursive: true });
  const after = await home.ready(home.start());
  expect(after.merchantId).not.toBe(before.merchantId);
  await callDemo(after, "/v1/deposit-addresses", { amount: "5" });
  await home.close();
});

it.runIf(isNight)(
  "npm start leaves no process behind when it is stopped in the middle of its first start",
  async () => {
    const home = await createDemoHome();
    const run = home.start();
    await until(
      "the database is being made",
      () => existsSync(join(home.path, "postgres", "data")),
      READY_LIMIT_MS,
    );
    run.child.kill("SIGINT");
    expect(await run.exit).toBe(0);
    expect(run.output()).not.toContain("Error");
    expect(home.processes()).toEqual([]);
    await home.close();
  },
);

describe("the reason of a failed start is one line:", () => {
  // No failed start affects the next one, so one home serves all, and its database is made at most once.
  let home: DemoHome;
  let usual: Record<string, string>;
  beforeAll(async () => {
    home = await createDemoHome();
    usual = { ...home.env };
  });
  beforeEach(() => {
    for (const name of Object.keys(home.env)) delete home.env[name];
    Object.assign(home.env, usual);
  });
  afterAll(() => home.close());

  const oneLine = async (run: DemoRun) => {
    expect(await run.exit).toBe(1);
    const lines = run
      .output()
      .trim()
      .split("\n")
      .filter((line) => !line.startsWith("Starting"));
    expect(lines).toHaveLength(1);
    return lines[0];
  };

  it("a port in use", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(Number(home.env.PORT), "127.0.0.1", resolve));
    expect(await oneLine(home.start())).toContain(`Port ${home.env.PORT} is in use`);
    await new Promise((resolve) => server.close(resolve));
  });

  it.runIf(isNight)("an unusable home", async () => {
    await writeFile(join(home.path, "file"), "");
    home.env.DARIC_HOME = join(home.path, "file", "home");
    expect(await oneLine(home.start())).toContain("Set DARIC_HOME");
  });

  it("an invalid setting", async () => {
    home.env.PORT = "http";
    expect(await oneLine(home.start())).toContain("PORT must be a port");
  });

  it.runIf(isNight)("two equal ports", async () => {
    home.env.METRICS_PORT = home.env.PORT ?? "";
    expect(await oneLine(home.start())).toContain("must be different ports");
  });

  it.runIf(isNight)("the service's own refusal", async () => {
    home.env.LOG_LEVEL = "loud";
    expect(await oneLine(home.start())).toContain("LOG_LEVEL");
  });

  it.runIf(isNight)("a node of another network", async () => {
    const chain = await aDevchain();
    Object.assign(home.env, { TRON_NETWORK: "nile", TRON_NODE_URLS: chain.url });
    expect(await oneLine(home.start())).toContain("wrong chain");
    await chain.stop();
  });

  it.runIf(isNight)("a network without nodes", async () => {
    home.env.TRON_NETWORK = "nile";
    expect(await oneLine(home.start())).toContain("TRON_NODE_URLS");
  });
});
