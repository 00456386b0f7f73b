import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withDedicatedClient } from "@daric/postgres/dedicated-client";
import { freePort } from "@daric/testing/free-port";
import { scratchFolder } from "@daric/testing/scratch-folder";
import type { Row } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 10_000;

let home: string;
let env: Record<string, string>;
const running = new Set<ChildProcess>();

beforeEach(async () => {
  home = await mkdtemp(join(scratchFolder(), "daric-start-"));
  const [port, devchainPort, metricsPort] = await Promise.all([freePort(), freePort(), freePort()]);
  env = {
    DARIC_HOME: home,
    PORT: String(port),
    DEVCHAIN_PORT: String(devchainPort),
    METRICS_PORT: String(metricsPort),
  };
});

afterEach(async () => {
  for (const child of running)
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
  running.clear();
  await until("no process of this home is left", () => processesOf(home).length === 0, 20_000);
  await rm(home, { recursive: true, force: true });
});

type Run = { child: ChildProcess; output: () => string; exit: Promise<number | null> };

/** `npm start`, or the program behind it. */
function start(command: "npm" | "node" = "node", { ofItsOwnGroup = false } = {}): Run {
  const [file, args] =
    command === "npm" ? ["npm", ["start"]] : [process.execPath, [join(ROOT, "demo/dist/main.js")]];
  const child = spawn(file, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
    detached: ofItsOwnGroup,
  });
  running.add(child);
  let text = "";
  child.stdout?.on("data", (chunk) => (text += chunk));
  child.stderr?.on("data", (chunk) => (text += chunk));
  return {
    child,
    output: () => text,
    exit: new Promise((resolve) => child.once("exit", (code) => resolve(code))),
  };
}

async function ready(run: Run): Promise<Row> {
  await until(
    "demo.json is there",
    async () => {
      if (run.child.exitCode !== null) throw new Error(`it ended: ${run.output()}`);
      return (await stat(join(home, "demo.json"))).isFile();
    },
    READY_LIMIT_MS,
  );
  return JSON.parse(await readFile(join(home, "demo.json"), "utf8"));
}

/** The `daric` program as a newcomer runs it; answers what it prints. */
async function daric(args: string[], variables: Record<string, string>): Promise<string> {
  const program = join(ROOT, "server/bin/daric.js");
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH, ...variables } as NodeJS.ProcessEnv,
  });
  return stdout;
}

/** As whom the service is connected to its database. */
async function rolesOfService(adminUrl: string): Promise<string[]> {
  const { rows } = await withDedicatedClient({ connectionString: adminUrl }, (client) =>
    client.query<{ role: string }>(
      "select distinct usename::text as role from pg_stat_activity where application_name like 'daric-%'",
    ),
  );
  return rows.map(({ role }) => role);
}

/** Every process whose command line or working directory belongs to a demo in this home. */
function processesOf(folder: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const commandLine = readFileSync(`/proc/${pid}/cmdline`, "utf8");
        const environment = readFileSync(`/proc/${pid}/environ`, "utf8");
        return commandLine.includes(folder) || environment.includes(`DARIC_HOME=${folder}\0`);
      } catch {
        return false;
      }
    });
}

