import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createOwnerFinder } from "@daric/addresses/owner-finder";
import { type BlockTransfers, matchable, matchBlocks } from "@daric/deposits/record/match-transfers";
import { amountIn } from "@daric/domain/money";
import { openDatabase } from "@daric/postgres/database";
import type { Transaction } from "@daric/postgres/sql";
import { processVariables } from "@daric/server/process/config";
import { runOnCommand } from "./serve-commands.ts";

/** A full block of mainnet has 430 addresses of payers and payees, none of them ours. */
const TRANSFERS = 215;
const HEX = 40;
const FILL_POLL_MS = 200;

const db = openDatabase({ url: processVariables().DATABASE_URL ?? "", max: 2, onError: () => {} });
const owners = createOwnerFinder({ db });

/** A block with random addresses. */
function aBlock(): BlockTransfers {
  const hex = randomBytes(TRANSFERS * HEX).toString("hex");
  const addressAt = (place: number) => `41${hex.slice(place * HEX, (place + 1) * HEX)}`;
  const transfers = Array.from({ length: TRANSFERS }, (_, index) => ({
    txId: "",
    source: "transfer" as const,
    eventIndex: 0,
    fromHex: addressAt(2 * index),
    toHex: addressAt(2 * index + 1),
    currency: "TRX" as const,
    units: amountIn("TRX", 1n),
    txExpirationMs: undefined,
    isMerkleProven: true,
  }));
  const block = { number: 1, blockId: "", time: new Date(0) };
  return { network: "devnet", block, transfers, callValues: [], sentTransactions: [], unsupported: [] };
}

/** Matches a block as the watcher does in the block's transaction; nothing matches. */
async function probe(tx: Transaction): Promise<void> {
  const [matches] = await matchBlocks(tx, [matchable(aBlock())], owners.find);
  if (matches?.().observed.length !== 0) throw new Error("an address that was drawn by chance has an owner");
}

/** The watcher looks up every address until its filter is filled, some seconds after its start. */
async function untilFilled(): Promise<void> {
  let isHistoryKnown = true;
  while (isHistoryKnown) {
    await sleep(FILL_POLL_MS);
    await db.transaction((tx) => {
      isHistoryKnown = false;
      const noting: Transaction = {
        ...tx,
        query: (statement) => {
          isHistoryKnown ||= statement.text.includes("where address = any");
          return tx.query(statement);
        },
      };
      return probe(noting);
    });
  }
}

await untilFilled();
runOnCommand(async (extent) => {
  const startedMs = performance.now();
  const endMs = "seconds" in extent ? startedMs + extent.seconds * 1_000 : Number.POSITIVE_INFINITY;
  const count = "count" in extent ? extent.count : Number.POSITIVE_INFINITY;
  let done = 0;
  for (; done < count && performance.now() < endMs; done += 1) await db.transaction(probe);
  return { done, elapsedMs: performance.now() - startedMs };
});
