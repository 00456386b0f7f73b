import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import { type ContractResult, contractResultName, contractResultNumber } from "./contract-result.ts";
import { sha256, sha256Hex } from "./hash.ts";
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
  type Transaction,
  transactionLeaf,
} from "./transaction.ts";

/** protocol.BlockHeader.raw; byte strings are lower-case hex. */
export interface BlockHeader {
  /** milliseconds; 0 in the genesis block */
  readonly timestamp: number;
  readonly txTrieRoot: string;
  readonly parentHash: string;
  readonly number: number;
  readonly witnessAddress: string;
  readonly version: number;
}

export interface MinedTransaction {
  readonly transaction: Transaction;
  readonly contractRet: ContractResult;
}

export interface Block {
  readonly id: string;
  readonly header: BlockHeader;
  readonly witnessSignature: string;
  readonly transactions: readonly MinedTransaction[];
}

/** The header bytes that the witness signs and the block id is made of. */
export function encodeHeader(header: BlockHeader): Uint8Array {
  return concatBytes(
    intField(1, header.timestamp),
    hexField(2, header.txTrieRoot),
    hexField(3, header.parentHash),
    intField(7, header.number),
    hexField(9, header.witnessAddress),
    intField(10, header.version),
  );
}

/** The hash a witness signs. */
export function headerHash(header: BlockHeader): string {
  return sha256Hex(encodeHeader(header));
}

/** blockID: the number as 8 bytes, then bytes 8..32 of the header's SHA-256. */
export function blockId(header: BlockHeader): string {
  return header.number.toString(16).padStart(16, "0") + headerHash(header).slice(16);
}

/** txTrieRoot of the transactions as they stand in the block, results included. */
export function transactionRoot(transactions: readonly MinedTransaction[]): string {
  return merkleRoot(
    transactions.map(({ transaction, contractRet }) =>
      transactionLeaf(transaction, contractResultNumber(contractRet)),
    ),
  );
}

/** protocol.Block. */
export function encodeBlock(block: Block): Uint8Array {
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

/** Reads protocol.Block. Throws a RangeError on malformed protobuf. */
export function decodeBlock(bytes: Uint8Array): Block {
  const fields = decodeFields(bytes);
  const blockHeader = decodeFields(bytesOf(fields, 2) ?? new Uint8Array());
  const headerBytes = bytesOf(blockHeader, 1) ?? new Uint8Array();
  const header = decodeHeader(headerBytes);
  return {
    id: header.number.toString(16).padStart(16, "0") + bytesToHex(sha256(headerBytes)).slice(16),
    header,
    witnessSignature: hexOf(blockHeader, 2),
    transactions: allBytesOf(fields, 1).map((transaction) => ({
      transaction: decodeTransaction(transaction),
      contractRet: contractResultName(contractRetOf(transaction)),
    })),
  };
}

function decodeHeader(bytes: Uint8Array): BlockHeader {
  const fields = decodeFields(bytes);
  return {
    timestamp: Number(intOf(fields, 1)),
    txTrieRoot: hexOf(fields, 2),
    parentHash: hexOf(fields, 3),
    number: Number(intOf(fields, 7)),
    witnessAddress: hexOf(fields, 9),
    version: Number(intOf(fields, 10)),
  };
}
