import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { hostname } from "node:os";
import { promisify } from "node:util";
import type { Daric } from "@daric/sdk";
import { createTestDatabase, type TestDatabase } from "@daric/testing/database";
import { type Stack, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";

const DARIC = createRequire(import.meta.url).resolve("@daric/server/bin");
let stack: Stack;
let daric: Daric;
let nodes: readonly string[];
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const urls = { DATABASE_URL: database.url, DATABASE_DIRECT_URL: database.ownerUrl };
  stack = await startStack({ ...urls, TRON_QUORUM: "2", STUCK_AFTER: "60s" }, async (url, devchain) => {
    nodes = [url, (await devchain.addNode()).url, (await devchain.addNode()).url];
    return nodes.join(",");
  });
  ({ daric } = await stack.merchant());
});
afterAll(async () => {
  await stack.stop();
  await database.drop();
});

const inject = async (node: string | undefined, fault: object) => {
  const answer = await fetch(`${node}/devchain/faults`, { method: "POST", body: JSON.stringify(fault) });
  expect(answer.ok).toBe(true);
};
const quorum = async () => {
  const { checks } = (await (await fetch(`${stack.baseUrl}/readyz`)).json()) as {
    checks: Record<string, unknown>[];
  };
  return JSON.stringify(checks.find(({ name }) => name === "quorum"));
};
const run = (...args: string[]) =>
  promisify(execFile)(process.execPath, [DARIC, ...args], { env: stack.variables });
const labelOf = (node: string | undefined) => new URL(node ?? "").host;

/** A contract sends TRX to a new order; the nodes in `showing` report it, and its money is in the state of those in `holding`. */
async function pay(showing: readonly string[], holding: readonly string[]) {
  const { id, address } = await daric.depositAddresses.create({ amount: "12.5", currency: "TRX" });
  const token = await stack.payer.contract().at(stack.devchain.usdtContract);
  const txId = await token.approve(stack.devchain.payer.address, 1).send({ feeLimit: 100_000_000 });
  const fault = { kind: "internal", txId, from: stack.devchain.usdtContract, to: address, amount: "12.5" };
  for (const node of new Set([...showing, ...holding]))
    await inject(node, { ...fault, ...(!holding.includes(node) && { held: "0" }) });
  await stack.mine(1);
  return { id, txId };
}
const depositOf = async (id: string) => (await daric.deposits.list({ depositAddressId: id })).data[0];

it("two of three nodes without internal transactions are named and accuse no other node", async () => {
  const [first, second, third] = nodes;
  await inject(second, { kind: "internals" });
  await inject(third, { kind: "internals" });
  const { id, txId } = await pay(nodes, nodes);
  await stack.mine(25);
  await until("the nodes are named", async () => {
    const text = await quorum();
    return [second, third].every((node) => text.includes(`${labelOf(node)} does not store internal`));
  });
  expect(await quorum()).not.toContain(`${labelOf(first)} `);
  await stack.mine(40);
  expect((await depositOf(id))?.status).not.toBe("CONFIRMED");
  const { stdout } = await run("find", txId);
  expect(stdout).toContain("vm.saveInternalTx");
});

it("a node that invents a payment is named, and the payment fails by itself once it stops", async () => {
  const [liar = ""] = nodes;
  for (const node of nodes) await fetch(`${node}/devchain/faults`, { method: "DELETE" });
  const { id } = await pay([liar], []);
  await stack.mine(25);
  await until("the liar is named", async () => {
    await stack.mine(1);
    return (await quorum()).includes(`${labelOf(liar)} reported transaction`);
  });
  expect(await quorum()).toContain("12.5 TRX");
  await fetch(`${liar}/devchain/faults`, { method: "DELETE" });
  await until("the payment fails", async () => {
    await stack.mine(5);
    return (await depositOf(id))?.status === "FAILED";
  });
  const { stdout } = await run("doctor");
  expect(stdout).not.toContain("BROKEN");
});

/** Reads Health as the dashboard of an operator does. */
async function healthOf(baseUrl: string): Promise<() => Promise<Record<string, unknown>[]>> {
  const { stdout } = await run("people", "invite", "--operator", "--email", "ada@shop.example", "--json");
  const [, token] = String(JSON.parse(stdout).link).split("#");
  const json = { "content-type": "application/json", "sec-fetch-site": "same-origin" };
  const person = { token, name: "Ada", password: "a long and quite unusual sentence" };
  const body = JSON.stringify(person);
  const accepted = await fetch(`${baseUrl}/dashboard/v1/links/accept`, {
    method: "POST",
    headers: json,
    body,
  });
  const cookie = accepted.headers.get("set-cookie")?.split(";")[0] ?? "";
  return async () => {
    const answer = await fetch(`${baseUrl}/dashboard/v1/operator/overview`, { headers: { ...json, cookie } });
    return (await answer.json()).data.checks;
  };
}

it("with a process for each role, Health names the lying node with what it said, and a killed process", {
  timeout: 300_000,
}, async () => {
  const [liar = ""] = nodes;
  await stack.stopService();
  const [api, watcher] = [
    await stack.startBeside("api", { PORT: stack.variables.PORT ?? "" }),
    await stack.startBeside("watcher"),
  ];
  for (const { url } of [api, watcher])
    await until("it is ready", async () => (await fetch(`${url}/readyz`)).ok, 60_000);
  await pay([liar], []);
  await stack.mine(25);
  const checks = await healthOf(api.url);
  const process = `${hostname()}:${new URL(watcher.url).port}`;
  const said = `${labelOf(liar)} reported transaction`;
  const named = async () => {
    await stack.mine(1);
    return (await checks()).find(({ name }) => name === "quorum");
  };
  await until("Health names the liar", async () => String((await named())?.detail).includes(said), 60_000);
  expect(await named()).toMatchObject({ process, ok: true, detail: expect.stringContaining("12.5 TRX") });
  watcher.process.kill("SIGKILL");
  const silent = expect.objectContaining({ process, name: "process", ok: false });
  await until(
    "it is silent",
    async () => (await checks()).some((check) => check.process === process && !check.ok),
    120_000,
  );
  expect(await checks()).toContainEqual(silent);
});