async function call(demo: Row, path: string, body?: object): Promise<Row> {
  const answer = await fetch(`${demo.baseUrl}${path}`, {
    method: body ? "POST" : "GET",
    headers: { "x-api-key": demo.apiKey, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect(answer.ok).toBe(true);
  return answer.json() as Promise<Row>;
}

describe("npm start", () => {
  it("is ready within 60 s, says what a newcomer needs, and ends without a trace on SIGTERM", async () => {
    const run = start("npm");
    const demo = await ready(run);
    expect(demo).toMatchObject({
      version: 1,
      network: "devnet",
      baseUrl: `http://127.0.0.1:${env.PORT}`,
      devchain: { url: `http://127.0.0.1:${env.DEVCHAIN_PORT}`, payer: { address: expect.any(String) } },
    });
    await until("it has said so", () => run.output().includes("Daric is ready"));
    expect(run.output()).toContain(demo.apiKey);
    expect(run.output()).toContain("curl -s");
    for (const file of ["demo.json", "database.json", "daric.env"])
      expect((await stat(join(home, file))).mode & 0o077).toBe(0);
    expect(await rolesOfService(demo.adminDatabaseUrl)).toEqual(["daric"]);

    const created = await call(demo, "/v1/deposit-addresses", { amount: "25.5" });
    expect((await fetch(created.data.checkout_url)).status).toBe(200);
    for (const { apiKey, merchantId } of [demo, demo.secondMerchant, demo.clientFeeMerchant] as Row[]) {
      const receive = await call({ ...demo, apiKey }, "/v1/deposit-addresses", { reusable: true });
      expect([merchantId, receive.data.kind ?? "receive"]).toEqual([merchantId, "receive"]);
    }
    const withFee = await call({ ...demo, apiKey: demo.clientFeeMerchant.apiKey }, "/v1/deposit-addresses", {
      amount: "100",
    });
    expect(withFee.data).toMatchObject({ fee_mode: "client", pay_amount: "101.515152" });
    expect((await fetch(demo.metricsUrl)).status).toBe(200);

    const asked = performance.now();
    process.kill(demo.pids.supervisor, "SIGTERM");
    await run.exit;
    await until("everything has ended", () => processesOf(home).length === 0);
    expect(performance.now() - asked).toBeLessThan(STOP_LIMIT_MS);
    for (const file of ["demo.json", "daric.env"])
      await expect(stat(join(home, file))).rejects.toThrow("ENOENT");
  });

  it("is paid by `daric demo pay`, and `daric balances` shows what lies there meanwhile", async () => {
    const demo = await ready(start());
    const created = await call(demo, "/v1/deposit-addresses", { amount: "25.5", orderRef: "A-1042" });
    const paying = daric(["demo", "pay", created.data.checkout_url, "--case", "under"], { DARIC_HOME: home });
    await until("the payment is seen", () =>
      call(demo, "/v1/deposits").then(({ data }) => data.length === 1),
    );
    await fetch(`${demo.devchain.url}/devchain/mine`, { method: "POST", body: '{"blocks": 20}' });
    expect(await paying).toMatch(
      /^Order A-1042 of 25.5 USDT at T\w+\nSent 12.75 USDT: [0-9a-f]{64}\n.* CONFIRMED\nUSDT received: 12.75; the order is awaiting\nNo event went out/s,
    );

    const balances = await daric(["balances"], {
      DATABASE_URL: demo.adminDatabaseUrl,
      TRON_NETWORK: demo.network,
      TRON_NODE_URLS: demo.devchain.url,
    });
    expect(balances).toMatch(new RegExp(`${created.data.address} +m/44'/195'/0'/0/\\d+ +12.75 +0 `));
    const options = ["--case", "wrong_coin", "--no-wait", "--json"];
    expect(
      JSON.parse(await daric(["demo", "pay", created.data.id, ...options], { DARIC_HOME: home })),
    ).toMatchObject({
      payments: [{ currency: "TRX", amount: "25.5" }],
      expected_events: ["deposit.unmatched"],
    });
    await expect(daric(["demo", "pay", "nobody"], { DARIC_HOME: home })).rejects.toThrow(
      "no merchant of the demo has nobody",
    );
    await expect(daric(["demo", "pay", "nobody"], { DARIC_HOME: tmpdir() })).rejects.toThrow(
      "no demo is running",
    );
  });

  it("keeps everything for the second start and goes on from the last block", async () => {
    const first = start();
    const before = await ready(first);
    const created = await call(before, "/v1/deposit-addresses", { amount: "5", orderRef: "kept" });
    const head = async (demo: Row) =>
      ((await (await fetch(`${demo.devchain.url}/devchain/info`)).json()) as Row).head as number;
    const lastHead = await head(before);
    first.child.kill("SIGINT");
    expect(await first.exit).toBe(0);

    const after = await ready(start());
    expect(after.apiKey).toBe(before.apiKey);
    expect(after.devchain).toEqual(before.devchain);
    expect(await head(after)).toBeGreaterThanOrEqual(lastHead);
    const kept = await call(after, `/v1/deposit-addresses/${created.data.id}`);
    expect(kept.data).toMatchObject({ order_ref: "kept", address: created.data.address });
  });

  it("after kill -9 of the parent leaves nothing that a new start cannot take over, and then nothing at all", async () => {
    const killed = start();
    const before = await ready(killed);
    killed.child.kill("SIGKILL");
    await killed.exit;
    const again = start();
    await until(
      "a new demo.json is there",
      async () => {
        const demo = JSON.parse(await readFile(join(home, "demo.json"), "utf8"));
        return demo.pids.supervisor === again.child.pid;
      },
      READY_LIMIT_MS,
    );
    const after = await ready(again);
    expect(after.apiKey).toBe(before.apiKey);
    again.child.kill("SIGTERM");
    expect(await again.exit).toBe(0);
    await until("everything has ended", () => processesOf(home).length === 0);
  });

  it("ends when the npm that started it is killed", async () => {
    const run = start("npm");
    await ready(run);
    run.child.kill("SIGKILL");
    await until("everything has ended", () => processesOf(home).length === 0, STOP_LIMIT_MS);
  });

  it("makes its merchants anew when the database was thrown away", async () => {
    const first = start();
    const before = await ready(first);
    first.child.kill("SIGTERM");
    expect(await first.exit).toBe(0);
    await rm(join(home, "postgres"), { recursive: true });
    const after = await ready(start());
    expect(after.merchantId).not.toBe(before.merchantId);
    await call(after, "/v1/deposit-addresses", { amount: "5" });
  });

  it("starts nothing again on a Ctrl-C, which ends each part before the slowest has stopped", async () => {
    const run = start("node", { ofItsOwnGroup: true });
    const { pids } = await ready(run);
    // A service that does not stop at once: the local chain is gone long before it.
    process.kill(pids.service, "SIGSTOP");
    process.kill(-(run.child.pid ?? 0), "SIGINT");
    expect(await run.exit).toBe(0);
    expect(run.output()).toContain("Stopping");
    expect(run.output()).not.toContain("started again");
    expect(processesOf(home)).toEqual([]);
  });

  it("leaves no process behind when it is stopped in the middle of its first start", async () => {
    const run = start();
    await until(
      "the database is being made",
      () => existsSync(join(home, "postgres", "data")),
      READY_LIMIT_MS,
    );
    run.child.kill("SIGINT");
    expect(await run.exit).toBe(0);
    expect(run.output()).not.toContain("Error");
    expect(processesOf(home)).toEqual([]);
  });
});

describe("a part that is killed is started again under another pid:", () => {
  const isReadyAgain = async (part: "service" | "devchain" | "postgres") => {
    const demo = await ready(start());
    process.kill(demo.pids[part], "SIGKILL");
    await until(
      `the ${part} has another pid and the service is ready`,
      async () => {
        const now = JSON.parse(await readFile(join(home, "demo.json"), "utf8"));
        return now.pids[part] !== demo.pids[part] && (await fetch(`${demo.baseUrl}/readyz`)).ok;
      },
      READY_LIMIT_MS,
    );
    await call(demo, "/v1/deposit-addresses", { amount: "5" });
  };

  it("the service", () => isReadyAgain("service"));
  it("the local chain", () => isReadyAgain("devchain"));
  it("the database, under the same address", () => isReadyAgain("postgres"));
});

describe("parts of the user's own", () => {
  it("a node that does not answer keeps nobody from creating orders, and is what readyz tells", async () => {
    const node = `http://127.0.0.1:${await freePort()}`;
    Object.assign(env, { TRON_NODE_URLS: node, TRON_NETWORK: "devnet" });
    const run = start();
    const demo = await ready(run);
    await until("it says so", () => run.output().includes("sees no payments yet"));
    await call(demo, "/v1/deposit-addresses", { amount: "5" });
    expect((await fetch(`${demo.baseUrl}/readyz`)).status).toBe(503);
  });
});

describe("what keeps it from starting is said in one line:", () => {
  const oneLine = async (run: Run) => {
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
    await new Promise<void>((resolve) => server.listen(Number(env.PORT), "127.0.0.1", resolve));
    expect(await oneLine(start())).toContain(`Port ${env.PORT} is in use`);
    await new Promise((resolve) => server.close(resolve));
  });

  it("a home that cannot be used", async () => {
    await writeFile(join(home, "file"), "");
    env.DARIC_HOME = join(home, "file", "home");
    expect(await oneLine(start())).toContain("Set DARIC_HOME");
  });

  it("a wrong setting", async () => {
    env.PORT = "http";
    expect(await oneLine(start())).toContain("PORT must be a port");
  });

  it("two ports that are the same", async () => {
    env.METRICS_PORT = env.PORT ?? "";
    expect(await oneLine(start())).toContain("must be different ports");
  });

  it("what the service says when it refuses", async () => {
    env.LOG_LEVEL = "loud";
    expect(await oneLine(start())).toContain("LOG_LEVEL");
  });

  it("a node of another network", async () => {
    const demo = await ready(start());
    const ports = await Promise.all([freePort(), freePort(), freePort()]);
    [env.PORT, env.DEVCHAIN_PORT, env.METRICS_PORT] = ports.map(String) as [string, string, string];
    Object.assign(env, { DARIC_HOME: join(home, "nile"), TRON_NETWORK: "nile" });
    env.TRON_NODE_URLS = demo.devchain.url;
    expect(await oneLine(start())).toContain("wrong chain");
  });

  it("a network without nodes", async () => {
    env.TRON_NETWORK = "nile";
    expect(await oneLine(start())).toContain("TRON_NODE_URLS");
  });

  it("a second start beside a running one", async () => {
    const first = await ready(start());
    expect(await oneLine(start())).toContain(`already running in ${home} (pid ${first.pids.supervisor})`);
  });
});
