import { packAddresses } from "@daric/tron/packed-addresses";
import type { CompleteBlock } from "./complete-block.ts";
import { infosDigestOf } from "./decode-infos.ts";
import { type DecodedTransfers, decodeTransfers } from "./decode-transfers.ts";
import type { ChainTransaction } from "./parse-transaction.ts";

/** What is asked of every block, also of one that concerns nobody here. Small, and the same in another thread. */
export type BlockSummary = Pick<CompleteBlock, "header" | "isAccepted"> &
  Pick<DecodedTransfers, "anomalies" | "unparsed" | "contractCalls" | "internals"> & {
    readonly transactionCount: number;
    /** who pays, is paid or signs in it (`packAddresses`) */
    readonly involved: Uint8Array;
    /** of which transactions its infos are (`infosDigestOf`) */
    readonly infosDigest: string | undefined;
    /** the node that told it, where that is known */
    readonly sourceNode?: string | undefined;
  };

/** What a complete block holds. */
export type BlockContents = {
  readonly transactions: readonly ChainTransaction[];
  readonly decoded: DecodedTransfers;
};

/** A complete block of which only an outline is at hand: hardly one concerns anybody here, and many wait to be written. */
export type LazyBlock = {
  readonly summary: BlockSummary;
  /** what is kept of it beside, in bytes, until it is opened; 0 where it is open already */
  readonly keptBytes: number;
  /**
   * Takes as long as reading the block anew, where it was read by a thread.
   *
   * @throws NodeError where it cannot be read here; the next time it is fetched it is read in parts.
   */
  decode(): BlockContents;
};

/** A block that is there already, as one that is folded. */
export function lazyBlockOf(block: CompleteBlock, usdtContractHex: string): LazyBlock {
  const contents = { transactions: block.transactions, decoded: decodeTransfers(block, usdtContractHex) };
  return { summary: summaryOf(block, contents.decoded), keptBytes: 0, decode: () => contents };
}

/** What is asked of every block, of one with what it moves. */
export function summaryOf(block: CompleteBlock, decoded: DecodedTransfers): BlockSummary {
  const { header, isAccepted, transactions } = block;
  const { anomalies, unparsed, contractCalls, internals } = decoded;
  return {
    header,
    ...(isAccepted && { isAccepted }),
    transactionCount: transactions.length,
    involved: packAddresses(involvedAddressesOf(decoded)),
    infosDigest: infosDigestOf(block),
    anomalies,
    unparsed,
    contractCalls,
    internals,
  };
}

/** Whoever in a block may be one of ours. */
export function involvedAddressesOf({
  transfers,
  callValues,
  sentTransactions,
  unsupported,
}: Pick<DecodedTransfers, "transfers" | "callValues" | "sentTransactions" | "unsupported">): string[] {
  const involved: string[] = [];
  for (const { fromHex, toHex } of transfers) involved.push(fromHex, toHex);
  for (const { owner } of sentTransactions) involved.push(owner.addressHex);
  for (const { fromHex } of callValues) involved.push(fromHex);
  for (const { toHex } of unsupported) involved.push(toHex);
  return involved;
}
