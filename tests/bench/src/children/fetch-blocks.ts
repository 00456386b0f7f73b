import { parseBlock } from "@daric/chain/blocks/parse-block";
import { readExactly } from "@daric/chain/blocks/parse-json";
import { parseTransactionInfos } from "@daric/chain/blocks/parse-transaction-info";
import { openHttpJson } from "@daric/chain/nodes/http-json";
import { processVariables } from "@daric/server/process/config";
import { runOnCommand } from "./serve-commands.ts";

/** The maximum of a Node process: fetches, parses and forgets blocks and their infos. */
const AT_ONCE = 12;
const { TRON_NODE_URLS: url = "", BENCH_FIRST, BENCH_HEAD } = processVariables();
const [first, last] = [Number(BENCH_FIRST), Number(BENCH_HEAD)];
const http = openHttpJson({ url, timeoutMs: 10_000, maxBodyBytes: 32_000_000 });

runOnCommand(async (extent) => {
  const startedMs = performance.now();
  const count = "count" in extent ? extent.count : last - first + 1;
  let fetched = 0;
  async function fetchInTurn(): Promise<void> {
    while (fetched < count) {
      fetched += 1;
      await fetchOne(first + ((fetched - 1) % (last - first + 1)));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fetchInTurn));
  return { done: count, elapsedMs: performance.now() - startedMs };
});

async function fetchOne(number: number): Promise<void> {
  const [block, infos] = await Promise.all([
    http.post("/wallet/getblock", { id_or_num: String(number), detail: true, visible: false }),
    http.post("/wallet/gettransactioninfobyblocknum", { num: number, visible: false }),
  ]);
  const parsed = readExactly(block, parseBlock);
  const ran = readExactly(infos, parseTransactionInfos);
  if (parsed?.transactions.length !== ran.length) throw new Error(`block ${number} is not complete`);
}
