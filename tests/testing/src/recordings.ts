import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { TronBlockHeader } from "@daric/tron/block";
import type { ContractResult } from "@daric/tron/contract-result";
import { messageField } from "@daric/tron/protobuf";
import { decodeTransaction, type TronTransaction } from "@daric/tron/transaction";
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";

const { resolve } = createRequire(import.meta.url);
const VECTORS = resolve("@daric/tron/vectors/blocks.json");
const INFOS = resolve("@daric/tron/vectors/infos.json");
const STAKES = resolve("@daric/tron/vectors/stakes.json");
const DIRECTORY = fileURLToPath(new URL("../../../../shared/fixtures/tron/", import.meta.url));

/** Recordings of public networks are kept beside the repository; without them tests use the vectors in it. */
export const hasRecordings = existsSync(DIRECTORY);

export type RecordedTransaction = {
  readonly txID: string;
  readonly raw_data_hex: string;
  readonly signature: string[];
  readonly ret: { readonly contractRet: ContractResult }[];
  readonly raw_data: {
    readonly contract: {
      readonly type: string;
      readonly parameter: { readonly value: Record<string, unknown> };
    }[];
  };
};

export type RecordedBlock = {
  readonly blockID: string;
  readonly block_header: {
    readonly raw_data: {
      readonly number: number;
      readonly txTrieRoot: string;
      readonly witness_address: string;
      readonly parentHash: string;
      readonly version: number;
      readonly timestamp: number;
    };
    readonly witness_signature: string;
  };
  readonly transactions?: RecordedTransaction[];
};

export function readRecording<T>(name: string): T {
  return JSON.parse(readFileSync(`${DIRECTORY}${name}`, "utf8")) as T;
}

export function headerOf({ block_header: { raw_data } }: RecordedBlock): TronBlockHeader {
  return {
    timestamp: raw_data.timestamp,
    txTrieRoot: raw_data.txTrieRoot,
    parentHash: raw_data.parentHash,
    number: raw_data.number,
    witnessId: 0,
    witnessAddress: raw_data.witness_address,
    version: raw_data.version,
    accountStateRoot: "",
  };
}

export function transactionOf({ raw_data_hex, signature }: RecordedTransaction): TronTransaction {
  return decodeTransaction(
    concatBytes(
      messageField(1, hexToBytes(raw_data_hex)),
      ...signature.map((signed) => messageField(2, hexToBytes(signed))),
    ),
  );
}

/** The repository's blocks of a java-tron private chain, with all transactions. */
export function vectorBlocks(): RecordedBlock[] {
  return JSON.parse(readFileSync(VECTORS, "utf8")) as RecordedBlock[];
}

/** The node's transaction infos of these blocks, in their order. */
export function vectorInfos(): Record<string, unknown>[][] {
  return JSON.parse(readFileSync(INFOS, "utf8")) as Record<string, unknown>[][];
}

/** Transactions of that node that stake, delegate and change permissions, each with its info. */
export function vectorStakes(): {
  readonly tx: RecordedTransaction;
  readonly info: { readonly receipt: { readonly net_fee?: number }; readonly [field: string]: unknown };
}[] {
  return JSON.parse(readFileSync(STAKES, "utf8"));
}

export function completeBlocks(): RecordedBlock[] {
  if (!hasRecordings) return vectorBlocks();
  return [
    ...vectorBlocks(),
    readRecording<RecordedBlock>("nile-block-1000000.getblock.json"),
    readRecording<RecordedBlock>("shasta-empty-block-33801295.getnowblock.json"),
  ];
}

/** Every recorded block with a complete header. */
export function recordedBlocks(): RecordedBlock[] {
  if (!hasRecordings) return vectorBlocks();
  return [
    ...completeBlocks(),
    readRecording<RecordedBlock>("mainnet-block-67674988.header-and-2-txs.json"),
    ...readRecording<{ block: RecordedBlock[] }>("mainnet-block-84940008.header-and-2-txs.json").block,
  ];
}

/** Every recorded transaction in hex form, of all networks and sources. */
export function recordedTransactions(): RecordedTransaction[] {
  const inBlocks = recordedBlocks().flatMap(({ transactions }) => transactions ?? []);
  if (!hasRecordings) return inBlocks;
  return [
    ...inBlocks,
    ...readRecording<{ txs: RecordedTransaction[] }>("mainnet-pairs-2025-02.ledger.json").txs,
    ...readRecording<{ data: RecordedTransaction[] }>("mainnet-trongrid-v1-account-txs-2020-06.json").data,
  ];
}
