import assert from "node:assert/strict";
import { type CompleteBlock, findIncompleteness } from "@daric/chain/blocks/complete-block";
import { type DecodedTransfers, decodeTransfers } from "@daric/chain/blocks/decode-transfers";
import { type ProvableBlock, parseBlock } from "@daric/chain/blocks/parse-block";
import { parseJson, readExactly } from "@daric/chain/blocks/parse-json";
import { parseTransactionInfos } from "@daric/chain/blocks/parse-transaction-info";
import { processVariables } from "@daric/server/process/config";
import { packAddresses } from "@daric/tron/packed-addresses";
import { fullBlock } from "../full-block.ts";
import { runOnCommand } from "./serve-commands.ts";

/** One block repeated: parsed as JSON only, decoded too, or proven too, by BENCH_DEPTH. */
const { block, infos, tokens } = fullBlock();
const depths = { parse, decode, prove };
const work = depths[processVariables().BENCH_DEPTH as keyof typeof depths];

runOnCommand(async (extent) => {
  const startedMs = performance.now();
  const endMs = "seconds" in extent ? startedMs + extent.seconds * 1_000 : Number.POSITIVE_INFINITY;
  const count = "count" in extent ? extent.count : Number.POSITIVE_INFINITY;
  let done = 0;
  for (; done < count && performance.now() < endMs; done += 1) work();
  return { done, elapsedMs: performance.now() - startedMs };
});

function parse(): void {
  JSON.parse(block);
  JSON.parse(infos);
}

function decode(): void {
  probe(decodeTransfers(read(), tokens));
}

function prove(): void {
  const parsed = read();
  assert.equal(findIncompleteness(parsed, parsed.infos, tokens), undefined);
  probe(decodeTransfers(parsed, tokens));
}

function read(): ProvableBlock & CompleteBlock {
  const parsed = readExactly(parseJson(block), parseBlock);
  assert(parsed !== undefined);
  return { ...parsed, infos: readExactly(parseJson(infos), parseTransactionInfos) };
}

/** The keys that look up the owners of all receivers. */
function probe({ transfers, unsupported }: DecodedTransfers): Buffer {
  const receivers: string[] = [];
  for (const { toHex } of transfers) receivers.push(toHex);
  for (const { toHex } of unsupported) receivers.push(toHex);
  return packAddresses(receivers);
}
