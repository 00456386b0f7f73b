import type { TronClient } from "@daric/chain/nodes/chain-reader";
import { createTronClient } from "@daric/chain/nodes/client";
import { type Network, readDevnet } from "@daric/chain/nodes/networks";
import type { MerchantId } from "@daric/domain/ids";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { captureDaric, daricVariables } from "@daric/testing/daric";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { type FaultyNode, startFaultyNode } from "@daric/testing/faulty-node";
import { rescanRange } from "@daric/testing/rescans";
import { aScanner, listening, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findCursor } from "./block-store.ts";
import { scanChain } from "./follow/scan-chain.ts";
import type { Scanner } from "./follow/scanner.ts";
import { listDeposits } from "./list-store.ts";
import { findOverrides } from "./override-store.ts";

const MINUTE_MS = 60_000;
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let chain: TestDevchain;
let nodes: FaultyNode[];
let client: TronClient;
let network: Network;
let scanner: Scanner;
let nowMs: number;
let logged: ReturnType<typeof listening<typeof context>>;
let watching: typeof context;

beforeEach(async () => {
  [context, chain] = await Promise.all([createTestContext(), aDevchain()]);
  merchantId = (await aMerchant(context.db)).id;
  await chain.mine(25);
  nodes = await Promise.all([startFaultyNode(chain.url), startFaultyNode(chain.url)]);
  network = await readDevnet(chain.url);
  nowMs = 0;
  const { genesisId, tokens } = network;
  client = createTronClient({ nodes, genesisId, tokens, now: () => nowMs });
  logged = listening(context);
  watching = {
    ...logged.context,
    clock: { now: () => new Date(), monotonicMs: () => nowMs },
  } as typeof context;
  scanner = await aScanner(watching, client, { network });
  await scanToRest(watching, scanner);
});
afterEach(async () => {
  await client.close();
  await Promise.all(nodes.map((node) => node.stop()));
  await chain.stop();
  await context.close();
});

/** A payment, and its block as the chain has it. */
async function aPayment() {
  const { address } = await aCharge(context.db, { merchantId, amount: "25" });
  const { txids } = await chain.control<{ txids: string[] }>("faucet", { address, usdt: "25" });
  await chain.mine(1);
  const number = ((await findCursor(context.db, "devnet"))?.number ?? 0) + 1;
  const { body: block } = await chain.post("/wallet/getblock", { id_or_num: String(number), detail: true });
  await chain.mine(2);
  return { txId: txids[0] ?? "", number, block };
}

/** The same block with a changed result in its last transaction, so that its root does not match. */
// biome-ignore lint/suspicious/noExplicitAny: a block as a node prints it
function invalidBlock(block: any, fee = 7) {
  const transactions = block.transactions.map((transaction: object, place: number) =>
    place === block.transactions.length - 1
      ? { ...transaction, ret: [{ contractRet: "SUCCESS", fee }] }
      : transaction,
  );
  return { body: JSON.stringify({ ...block, transactions }) };
}

const answerWith = (node: FaultyNode | undefined, number: number, answer: { body: string }) =>
  node?.fail(({ path, question }) =>
    path === "/wallet/getblock" && question.id_or_num === String(number) && question.detail
      ? answer
      : undefined,
  );
const poll = () => scanChain(watching, scanner).catch(() => {});
const number = async () => (await findCursor(context.db, "devnet"))?.number;
const deposits = async () => (await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 })).rows;

const accept = (...args: readonly string[]) => daric("scan", "accept", ...args);

const daric = (...args: readonly string[]) =>
  captureDaric(args, daricVariables(context, ...nodes.map(({ url }) => url)));

