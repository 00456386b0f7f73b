import assert from "node:assert/strict";
import { createOwnerFinder } from "@daric/addresses/owner-finder";
import { type CompleteBlock, findIncompleteness } from "@daric/chain/blocks/complete-block";
import { decodeTransfers } from "@daric/chain/blocks/decode-transfers";
import { type ProvableBlock, parseBlock } from "@daric/chain/blocks/parse-block";
import { parseJson, readExactly } from "@daric/chain/blocks/parse-json";
import { parseTransactionInfos } from "@daric/chain/blocks/parse-transaction-info";
import { matchRefunds } from "@daric/deposits/record/match-refunds";
import { matchable, matchBlocks } from "@daric/deposits/record/match-transfers";
import { openDatabase } from "@daric/postgres/database";
import type { Transaction } from "@daric/postgres/sql";
import { createRefundWatch } from "@daric/refunds/watch";
import { processVariables } from "@daric/server/process/config";
import { fullBlock } from "../full-block.ts";
import { runOnCommand } from "./serve-commands.ts";

/** One recorded block, read and searched for our addresses as the watcher does; nothing matches. */
const { block, infos, tokens } = fullBlock();
const db = openDatabase({ url: processVariables().DATABASE_URL ?? "", max: 2, onError: () => {} });
const owners = createOwnerFinder({ db });
const refunds = createRefundWatch();

function read(): ProvableBlock & CompleteBlock {
  const parsed = readExactly(parseJson(block), parseBlock);
  assert(parsed !== undefined);
  return { ...parsed, infos: readExactly(parseJson(infos), parseTransactionInfos) };
}

async function watch(tx: Transaction): Promise<void> {
  const body = read();
  assert.equal(findIncompleteness(body, body.infos, tokens), undefined);
  const { number, id: blockId, timeMs } = body.header;
  const searchedBlock = { number, blockId, time: new Date(timeMs) };
  const searched = matchable({ ...decodeTransfers(body, tokens), network: "devnet", block: searchedBlock });
  const [matches] = await matchBlocks(tx, [searched], owners.find);
  const found = matchRefunds(await refunds.current(tx), searched);
  assert.deepEqual([matches?.().observed, found], [[], []]);
}

runOnCommand(async (extent) => {
  const startedMs = performance.now();
  const endMs = "seconds" in extent ? startedMs + extent.seconds * 1_000 : Number.POSITIVE_INFINITY;
  const count = "count" in extent ? extent.count : Number.POSITIVE_INFINITY;
  let done = 0;
  for (; done < count && performance.now() < endMs; done += 1) await db.transaction(watch);
  return { done, elapsedMs: performance.now() - startedMs };
});
