import { createTronClient } from "@daric/server/chain/client";
import { readDevnet } from "@daric/server/chain/networks";
import { processVariables } from "@daric/server/config";
import { workWhenTold } from "./tell.ts";

/** The most that a Node process gets out of this node: blocks fetched, parsed and proven, and forgotten. */
const AT_ONCE = 12;
const { TRON_NODE_URLS: url = "", BENCH_FIRST, BENCH_HEAD } = processVariables();
const [first, last] = [Number(BENCH_FIRST), Number(BENCH_HEAD)];
const { genesisId, usdtContractHex } = await readDevnet(url);
const client = createTronClient({ nodes: [{ url }], genesisId, usdtContractHex });

workWhenTold(async (extent) => {
  const startedMs = performance.now();
  const count = "count" in extent ? extent.count : last - first + 1;
  let asked = 0;
  async function fetchInTurn(): Promise<void> {
    while (asked < count) {
      asked += 1;
      await client.fetchCompleteBlock(first + ((asked - 1) % (last - first + 1)));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fetchInTurn));
  return { done: count, elapsedMs: performance.now() - startedMs };
});
