import type { AcceptableCheck } from "@daric/chain/blocks/block-fault";
import { InvalidBlockError } from "@daric/chain/blocks/node-error";
import type { MerchantId } from "@daric/domain/ids";
import { aMerchant } from "@daric/testing/builders";
import { aCharge } from "@daric/testing/charge-builders";
import { createTestContext } from "@daric/testing/context";
import type { ForkChain } from "@daric/testing/fork-chain";
import { type ForkRuns, type RunReader, startForkRuns } from "@daric/testing/fork-runs";
import { aScanner, nodeGroup, scanToRest } from "@daric/testing/watch";
import { afterEach, beforeEach, expect, it } from "vitest";
import { acceptBlock } from "../accept-block.ts";
import { listDeposits } from "../list-store.ts";
import { findOverrides } from "../override-store.ts";

const urls = "http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3";
let context: Awaited<ReturnType<typeof createTestContext>>;
let merchantId: MerchantId;
let chain: ForkChain;
let runs: ForkRuns;
beforeEach(async () => {
  context = await createTestContext({ TRON_NODE_URLS: urls, TRON_QUORUM: "2" });
  merchantId = (await aMerchant(context.db)).id;
  ({ chain, runs } = startForkRuns());
  await scanToRest(context, await aScanner(context, nodeGroup(runs.reader, runs.reader, runs.reader)));
});
afterEach(() => context.close());

/** A node whose answer for one block fails these checks. */
function invalidNode(at: number, checks: readonly AcceptableCheck[]): RunReader {
  return {
    ...runs.reader,
    fetchCompleteBlock: async (...request) => {
      const block = await runs.reader.fetchCompleteBlock(...request);
      if (request[0] !== at) return block;
      const overridden = { ...block, isAccepted: true as const };
      throw new InvalidBlockError("node", overridden, { reason: "is strange", checks });
    },
  };
}

/** A block with a payment, and its override by the answers of these nodes. */
async function acceptPaid(nodesOf: (at: number) => RunReader[]) {
  const receive = await aCharge(context.db, { merchantId, kind: "receive", currency: "USDT" });
  runs.run({ to: receive.address, units: 3_000_000n });
  chain.mine(1);
  const { number: at, id: blockId } = await chain.reader.getHeadBlock();
  const nodes = nodesOf(at);
  const word = { network: "devnet", blockId, blocksAbove: 0, reason: "a new result", acceptedBy: "Ada" };
  await acceptBlock(context.db, nodeGroup(...nodes), word);
  return nodes;
}

it("an override waives the failed checks of the node with the fewest, whatever another node adds", async () => {
  await acceptPaid((at) => [
    invalidNode(at, ["calls", "root"]),
    invalidNode(at, ["calls"]),
    invalidNode(at, ["verdicts", "root"]),
  ]);
  expect(await findOverrides(context.db, "devnet")).toMatchObject([{ checks: ["calls"] }]);
});

it("in an overridden block two of three nodes confirm a payment, since its root proves nothing", async () => {
  const nodes = await acceptPaid((at) => [
    invalidNode(at, ["root"]),
    invalidNode(at, ["root"]),
    invalidNode(at, ["root"]),
  ]);
  chain.mine(40);
  const client = nodeGroup(...nodes);
  const infosOf = async (number: number) => [...(await runs.reader.fetchCompleteBlock(number)).infos];
  for (const node of client.nodes) Object.assign(node, { getTransactionInfos: infosOf });
  await scanToRest(context, await aScanner(context, client));
  const { rows } = await listDeposits(context.db, { merchantId }, { limit: 9, offset: 0 });
  expect(rows).toMatchObject([{ amount: 3_000_000n, status: "CONFIRMED", isMerkleProven: false }]);
});
