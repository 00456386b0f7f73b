import { parseBlock } from "@daric/server/chain/blocks/parse-block";
import { readExactly } from "@daric/server/chain/blocks/parse-json";
import { parseTransactionInfos } from "@daric/server/chain/blocks/parse-transaction-info";
import { openHttpJson } from "@daric/server/chain/nodes/http-json";
import { processVariables } from "@daric/server/config";
import { workWhenTold } from "./tell.ts";

/** The most that a Node process gets out of a node: blocks and their infos fetched and parsed, and forgotten. */
const AT_ONCE = 12;
const { TRON_NODE_URLS: url = "", BENCH_FIRST, BENCH_HEAD } = processVariables();
const [first, last] = [Number(BENCH_FIRST), Number(BENCH_HEAD)];
const http = openHttpJson({ url, timeoutMs: 10_000, maxBodyBytes: 32_000_000 });

workWhenTold(async (extent) => {
  const startedMs = performance.now();
  const count = "count" in extent ? extent.count : last - first + 1;
  let asked = 0;
  async function fetchInTurn(): Promise<void> {
    while (asked < count) {
      asked += 1;
      await fetchOne(first + ((asked - 1) % (last - first + 1)));
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
  const told = readExactly(block, parseBlock);
  const ran = readExactly(infos, parseTransactionInfos);
  if (told?.transactions.length !== ran.length) throw new Error(`block ${number} is not complete`);
}
