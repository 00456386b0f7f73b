import { packAddresses } from "@daric/tron/packed-addresses";
import type { CompleteBlock } from "./complete-block.ts";
import { type DecodedTransfers, decodeTransfers } from "./decode-transfers.ts";
import { infosDigestOf } from "./fold-infos.ts";
import type { ChainTransaction } from "./parse-transaction.ts";

/** What is asked of every block, also of one that concerns nobody here. Small, and the same in another thread. */
export type BlockOutline = Pick<CompleteBlock, "header" | "isAccepted"> &
  Pick<DecodedTransfers, "anomalies" | "unparsed" | "contractCalls" | "internals"> & {
    readonly transactionCount: number;
    /** who pays, is paid or signs in it (`packAddresses`) */
    readonly parties: Uint8Array;
    /** of which transactions its infos are (`infosDigestOf`) */
    readonly infosDigest: string | undefined;
    /** the node that told it, where that is known */
    readonly toldBy?: string | undefined;
  };

/** What a complete block holds. */
export type BlockContents = {
  readonly transactions: readonly ChainTransaction[];
  readonly moves: DecodedTransfers;
};

/** A complete block of which only an outline is at hand: hardly one concerns anybody here, and many wait to be written. */
export type FoldedBlock = {
  readonly outline: BlockOutline;
  /** what is kept of it beside, in bytes, until it is opened; 0 where it is open already */
  readonly keptBytes: number;
  /**
   * Takes as long as reading the block anew, where it was read by a thread.
   *
   * @throws NodeError where it cannot be read here; the next time it is fetched it is read in parts.
   */
  open(): BlockContents;
};

/** A block that is there already, as one that is folded. */
export function foldBlock(told: CompleteBlock, usdtContractHex: string): FoldedBlock {
  const contents = { transactions: told.transactions, moves: decodeTransfers(told, usdtContractHex) };
  return { outline: outlineOf(told, contents.moves), keptBytes: 0, open: () => contents };
}

/** What is asked of every block, of one with what it moves. */
export function outlineOf(told: CompleteBlock, moves: DecodedTransfers): BlockOutline {
  const { header, isAccepted, transactions } = told;
  const { anomalies, unparsed, contractCalls, internals } = moves;
  return {
    header,
    ...(isAccepted && { isAccepted }),
    transactionCount: transactions.length,
    parties: packAddresses(partiesOf(moves)),
    infosDigest: infosDigestOf(told),
    anomalies,
    unparsed,
    contractCalls,
    internals,
  };
}

/** Whoever in a block may be one of ours. */
export function partiesOf({
  transfers,
  spent,
  owned,
  unsupported,
}: Pick<DecodedTransfers, "transfers" | "spent" | "owned" | "unsupported">): string[] {
  const parties: string[] = [];
  for (const { fromHex, toHex } of transfers) parties.push(fromHex, toHex);
  for (const { owner } of owned) parties.push(owner.addressHex);
  for (const { fromHex } of spent) parties.push(fromHex);
  for (const { toHex } of unsupported) parties.push(toHex);
  return parties;
}
