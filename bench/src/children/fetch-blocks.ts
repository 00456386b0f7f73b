import { createTronClient } from "@daric/server/chain/client";
import { openHttpJson } from "@daric/server/chain/http-json";
import { readDevnet } from "@daric/server/chain/networks";
import { parseBlock } from "@daric/server/chain/parse-block";
import { readExactly } from "@daric/server/chain/parse-json";
import { parseTransactionInfos } from "@daric/server/chain/parse-transaction-info";
import { processVariables } from "@daric/server/config";
import { workWhenTold } from "./tell.ts";

/** The most that a Node process gets out of a node: blocks fetched and parsed, proven as well where BENCH_DEPTH says so, and forgotten. */
const AT_ONCE = 12;
const { TRON_NODE_URLS: url = "", BENCH_FIRST, BENCH_HEAD, BENCH_DEPTH } = processVariables();
const [first, last] = [Number(BENCH_FIRST), Number(BENCH_HEAD)];
const { genesisId, usdtContractHex } = await readDevnet(url);
const client = createTronClient({ nodes: [{ url }], genesisId, usdtContractHex });
const http = openHttpJson({ url, timeoutMs: 10_000, maxBodyBytes: 32_000_000 });
const depths = { parse, prove };
const work = depths[BENCH_DEPTH as keyof typeof depths];

workWhenTold(async (extent) => {
  const startedMs = performance.now();
  const count = "count" in extent ? extent.count : last - first + 1;
  let asked = 0;
  async function fetchInTurn(): Promise<void> {
    while (asked < count) {
      asked += 1;
      await work(first + ((asked - 1) % (last - first + 1)));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, fetchInTurn));
  return { done: count, elapsedMs: performance.now() - startedMs };
});

async function parse(number: number): Promise<void> {
  const [block, infos] = await Promise.all([
    http.post("/wallet/getblock", { id_or_num: String(number), detail: true, visible: false }),
    http.post("/wallet/gettransactioninfobyblocknum", { num: number, visible: false }),
  ]);
  const told = readExactly(block, parseBlock);
  const ran = readExactly(infos, parseTransactionInfos);
  if (told?.transactions.length !== ran.length) throw new Error(`block ${number} is not complete`);
}

async function prove(number: number): Promise<void> {
  await client.fetchCompleteBlock(number);
}
