import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { promisify } from "node:util";
import type { Daric } from "@daric/sdk";
import { type Stack, startStack } from "@daric/testing/stack";
import { until } from "@daric/testing/until";
import { afterAll, beforeAll, expect, it } from "vitest";

const DARIC = createRequire(import.meta.url).resolve("@daric/server/bin");
let stack: Stack;
let daric: Daric;
let nodes: readonly string[];

beforeAll(async () => {
  stack = await startStack({ TRON_QUORUM: "2", STUCK_AFTER: "60s" }, async (url, devchain) => {
    nodes = [url, (await devchain.addNode()).url, (await devchain.addNode()).url];
    return nodes.join(",");
  });
  ({ daric } = await stack.merchant());
});
afterAll(() => stack.stop());

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
