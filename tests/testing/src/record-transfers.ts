import type { SentTransaction, Transfer, UnsupportedTransfer } from "@daric/chain/blocks/decode-transfers";
import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import { matchBlock } from "@daric/deposits/record/match-transfers";
import { type RecordedTransfers, recordTransfers } from "@daric/deposits/record/record-transfers";
import type { Scope } from "@daric/deposits/store";
import type { Transaction } from "@daric/postgres/sql";
import type { TestContext } from "./context.ts";

type Block = {
  readonly scope: Scope;
  readonly header: BlockHeader;
  readonly transfers: readonly Transfer[];
  readonly callValues?: readonly Transfer[];
  readonly sentTransactions?: readonly SentTransaction[];
  readonly unsupported?: readonly UnsupportedTransfer[];
};

/** Matches a block's transfers with our addresses and records them, as the watcher does. */
export async function recordBlockOf(
  context: Pick<TestContext, "config">,
  tx: Transaction,
  { scope, header, transfers, callValues = [], sentTransactions = [], unsupported = [] }: Block,
): Promise<RecordedTransfers> {
  const block = { number: header.number, blockId: header.id, time: new Date(header.timeMs) };
  const { network } = scope;
  const matches = await matchBlock(tx, {
    network,
    block,
    transfers,
    callValues,
    sentTransactions,
    unsupported,
  });
  return recordTransfers(context, tx, { scope, block, matches });
}
