import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { startPostgres } from "@daric/postgres/embedded";
import { Daric, verifyWebhook } from "@daric/sdk";
import { executeAsAdmin, urlOfDatabase } from "@daric/testing/admin-connection";
import { TEST_XPUB } from "@daric/testing/context";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { freePort } from "@daric/testing/free-port";
import { startReceiver } from "@daric/testing/receiver";
import { scratchFolder } from "@daric/testing/scratch-folder";
import { until } from "@daric/testing/until";
import { startWebhookReceiver, type WebhookReceiver } from "@daric/testing/webhook-receiver";
import { accountXpubFromMnemonic, createSeed } from "@daric/tron/seed";
import { afterAll, beforeAll, expect, it } from "vitest";

const DARIC = createRequire(import.meta.url).resolve("@daric/server/bin");

type Outcome = { readonly code: number; readonly out: string; readonly err: string };

let home: string;
let file: string;
let url: string;
let chain: TestDevchain;
let receiver: WebhookReceiver;
let settings: Record<string, string>;
let service: ChildProcess | undefined;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  home = await mkdtemp(join(scratchFolder(), "daric-init-"));
  cleanUps.push(() => rm(home, { recursive: true, force: true }));
  file = join(home, "daric.env");
  const postgres = await startPostgres({ home: join(home, "postgres"), mode: "test" });
  cleanUps.push(postgres.stop);
  await executeAsAdmin(postgres.url, "create database daric");
  const ownerUrl = urlOfDatabase(postgres.url, "daric");
  chain = await aDevchain();
  cleanUps.push(() => chain.stop());
  await chain.mine(25);
  receiver = await startWebhookReceiver();
  cleanUps.push(receiver.stop);
  const [port, metricsPort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  settings = {
    // The migration creates the role of the service.
    DATABASE_URL: Object.assign(new URL(ownerUrl), { username: "daric", password: "daric" }).href,
    DATABASE_DIRECT_URL: ownerUrl,
    TRON_NETWORK: "devnet",
    TRON_NODE_URLS: chain.url,
    TRON_POLL_MS: "100",
    WEBHOOK_ALLOW_TARGETS: "127.0.0.0/8",
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    SHUTDOWN_DRAIN_MS: "0",
  };
});

