import { createHash } from "node:crypto";
import type { Token } from "@daric/domain/asset";
import { type CompleteBlock, findReceiptMismatch, mayHaveLogs } from "./complete-block.ts";
import { type DecodedTransfers, decodeTransfers } from "./decode-transfers.ts";
import type { BlockHeader } from "./parse-block.ts";
import type { ChainTransaction } from "./parse-transaction.ts";
import type { TransactionInfo } from "./parse-transaction-info.ts";

/** The SHA-256 over the ids of transactions in block order, as 64 hex digits. */
export function digestOfIds(transactions: readonly { readonly txId: string }[]): string {
  const hash = createHash("sha256");
  for (const { txId } of transactions) hash.update(txId, "latin1");
  return hash.digest("hex");
}

export function infosDigestOf({ transactions }: Pick<CompleteBlock, "transactions">): string | undefined {
  return transactions.some(mayHaveLogs) ? digestOfIds(transactions) : undefined;
}

export function foreignInfos(
  infos: readonly TransactionInfo[],
  { number, timeMs, infosDigest }: Pick<BlockHeader, "number" | "timeMs"> & { readonly infosDigest: string },
): string | undefined {
  const foreign = infos.find((info) => info.blockNumber !== number || info.blockTimeMs !== timeMs);
  if (foreign !== undefined) return `the info of transaction ${foreign.txId} is of another block`;
  if (digestOfIds(infos) !== infosDigest)
    return `its ${infos.length} infos are not those of the block's transactions`;
  return undefined;
}

/** The transfers of contract runs, read from their infos alone: none is Merkle-proven, and none has an expiry. */
export function decodeInfos(
  { number, infos }: { readonly number: number; readonly infos: readonly TransactionInfo[] },
  tokens: readonly Token[],
): DecodedTransfers {
  const transactions = infos.map(
    ({ txId, receiptResult }): ChainTransaction => ({
      txId,
      contractRet: receiptResult ?? "SUCCESS",
      expirationMs: undefined,
      contract: { kind: "unknown" },
    }),
  );
  return decodeTransfers({ header: { number }, transactions, infos, isAccepted: true }, tokens);
}

/** Decodes some infos with their transactions. `mismatched` are the ids of transactions that their info contradicts. */
export function decodeRuns(
  block: Pick<CompleteBlock, "transactions"> & { readonly header: Pick<BlockHeader, "number"> },
  { infos, tokens }: { readonly infos: readonly TransactionInfo[]; readonly tokens: readonly Token[] },
): { decoded: DecodedTransfers; mismatched: ReadonlySet<string> } {
  const byId = new Map(infos.map((info) => [info.txId, info]));
  const runs = block.transactions.flatMap((transaction) => {
    const info = byId.get(transaction.txId);
    return info === undefined ? [] : [{ transaction, info }];
  });
  const sound = runs.filter(
    ({ transaction, info }) => findReceiptMismatch(transaction, info, tokens) === undefined,
  );
  const matching = {
    transactions: sound.map(({ transaction }) => transaction),
    infos: sound.map(({ info }) => info),
  };
  const mismatched = runs.filter((run) => !sound.includes(run)).map(({ info }) => info.txId);
  return {
    decoded: decodeTransfers({ header: block.header, ...matching }, tokens),
    mismatched: new Set(mismatched),
  };
}
