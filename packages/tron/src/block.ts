import { concatBytes } from "@noble/hashes/utils.js";
import { type ContractResult, contractResultName, contractResultNumber } from "./contract-result.ts";
import { sha256Hex } from "./hash.ts";
import { merkleRoot } from "./merkle.ts";
import {
  allBytesOf,
  bytesOf,
  decodeFields,
  hexField,
  hexOf,
  intField,
  intOf,
  messageField,
} from "./protobuf.ts";
import {
  contractRetOf,
  decodeTransaction,
  encodeMinedTransaction,
  type TronTransaction,
  transactionLeaf,
} from "./transaction.ts";

/** protocol.BlockHeader.raw; byte strings are lower-case hex. */
export type TronBlockHeader = {
  /** milliseconds; 0 in the genesis block */
  readonly timestamp: number;
  readonly txTrieRoot: string;
  readonly parentHash: string;
  readonly number: number;
  /** 0 since witnesses are named by their address */
  readonly witnessId: number;
  readonly witnessAddress: string;
  readonly version: number;
  /** "" on networks without one */
  readonly accountStateRoot: string;
};

/** A header of untrusted origin: its integers may exceed the safe range. */
export type WideHeader = {
  readonly [Field in keyof TronBlockHeader]: TronBlockHeader[Field] extends number ? number | bigint : string;
};

export type MinedTransaction = {
  readonly transaction: TronTransaction;
  readonly contractRet: ContractResult;
};

export type TronBlock = {
  readonly id: string;
  readonly header: TronBlockHeader;
  readonly witnessSignature: string;
  readonly transactions: readonly MinedTransaction[];
};

/** The bytes of the header, which the witness signs and the block id hashes. */
export function encodeHeader(header: WideHeader): Uint8Array {
  return concatBytes(
    intField(1, header.timestamp),
    hexField(2, header.txTrieRoot),
    hexField(3, header.parentHash),
    intField(7, header.number),
    intField(8, header.witnessId),
    hexField(9, header.witnessAddress),
    intField(10, header.version),
    hexField(11, header.accountStateRoot),
  );
}

export function headerHash(header: WideHeader): string {
  return sha256Hex(encodeHeader(header));
}

/** blockID: the number as 8 bytes, then bytes 8..32 of the header's SHA-256. */
export function blockId(header: WideHeader): string {
  return idOf(header.number, headerHash(header));
}

/** The first 16 digits of every block id of this number. */
export function idPrefix(number: number | bigint): string {
  return number.toString(16).padStart(16, "0");
}

function idOf(number: number | bigint, hash: string): string {
  const prefix = idPrefix(number);
  return prefix + hash.slice(prefix.length);
}

/** txTrieRoot of the transactions in their order, results included. */
export function transactionRoot(transactions: readonly MinedTransaction[]): string {
  return merkleRoot(
    transactions.map(({ transaction, contractRet }) =>
      transactionLeaf(transaction, contractResultNumber(contractRet)),
    ),
  );
}

export function encodeBlock(block: TronBlock): Uint8Array {
  const header = concatBytes(
    messageField(1, encodeHeader(block.header)),
    hexField(2, block.witnessSignature),
  );
  return concatBytes(
    ...block.transactions.map(({ transaction, contractRet }) =>
      messageField(1, encodeMinedTransaction(transaction, contractResultNumber(contractRet))),
    ),
    messageField(2, header),
  );
}

/** Decodes protocol.Block. @throws RangeError on malformed protobuf. */
export function decodeBlock(bytes: Uint8Array): TronBlock {
  const fields = decodeFields(bytes);
  const blockHeader = decodeFields(bytesOf(fields, 2) ?? new Uint8Array());
  const headerBytes = bytesOf(blockHeader, 1) ?? new Uint8Array();
  const header = decodeHeader(headerBytes);
  return {
    id: idOf(header.number, sha256Hex(headerBytes)),
    header,
    witnessSignature: hexOf(blockHeader, 2),
    transactions: allBytesOf(fields, 1).map((transaction) => ({
      transaction: decodeTransaction(transaction),
      contractRet: contractResultName(contractRetOf(transaction)),
    })),
  };
}

function decodeHeader(bytes: Uint8Array): TronBlockHeader {
  const fields = decodeFields(bytes);
  return {
    timestamp: Number(intOf(fields, 1)),
    txTrieRoot: hexOf(fields, 2),
    parentHash: hexOf(fields, 3),
    number: Number(intOf(fields, 7)),
    witnessId: Number(intOf(fields, 8)),
    witnessAddress: hexOf(fields, 9),
    version: Number(intOf(fields, 10)),
    accountStateRoot: hexOf(fields, 11),
  };
}
