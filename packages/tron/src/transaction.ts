import { bytesToHex, concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { CONTRACT_SHAPES, contractKind, type ShapedContract } from "./contract-shapes.ts";
import { contractTypeName } from "./contract-types.ts";
import { sha256Hex } from "./hash.ts";
import { decodeMessage, encodeMessage, type MessageShape } from "./message.ts";
import {
  allBytesOf,
  bytesOf,
  decodeFields,
  hexField,
  hexOf,
  intField,
  intOf,
  messageField,
  textField,
} from "./protobuf.ts";

/** A contract that is kept as bytes, which keeps the transaction id correct. */
export type OpaqueContract = {
  readonly kind: "opaque";
  readonly value: string;
};

export type ContractValue = ShapedContract | OpaqueContract;

export type TransactionContract = {
  readonly type: number;
  readonly permissionId: number;
  readonly value: ContractValue;
};

export type RawData = {
  readonly refBlockBytes: string;
  readonly refBlockHash: string;
  /** milliseconds */
  readonly expiration: bigint;
  /** the memo */
  readonly data: string;
  readonly contracts: readonly TransactionContract[];
  /** milliseconds, 0 when absent */
  readonly timestamp: bigint;
  /** sun */
  readonly feeLimit: bigint;
};

export type TronTransaction = {
  readonly txId: string;
  /** The hashed and signed bytes are authoritative; `raw` is parsed from them. */
  readonly rawHex: string;
  readonly raw: RawData;
  readonly signatures: readonly string[];
};

/** Encodes raw_data with fields in ascending order and without proto3 defaults, as nodes and wallets do. */
export function encodeRawData(raw: RawData): Uint8Array {
  return concatBytes(
    hexField(1, raw.refBlockBytes),
    hexField(4, raw.refBlockHash),
    intField(8, raw.expiration),
    hexField(10, raw.data),
    ...raw.contracts.map((contract) => messageField(11, encodeContract(contract))),
    intField(14, raw.timestamp),
    intField(18, raw.feeLimit),
  );
}

/** Decodes raw_data. @throws RangeError on malformed protobuf. */
export function decodeRawData(bytes: Uint8Array): RawData {
  const fields = decodeFields(bytes);
  return {
    refBlockBytes: hexOf(fields, 1),
    refBlockHash: hexOf(fields, 4),
    expiration: intOf(fields, 8),
    data: hexOf(fields, 10),
    contracts: allBytesOf(fields, 11).map(decodeContract),
    timestamp: intOf(fields, 14),
    feeLimit: intOf(fields, 18),
  };
}

/** A transaction from its raw_data; the txID is the SHA-256 of the encoded bytes. */
export function transactionFromRaw(raw: RawData, signatures: readonly string[] = []): TronTransaction {
  const bytes = encodeRawData(raw);
  return { txId: sha256Hex(bytes), rawHex: bytesToHex(bytes), raw, signatures };
}

/** protocol.Transaction without a result, as clients broadcast it. */
export function encodeTransaction(transaction: TronTransaction): Uint8Array {
  return concatBytes(
    messageField(1, hexToBytes(transaction.rawHex)),
    ...transaction.signatures.map((signature) => messageField(2, hexToBytes(signature))),
  );
}

/** Decodes protocol.Transaction without its result. @throws RangeError on malformed protobuf. */
export function decodeTransaction(bytes: Uint8Array): TronTransaction {
  const fields = decodeFields(bytes);
  const rawBytes = bytesOf(fields, 1) ?? new Uint8Array();
  return {
    txId: sha256Hex(rawBytes),
    rawHex: bytesToHex(rawBytes),
    raw: decodeRawData(rawBytes),
    signatures: allBytesOf(fields, 2).map(bytesToHex),
  };
}

/** protocol.Transaction as in a block: with its result, whose contractRet is an enum number. */
export function encodeMinedTransaction(transaction: TronTransaction, contractRet: number): Uint8Array {
  return concatBytes(encodeTransaction(transaction), messageField(5, intField(3, contractRet)));
}

export function transactionLeaf(transaction: TronTransaction, contractRet: number): string {
  return sha256Hex(encodeMinedTransaction(transaction, contractRet));
}

/** The contractRet number of a mined transaction; 0 when it has no result. */
export function contractRetOf(bytes: Uint8Array): number {
  const result = bytesOf(decodeFields(bytes), 5);
  return result === undefined ? 0 : Number(intOf(decodeFields(result), 3));
}

export function contractTypeUrl(type: number): string {
  return `type.googleapis.com/protocol.${contractTypeName(type)}`;
}

function encodeContract({ type, permissionId, value }: TransactionContract): Uint8Array {
  const any = concatBytes(textField(1, contractTypeUrl(type)), messageField(2, encodeContractValue(value)));
  return concatBytes(intField(1, type), messageField(2, any), intField(5, permissionId));
}

function encodeContractValue(value: ContractValue): Uint8Array {
  if (value.kind === "opaque") return hexToBytes(value.value);
  return encodeMessage<MessageShape>(CONTRACT_SHAPES[value.kind].shape, { ...value });
}

function decodeContract(bytes: Uint8Array): TransactionContract {
  const fields = decodeFields(bytes);
  const type = Number(intOf(fields, 1));
  const any = decodeFields(bytesOf(fields, 2) ?? new Uint8Array());
  const value = bytesOf(any, 2) ?? new Uint8Array();
  return { type, permissionId: Number(intOf(fields, 5)), value: decodeContractValue(type, value) };
}

function decodeContractValue(type: number, bytes: Uint8Array): ContractValue {
  const kind = contractKind(type);
  if (kind === undefined) return { kind: "opaque", value: bytesToHex(bytes) };
  const shape: MessageShape = CONTRACT_SHAPES[kind].shape;
  return { kind, ...decodeMessage(shape, bytes) } as ShapedContract;
}
