import { isContractType } from "./contract-types.ts";
import { HexFields } from "./hex-fields.ts";

/**
 * What a transaction asks for, as its raw bytes say it: who pays what to whom, or calls which contract how. Addresses,
 * names and data are hex and int64 are as wide as they were written; nothing of them is judged.
 */
export type AskedContract =
  | {
      readonly kind: "transfer";
      readonly ownerAddress: string;
      readonly toAddress: string;
      /** sun */
      readonly amount: number | bigint;
    }
  | {
      /** of a TRC-10 token */
      readonly kind: "asset";
      readonly ownerAddress: string;
      readonly toAddress: string;
      readonly amount: number | bigint;
      readonly assetName: string;
    }
  | {
      readonly kind: "trigger";
      readonly ownerAddress: string;
      readonly contractAddress: string;
      readonly data: string;
    }
  | { readonly kind: "create" }
  | { readonly kind: "other" }
  /** a type that this code does not know */
  | { readonly kind: "unknown" };

/** raw_data as far as money can move by it. */
export type AskedTransaction = {
  /** milliseconds, 0 where it is left out */
  readonly expiration: number | bigint;
  readonly contract: AskedContract;
};

type Kind = "transfer" | "asset" | "create" | "trigger";

/** The end of a type URL, in hex; what precedes the slash is the sender's choice. */
const urlEnd = (message: string) => Buffer.from(`/protocol.${message}`).toString("hex");
const KINDS: readonly { readonly type: number; readonly kind: Kind; readonly urlEnd: string }[] = [
  { type: 1, kind: "transfer", urlEnd: urlEnd("TransferContract") },
  { type: 31, kind: "trigger", urlEnd: urlEnd("TriggerSmartContract") },
  { type: 2, kind: "asset", urlEnd: urlEnd("TransferAssetContract") },
  { type: 30, kind: "create", urlEnd: urlEnd("CreateSmartContract") },
];

/** Numbers of fields (java-tron, protocol/src/main/protos/core). */
const RAW = { expiration: 8, contract: 11 };
const CONTRACT = { type: 1, parameter: 2 };
const ANY = { typeUrl: 1, value: 2 };

/**
 * Reads the raw_data of a transaction from its bytes (lower-case hex) as java-tron does: of a field that is written
 * twice the last counts, of a message that is written twice both are read as one. A transaction has one contract
 * ("only support size = 1", Tron.proto), and its type is said twice: one that says two things cannot be in a block.
 *
 * @throws RangeError on malformed protobuf, on another number of contracts, or where the two types differ.
 */
export function readRawData(rawHex: string): AskedTransaction {
  const raw = new HexFields(rawHex);
  let expiration: number | bigint = 0;
  let contract: AskedContract | undefined;
  while (raw.next()) {
    if (raw.intField === RAW.expiration) expiration = raw.int;
    if (raw.bytesField !== RAW.contract) continue;
    if (contract !== undefined) throw new RangeError("a transaction has two contracts");
    contract = readContract(raw.message);
  }
  if (contract === undefined) throw new RangeError("a transaction has no contract");
  return { expiration, contract };
}

function readContract(contract: HexFields): AskedContract {
  let type = 0;
  let urlKind: Kind | undefined;
  let value: HexFields | undefined;
  while (contract.next()) {
    if (contract.intField === CONTRACT.type) type = contract.enum;
    if (contract.bytesField !== CONTRACT.parameter) continue;
    const any = contract.message;
    while (any.next()) {
      if (any.bytesField === ANY.typeUrl) urlKind = KINDS.find(({ urlEnd }) => any.endsWith(urlEnd))?.kind;
      if (any.bytesField === ANY.value) value = any.message;
    }
  }
  const kind = KINDS.find((known) => known.type === type)?.kind;
  if (kind !== urlKind) throw new RangeError("a contract's type is not that of its parameter");
  if (kind === undefined) return { kind: isContractType(type) ? "other" : "unknown" };
  return readValue(kind, value ?? new HexFields(""));
}

function readValue(kind: Kind, value: HexFields): AskedContract {
  if (kind === "transfer") return readTransfer(value);
  if (kind === "asset") return readAsset(value);
  return kind === "trigger" ? readTrigger(value) : { kind };
}

function readTransfer(value: HexFields): AskedContract {
  let ownerAddress = "";
  let toAddress = "";
  let amount: number | bigint = 0;
  while (value.next()) {
    if (value.bytesField === 1) ownerAddress = value.bytes;
    else if (value.bytesField === 2) toAddress = value.bytes;
    else if (value.intField === 3) amount = value.int;
  }
  return { kind: "transfer", ownerAddress, toAddress, amount };
}

function readAsset(value: HexFields): AskedContract {
  let assetName = "";
  let ownerAddress = "";
  let toAddress = "";
  let amount: number | bigint = 0;
  while (value.next()) {
    if (value.bytesField === 1) assetName = value.bytes;
    else if (value.bytesField === 2) ownerAddress = value.bytes;
    else if (value.bytesField === 3) toAddress = value.bytes;
    else if (value.intField === 4) amount = value.int;
  }
  return { kind: "asset", ownerAddress, toAddress, amount, assetName };
}

function readTrigger(value: HexFields): AskedContract {
  let ownerAddress = "";
  let contractAddress = "";
  let data = "";
  while (value.next()) {
    if (value.bytesField === 1) ownerAddress = value.bytes;
    else if (value.bytesField === 2) contractAddress = value.bytes;
    else if (value.bytesField === 4) data = value.bytes;
  }
  return { kind: "trigger", ownerAddress, contractAddress, data };
}