describe("a block that no node has complete", () => {
  it("is read after an operator's override: its deposits are not Merkle-proven, and the alarm ends", async () => {
    const { number: at, block } = await aPayment();
    for (const node of nodes) answerWith(node, at, invalidBlock(block));
    await poll();
    nowMs += 10 * MINUTE_MS;
    await poll();
    expect(await number()).toBe(at - 1);
    expect(scanner.following.stalled.overdue()).toContain(`daric scan accept ${block.blockID}`);
    const accepted = await accept(block.blockID, "--reason", "a new result", "--by", "Ada");
    expect(accepted).toMatchObject({ code: 0, err: "" });
    await scanToRest(watching, scanner);
    expect(await number()).toBe(at + 2);
    expect(scanner.following.stalled.overdue()).toBeUndefined();
    expect(await deposits()).toMatchObject([{ status: "CONFIRMING", isMerkleProven: false }]);
    expect(await findOverrides(context.db, "devnet")).toMatchObject([
      { blockId: block.blockID, until: at, checks: ["root"], reason: "a new result", acceptedBy: "Ada" },
    ]);
    await chain.mine(18);
    await scanToRest(watching, scanner);
    expect(await deposits()).toMatchObject([{ status: "CONFIRMED" }]);
    const messages = logged.lines.map(({ msg }) => msg);
    expect(messages).toContain("a block with failed checks was read because an operator accepted it");
    expect((await daric("doctor")).out).toMatch(
      new RegExp(`Accepted: block ${at} to ${at} with failed checks \\(root\\), by Ada at .*: a new result`),
    );
  });

  it("is rescanned under its override, and nothing is credited twice", async () => {
    const { number: at, block } = await aPayment();
    for (const node of nodes) answerWith(node, at, invalidBlock(block));
    await accept(block.blockID, "--reason", "a new result");
    await poll();
    await scanToRest(watching, scanner);
    const before = await deposits();
    const again = await rescanRange(context, scanner, { from: at, to: at });
    expect(again).toMatchObject({ status: "DONE", note: null });
    expect(await deposits()).toEqual(before);
  });

  it("is read from a node that has it complete, if there is one by then", async () => {
    const { number: at, block } = await aPayment();
    for (const node of nodes) answerWith(node, at, invalidBlock(block));
    await accept(block.blockID, "--reason", "a new result");
    nodes[1]?.heal();
    await scanToRest(watching, scanner);
    expect(await deposits()).toMatchObject([{ status: "CONFIRMING", isMerkleProven: true }]);
  });

  it("is not read by an override of another block, another check, or a lower block without those above", async () => {
    const first = await aPayment();
    for (const node of nodes) answerWith(node, first.number, invalidBlock(first.block));
    expect(await accept(first.block.blockID, "--reason", "a new result")).toMatchObject({ code: 0 });
    await poll();
    await scanToRest(watching, scanner);
    const second = await aPayment();
    for (const node of nodes) answerWith(node, second.number, invalidBlock(second.block));
    await poll();
    expect(await number()).toBe(second.number - 1);
    const above = await accept(second.block.blockID, "--reason", "and on", "--blocks-above", "50");
    expect(above).toMatchObject({ code: 0 });
    await scanToRest(watching, scanner);
    const third = await aPayment();
    for (const node of nodes) answerWith(node, third.number, invalidBlock(third.block));
    await scanToRest(watching, scanner);
    expect(await number()).toBe(third.number + 2);
  });

  it("cannot be overridden if a node has it complete, or if a failed check is never waived", async () => {
    const { number: at, block } = await aPayment();
    answerWith(nodes[0], at, invalidBlock(block));
    const whole = await accept(block.blockID, "--reason", "why not");
    expect(whole).toMatchObject({ code: 1, err: expect.stringContaining("has the complete block") });
    const [one] = block.transactions;
    const bent = { body: JSON.stringify({ ...block, transactions: [{ ...one, txID: "ab".repeat(32) }] }) };
    for (const node of nodes) answerWith(node, at, bent);
    const never = await accept(block.blockID, "--reason", "why not");
    expect(never).toMatchObject({
      code: 1,
      err: expect.stringContaining("no node has this block with faults"),
    });
    expect(await findOverrides(context.db, "devnet")).toEqual([]);
  });
});

describe("the alarm of an incomplete block", () => {
  it("names the transactions that the nodes report differently", async () => {
    const { number: at, block, txId } = await aPayment();
    for (const [place, node] of nodes.entries()) answerWith(node, at, invalidBlock(block, place + 1));
    await poll();
    nowMs += 10 * MINUTE_MS;
    await poll();
    await expect.poll(() => scanner.following.stalled.overdue()).toContain(`disagree on ${txId}`);
    const messagesOf = ({ reason }: Record<string, unknown>) => String(reason).includes(txId);
    await expect.poll(() => logged.lines.filter(messagesOf).length).toBe(1);
  });

  it("says so if there is one node, or if all nodes report the same", async () => {
    const { number: at, block } = await aPayment();
    for (const node of nodes) answerWith(node, at, invalidBlock(block));
    await poll();
    nowMs += 10 * MINUTE_MS;
    await poll();
    await expect.poll(() => scanner.following.stalled.overdue()).toContain("report the same 1 transactions");
    nodes[1]?.fail(() => ({ status: 500, body: "" }));
    nowMs += MINUTE_MS;
    await poll();
    await expect.poll(() => scanner.following.stalled.overdue()).toContain("alone reports it");
  });
});
