import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TEST_XPUB } from "@daric/testing/context";
import { captureDaric } from "@daric/testing/daric";
import { createEmptyDatabase, type TestDatabase } from "@daric/testing/database";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { readEnvFile } from "./env-file.ts";
import { openFirstOrder } from "./init-first-order.ts";

const PORTS = { PORT: "0", METRICS_PORT: "0" };
const PROGRAM = fileURLToPath(new URL("../../bin/daric.js", import.meta.url));
const hasScript = spawnSync("script", ["--version"]).status === 0;

let database: TestDatabase;
let chain: TestDevchain;
let folder: string;
beforeAll(async () => {
  database = await createEmptyDatabase();
  chain = await aDevchain();
  await chain.mine(1);
  folder = mkdtempSync(join(tmpdir(), "daric-init-shop-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await chain.stop();
  await database.drop();
});

const file = (): string => join(folder, "daric.env");

/** Settings of a devnet, so that each run goes on to the shop. */
function init(...options: string[]) {
  const settings = {
    "--file": file(),
    "--network": "devnet",
    "--node-urls": chain.url,
    "--database-url": database.url,
    "--database-direct-url": database.ownerUrl,
    "--xpub": TEST_XPUB,
    "--base-url": "https://pay.example",
  };
  return captureDaric(["init", ...Object.entries(settings).flat(), ...options], PORTS);
}

const shop = () => ["--merchant-name", "Blue Bottle Books", "--wallet", chain.payer.address];
const daric = async (...args: string[]) =>
  JSON.parse((await captureDaric([...args, "--json", "--env-file", file()], {})).out);

it("refuses a contact that is neither an e-mail address nor an https page", async () => {
  for (const contact of ["call us", "http://shop.example/help"]) {
    const { code, err } = await init("--yes", ...shop(), "--contact", contact);
    expect([code, err.trim().split("\n").at(-1)]).toEqual([
      1,
      "daric: the contact of the shop must be an e-mail address, or an https URL",
    ]);
  }
  expect(await daric("merchant", "list")).toEqual([]);
});

it("gives the shop its contact, and ends with the owner's link into the dashboard", async () => {
  const first = await init(
    "--yes",
    ...shop(),
    "--contact",
    "help@books.example",
    "--owner",
    "ada@books.example",
  );
  expect(first.code).toBe(0);
  expect(first.out.trimEnd().split("\n").at(-1)).toMatch(/^ {2}https:\/\/pay\.example\/dashboard\/link#\S+$/);
  expect(first.out).toContain("for ada@books.example alone; it works once, until 2");
  expect(await daric("merchant", "list")).toMatchObject([{ supportEmail: "help@books.example" }]);
});

it("makes no second link while one is open, and changes no contact that is set", async () => {
  const again = await init("--yes", "--contact", "https://books.example/help");
  expect(again.out).toContain("ada@books.example has an open link into the dashboard, until 2");
  expect(again.out).not.toContain("/dashboard/link#");
  expect(await daric("merchant", "list")).toMatchObject([
    { supportEmail: "help@books.example", supportUrl: null },
  ]);
});

it("without an owner's address the last line is the command that makes the link", async () => {
  const { out } = await init("--yes", "--merchant-name", "Tea", "--wallet", chain.payer.address);
  expect(out.trimEnd().split("\n").at(-1)).toMatch(
    /^A link into the dashboard \(https:\/\/pay\.example\/dashboard\) for the owner: npx daric people invite --email <e-mail> --merchant \S+ --role owner$/,
  );
});

it("the first order needs no API key, and an open one is found again", async () => {
  const variables = readEnvFile(file());
  const [merchant] = (await daric("merchant", "list")).filter(
    ({ name }: { name: string }) => name === "Blue Bottle Books",
  );
  const order = await openFirstOrder(variables, merchant.id);
  expect(order).toMatchObject({
    address: expect.stringMatching(/^T/),
    checkoutUrl: expect.stringMatching(/^https:\/\/pay\.example\/c\//),
  });
  expect((await openFirstOrder(variables, merchant.id)).id).toBe(order.id);
  const keys: { name: string }[] = await daric("key", "list", "--merchant", merchant.id);
  expect(keys.map(({ name }) => name)).toEqual(["first key"]);
});

it.runIf(hasScript)("returns to the prompt of a terminal that stays open", async () => {
  const command = `${PROGRAM} init --file ${join(folder, "refused.env")} --network nile`;
  const env = { PATH: process.env.PATH, ...PORTS };
  const program = spawn("script", ["-qec", command, "/dev/null"], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => {
    program.kill("SIGKILL");
  });
  let printed = "";
  program.stdout.on("data", (text) => {
    printed += text;
    // One answer to each question; the input is never closed.
    if (/TRON nodes[^\n]*: $/.test(printed)) program.stdin.write("http://127.0.0.1:1\n");
    if (/Database, as[^\n]*: $/.test(printed)) program.stdin.write("postgres://d@127.0.0.1:1/d\n");
    if (/\(Enter for none\): $/.test(printed)) program.stdin.write("\n");
  });
  const [code] = await once(program, "exit");
  expect(printed).toMatch(/daric: [^\n]*127\.0\.0\.1:1/);
  expect(code).toBe(1);
});
