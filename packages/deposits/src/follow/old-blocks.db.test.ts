import { createBlockDecoder } from "@daric/chain/blocks/block-decoder";
import type { TronClient } from "@daric/chain/nodes/chain-reader";
import { createTronClient } from "@daric/chain/nodes/client";
import { type Network, readDevnet } from "@daric/chain/nodes/networks";
import { sql } from "@daric/postgres/sql";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import { aDevchain, type TestDevchain } from "@daric/testing/devchain-client";
import { type FaultyNode, startFaultyNode } from "@daric/testing/faulty-node";
import { aScanner, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Scanner } from "./scanner.ts";

const INFOS = "/wallet/gettransactioninfobyblocknum";
/** More blocks than count as new. */
const AWAY = 40;

let context: Awaited<ReturnType<typeof createTestContext>>;
let chain: TestDevchain;
let network: Network;
let node: FaultyNode;
let client: TronClient;
let scanner: Scanner;
const messages: string[] = [];

beforeEach(async () => {
  context = await createTestContext();
  chain = await aDevchain();
  node = await startFaultyNode(chain.url);
  network = { ...(await readDevnet(chain.url)), name: "devnet" };
  const { genesisId, tokens } = network;
  client = createTronClient({
    nodes: [{ url: node.url }, { url: chain.url }],
    genesisId,
    tokens,
    decoder: createBlockDecoder(context),
    onFailure: ({ message }) => messages.push(message),
  });
  await chain.mine(AWAY);
  scanner = await aScanner(context, client, { network });
  await scanToRest(context, scanner);
});
afterEach(async () => {
  messages.length = 0;
  await client.close();
  await node.stop();
  await chain.stop();
  await context.close();
});

/** Pays an order in both currencies while the watcher is away, and returns the block. */
async function payWhileAway(): Promise<number> {
  const { id: merchantId } = await aMerchant(context.db);
  const { address } = await aCharge(context.db, { merchantId, currency: "TRX", amount: "1000" });
  await chain.control("faucet", { address, trx: "12.5", usdt: "3" });
  const { head } = await chain.control<{ head: number }>("mine", { blocks: 1 });
  await chain.mine(AWAY);
  return head;
}

const deposits = () =>
  context.db.query<{ number: bigint; units: bigint; status: string }>(sql`
    select block_number as number, units, status from deposits order by units`);

it("payments during an outage of the watcher are found in old blocks, which a thread decodes", async () => {
  const paid = BigInt(await payWhileAway());
  node.calls.length = 0;
  await scanToRest(context, scanner);
  expect(await deposits()).toEqual([
    { number: paid, units: 3_000_000n, status: "CONFIRMED" },
    { number: paid, units: 12_500_000n, status: "CONFIRMED" },
  ]);
  // Infos of an empty recent block are not requested.
  expect(node.calls.filter(({ path }) => path === INFOS).length).toBeGreaterThan(20);
  expect(messages).toEqual([]);
});

it("a node whose answer only one of two threads can parse is skipped, and the payments are found", async () => {
  const paid = await payWhileAway();
  const body = JSON.stringify({ num: paid, visible: false });
  const expected = await (await fetch(`${chain.url}${INFOS}`, { method: "POST", body })).text();
  const end = expected.lastIndexOf("}");
  const deep = `,"unfreeze_amount":9007199254740993,"deep":${"[".repeat(5_000)}${"]".repeat(5_000)}`;
  const bent = expected.slice(0, end) + deep + expected.slice(end);
  node.fail(({ path, question }) => (path === INFOS && question.num === paid ? { body: bent } : undefined));
  await scanToRest(context, scanner);
  expect((await deposits()).map(({ units }) => units)).toEqual([3_000_000n, 12_500_000n]);
  expect(messages).toContainEqual(expect.stringContaining("nested too deep"));
});
