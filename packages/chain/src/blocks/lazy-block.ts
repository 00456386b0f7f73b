import type { Token } from "@daric/domain/asset";
import { packAddresses } from "@daric/tron/packed-addresses";
import type { CompleteBlock } from "./complete-block.ts";
import { infosDigestOf } from "./decode-infos.ts";
import { type DecodedTransfers, decodeTransfers } from "./decode-transfers.ts";
import type { ChainTransaction } from "./parse-transaction.ts";

/** Header-level summary of a block, cheap to post between threads. */
export type BlockSummary = Pick<CompleteBlock, "header" | "isAccepted"> &
  Pick<DecodedTransfers, "anomalies" | "unparsed" | "contractCalls" | "internals"> & {
    readonly transactionCount: number;
    /** the addresses that pay, receive or sign (`packAddresses`) */
    readonly involved: Uint8Array;
    readonly infosDigest: string | undefined;
    readonly sourceNode?: string | undefined;
  };

export type BlockContents = {
  readonly transactions: readonly ChainTransaction[];
  readonly decoded: DecodedTransfers;
};

/** A complete block that is decoded on demand: few blocks contain our addresses, and many wait in memory. */
export type LazyBlock = {
  readonly summary: BlockSummary;
  /** bytes held until it is decoded; 0 if it is decoded already */
  readonly keptBytes: number;
  /** Takes as long as reading the block again. @throws NodeError if it fails here; the next fetch uses the main thread. */
  decode(): BlockContents;
};

export function lazyBlockOf(block: CompleteBlock, tokens: readonly Token[]): LazyBlock {
  const contents = { transactions: block.transactions, decoded: decodeTransfers(block, tokens) };
  return { summary: summaryOf(block, contents.decoded), keptBytes: 0, decode: () => contents };
}

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