afterAll(async () => {
  service?.kill("SIGKILL");
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

function daric(args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [DARIC, ...args],
      { env: { PATH: process.env.PATH, ...env }, cwd: home },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** The arguments of a second run, like an operator's: all settings are in the file. */
const again = (...options: string[]) => daric(["init", "--file", file, "--json", ...options]);

it("the first run writes a file for its owner alone, and names the next step", async () => {
  const first = await daric(["init", "--file", file, "--json"], settings);
  expect([first.code, first.err]).toEqual([0, ""]);
  expect(JSON.parse(first.out).next[0]).toMatch(/^npx daric seed /);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

const wallet = () => chain.payer.address;

it("a missing or wrong answer ends a run with the option that gives it", async () => {
  const second = await again("--xpub", TEST_XPUB, "--base-url", url);
  expect([second.code, second.err]).toEqual([
    2,
    "daric: the name of the merchant is needed: --merchant-name gives it\n",
  ]);
  const wrong = await again("--merchant-name", "Blue Bottle Books", "--wallet", `${wallet().slice(0, -1)}0`);
  expect([wrong.err, wrong.code]).toEqual([
    "daric: the settlement wallet must be a TRON address, like T…\n",
    1,
  ]);
  const named = await again("--merchant-name", "Blue Bottle Books");
  expect([named.err, named.code]).toEqual(["daric: the settlement wallet is needed: --wallet gives it\n", 2]);
});

it("leads to a running service with a paid first order; each run goes on where the last one ended", async () => {
  const shopAnswers = ["--merchant-name", "Blue Bottle Books", "--wallet", wallet()];
  const second = await again("--xpub", TEST_XPUB, "--base-url", url, ...shopAnswers);
  expect([second.code, second.err]).toEqual([0, ""]);
  const made = JSON.parse(second.out);
  expect(made).toMatchObject({
    isServing: false,
    wallet: wallet(),
    apiKey: expect.stringMatching(/^daric_test_sk_/),
  });
  expect(made.approve).toContain(
    `--merchant ${made.merchantId} --name 'Blue Bottle Books' --address ${wallet()}`,
  );
  expect(made.next[0]).toContain(`npx daric --env-file ${file} serve`);

  service = spawn(process.execPath, [DARIC, "init", "--file", file, "--yes", "--serve"], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  service.stdout?.on("data", (text) => {
    printed += text;
  });
  await until("the last line is printed", () => /A link into the dashboard/.test(printed), 90_000);
  expect(printed).toContain("The first sweep of an address with USDT costs ");
  expect(printed).toContain("It has an API key already");
  const [, checkoutUrl = ""] = /of 1 USDT: (\S+)/.exec(printed) ?? [];
  expect(checkoutUrl.startsWith(`${url}/c/`)).toBe(true);
  expect((await fetch(checkoutUrl)).status).toBe(200);

  const shop = new Daric({ baseUrl: url, apiKey: made.apiKey });
  const endpoint = await shop.webhooks.endpoints.create({ url: receiver.url, eventTypes: ["order.paid"] });
  const { order } = JSON.parse((await again()).out);
  expect(order).toMatchObject({ checkoutUrl, paymentStatus: "awaiting" });
  const token = await chain.tronWeb().contract().at(chain.usdtContract);
  await token.transfer(order.address, "1000000").send({ feeLimit: 100_000_000 });
  await chain.mine(25);
  await until("the webhook arrived", () => receiver.received.length > 0);
  const [{ body, headers } = { body: "", headers: {} }] = receiver.received;
  expect(await verifyWebhook(body, headers, endpoint.secret)).toMatchObject({
    event: "order.paid",
    data: { depositAddressId: order.id, orderRef: "first-order", amountReceived: "1" },
  });

  const last = JSON.parse((await again()).out);
  expect(last.order).toMatchObject({ id: order.id, paymentStatus: "paid" });
  expect(await shop.depositAddresses.list({})).toMatchObject({ meta: { total: 1 } });
  const keys = JSON.parse(
    (await daric(["key", "list", "--merchant", made.merchantId, "--json", "--env-file", file])).out,
  );
  // The first order used no key.
  expect(keys).toHaveLength(1);
  service.kill("SIGINT");
  await once(service, "exit");
});

it("refuses another wallet of the same merchant", async () => {
  const otherWallet = await again("--wallet", chain.usdtContract);
  expect([otherWallet.code, otherWallet.err]).toEqual([
    1,
    expect.stringMatching(/^daric: money of Blue Bottle Books goes to T\w+ already: /),
  ]);
});

it("with --json a signal ends it with the key that it made, while it waits for the service", async () => {
  const owner = String(settings.DATABASE_DIRECT_URL);
  await executeAsAdmin(owner, "create database waiting");
  const starting = createServer(({ url: path }, response) => {
    if (path === "/healthz") response.end('{"status":"ok"}');
    else response.writeHead(503).end("starting");
  });
  await new Promise<void>((resolve) => starting.listen(0, "127.0.0.1", resolve));
  cleanUps.push(() => starting.close());
  const of = (ownUrl: string) => urlOfDatabase(ownUrl, "waiting");
  const init = spawn(
    process.execPath,
    [
      DARIC,
      "init",
      "--json",
      "--file",
      join(home, "waiting.env"),
      "--merchant-name",
      "Shop",
      "--wallet",
      chain.payer.address,
    ],
    {
      env: {
        PATH: process.env.PATH,
        ...settings,
        DATABASE_URL: of(String(settings.DATABASE_URL)),
        DATABASE_DIRECT_URL: of(owner),
        ACCOUNT_XPUB: accountXpubFromMnemonic(createSeed()),
        PUBLIC_BASE_URL: url,
        PORT: String((starting.address() as AddressInfo).port),
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let printed = "";
  init.stdout?.on("data", (text) => {
    printed += text;
  });
  const closed = once(init, "close");
  const isAsked = new Promise<void>((resolve) => {
    starting.on("request", ({ url: path }) => path === "/readyz" && resolve());
  });
  await Promise.race([isAsked, closed]);
  init.kill("SIGTERM");
  expect(await closed).toEqual([null, "SIGTERM"]);
  expect(JSON.parse(printed)).toMatchObject({
    verdict: "fault",
    error: "SIGTERM ended it: run it again",
    apiKey: expect.stringMatching(/^daric_test_sk_/),
  });
});

it("refuses a second deployment on the xpub of the first, in one line, and leaves file and database as they were", async () => {
  const { ended, otherFile, otherUrl } = await initOther("other", {});
  expect([ended.code, ended.err]).toEqual([
    1,
    expect.stringMatching(
      /^daric: ACCOUNT_XPUB is used here alone: is in use already: T\w+, [^\n]+\. Nothing was written\n$/,
    ),
  ]);
  await expect(stat(otherFile)).rejects.toThrow();
  await expect(executeAsAdmin(otherUrl, "select from schema_version")).rejects.toThrow(/does not exist/);
});

it("warns about a base URL of another server, and names the remedy", async () => {
  const another = await startReceiver();
  cleanUps.push(another.close);
  const { ended } = await initOther("third", {
    ACCOUNT_XPUB: accountXpubFromMnemonic(createSeed()),
    PUBLIC_BASE_URL: another.url,
  });
  expect(ended.out).toMatch(
    /PUBLIC_BASE_URL leads to PORT +doubtful +another server answers at 127\.0\.0\.1/,
  );
});

/** Runs `daric init` with the settings of the first deployment and another database. */
async function initOther(name: string, settingsOfOther: Record<string, string>) {
  const { DARIC_KEY_PEPPER: _, ...kept } = parseEnv(await readFile(file, "utf8"));
  await executeAsAdmin(String(settings.DATABASE_DIRECT_URL), `create database ${name}`);
  const otherUrl = urlOfDatabase(String(settings.DATABASE_DIRECT_URL), name);
  const other = { DATABASE_URL: otherUrl, DATABASE_DIRECT_URL: otherUrl, ...settingsOfOther };
  const otherFile = join(home, `${name}.env`);
  const shop = ["--merchant-name", "Another Shop", "--wallet", wallet()];
  const ended = await daric(["init", "--file", otherFile, "--yes", ...shop], {
    ...(kept as Record<string, string>),
    ...other,
  });
  return { ended, otherFile, otherUrl };
}
