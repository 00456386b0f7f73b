import { isContractType } from "./contract-types.ts";
import { bytesKey, HexFields, intKey } from "./hex-fields.ts";

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
      /** sun that goes to the contract with the call */
      readonly callValue: number | bigint;
      readonly data: string;
    }
  /** the sun that the new contract begins with */
  | { readonly kind: "create"; readonly ownerAddress: string; readonly callValue: number | bigint }
  | {
      readonly kind: "other";
      readonly type: number;
      /** whose account it is of; "" where there is none */
      readonly ownerAddress: string;
      /** sun that it takes out of that account beside fees: what is staked, or paid for a TRC-10 token */
      readonly amount: number | bigint;
      /** whom that goes to; "" where it stays the owner's */
      readonly toAddress: string;
      /** the key that a witness names to sign its blocks with from now on, where it does */
      readonly namedKey?: NamedKey;
    }
  /** a type that this code does not know */
  | { readonly kind: "unknown" };

/** Of an AccountPermissionUpdateContract with a witness permission: whose, and the first of its keys, which is the only one. */
export type NamedKey = { readonly ownerAddress: string; readonly signerAddress: string };

/** raw_data as far as money can move by it, or be made final. */
export type AskedTransaction = {
  /** milliseconds, 0 where it is left out */
  readonly expiration: number | bigint;
  /** sun that a run may burn for energy at most */
  readonly feeLimit: number | bigint;
  readonly contract: AskedContract;
};

/** The types that move money, and the ends of their type URLs in hex; what precedes the slash is the sender's choice. */
const urlEnd = (message: string) => Buffer.from(`/protocol.${message}`).toString("hex");
const TRANSFER = 1;
const ASSET = 2;
const CREATE = 30;
const TRIGGER = 31;
const URL_ENDS: readonly (readonly [end: string, type: number])[] = [
  [urlEnd("TransferContract"), TRANSFER],
  [urlEnd("TriggerSmartContract"), TRIGGER],
  [urlEnd("TransferAssetContract"), ASSET],
  [urlEnd("CreateSmartContract"), CREATE],
];
const NO_MONEY = 0;
const PERMISSION = 46;

/** Fields of Transaction.raw, of its contract, and of the Any in that (java-tron, protocol/src/main/protos/core). */
const EXPIRATION = intKey(8);
const CONTRACT = bytesKey(11);
const FEE_LIMIT = intKey(18);
const TYPE = intKey(1);
const PARAMETER = bytesKey(2);
const TYPE_URL = bytesKey(1);
const VALUE = bytesKey(2);
/** Of the contracts themselves. */
const BYTES_1 = bytesKey(1);
const BYTES_2 = bytesKey(2);
const BYTES_3 = bytesKey(3);
const BYTES_4 = bytesKey(4);
const INT_2 = intKey(2);
const INT_3 = intKey(3);
const INT_4 = intKey(4);
const BYTES_7 = bytesKey(7);
const INT_5 = intKey(5);

/**
 * Reads the raw_data of a transaction from its bytes (lower-case hex) as java-tron does: of a field that is written
 * twice the last counts, of a message that is written twice both are read as one. A transaction has one contract
 * ("only support size = 1", Tron.proto), and its type is said twice: one that says two things cannot be in a block.
 *
 * @throws RangeError on malformed protobuf, on another number of contracts, or where the two types differ.
 */
export function readRawData(rawHex: string): AskedTransaction {
  const fields = new HexFields(rawHex);
  let expiration: number | bigint = 0;
  let feeLimit: number | bigint = 0;
  let contract: AskedContract | undefined;
  while (fields.next()) {
    if (fields.key === EXPIRATION) expiration = fields.int;
    if (fields.key === FEE_LIMIT) feeLimit = fields.int;
    if (fields.key !== CONTRACT) continue;
    if (contract !== undefined) throw new RangeError("a transaction has two contracts");
    contract = readContract(rawHex, fields);
  }
  if (contract === undefined) throw new RangeError("a transaction has no contract");
  return { expiration, feeLimit, contract };
}

function readContract(rawHex: string, fields: HexFields): AskedContract {
  let type = 0;
  let urlType = NO_MONEY;
  let [valueStart, valueEnd] = [0, 0];
  const outOfContract = fields.enter();
  while (fields.next()) {
    if (fields.key === TYPE) type = fields.enum;
    if (fields.key !== PARAMETER) continue;
    const outOfParameter = fields.enter();
    while (fields.next()) {
      if (fields.key === TYPE_URL) urlType = typeInUrl(fields);
      if (fields.key !== VALUE) continue;
      valueStart = fields.start;
      valueEnd = fields.end;
    }
    fields.leave(outOfParameter);
  }
  fields.leave(outOfContract);
  const isMoney = type === TRANSFER || type === TRIGGER || type === ASSET || type === CREATE;
  if (urlType !== (isMoney ? type : NO_MONEY)) {
    throw new RangeError("a contract's type is not that of its parameter");
  }
  if (!isMoney && !isContractType(type)) return UNKNOWN;
  const value = new HexFields(rawHex, valueStart, valueEnd);
  if (type === PERMISSION) return readPermission(value);
  if (!isMoney) return readOther(type, value);
  if (type === TRANSFER) return readTransfer(value);
  if (type === ASSET) return readAsset(value);
  return type === TRIGGER ? readTrigger(value) : readCreate(value);
}

const UNKNOWN = { kind: "unknown" } as const;

function typeInUrl(fields: HexFields): number {
  for (const [end, type] of URL_ENDS) if (fields.endsWith(end)) return type;
  return NO_MONEY;
}

/** Types whose owner is their second field, behind a name of the account. */
const ACCOUNT_UPDATE = 10;
const SET_ACCOUNT_ID = 19;
/** Types that take TRX of their owner with them: the sun is the second field of a stake, the fourth of a purchase. */
const PARTICIPATE = 9;
const FREEZE = 11;
const FREEZE_V2 = 54;

function readOther(type: number, value: HexFields): AskedContract {
  let [first, second] = ["", ""];
  let [staked, paid]: (number | bigint)[] = [0, 0];
  while (value.next()) {
    if (value.key === BYTES_1) first = value.bytes;
    else if (value.key === BYTES_2) second = value.bytes;
    else if (value.key === INT_2) staked = value.int;
    else if (value.key === INT_4) paid = value.int;
  }
  const isNamed = type === ACCOUNT_UPDATE || type === SET_ACCOUNT_ID;
  const other = { kind: "other", type, ownerAddress: isNamed ? second : first } as const;
  if (type === PARTICIPATE) return { ...other, amount: paid ?? 0, toAddress: second };
  const isStake = type === FREEZE || type === FREEZE_V2;
  return { ...other, amount: isStake ? (staked ?? 0) : 0, toAddress: "" };
}

function readTransfer(value: HexFields): AskedContract {
  let ownerAddress = "";
  let toAddress = "";
  let amount: number | bigint = 0;
  while (value.next()) {
    if (value.key === BYTES_1) ownerAddress = value.bytes;
    else if (value.key === BYTES_2) toAddress = value.bytes;
    else if (value.key === INT_3) amount = value.int;
  }
  return { kind: "transfer", ownerAddress, toAddress, amount };
}

function readAsset(value: HexFields): AskedContract {
  let assetName = "";
  let ownerAddress = "";
  let toAddress = "";
  let amount: number | bigint = 0;
  while (value.next()) {
    if (value.key === BYTES_1) assetName = value.bytes;
    else if (value.key === BYTES_2) ownerAddress = value.bytes;
    else if (value.key === BYTES_3) toAddress = value.bytes;
    else if (value.key === INT_4) amount = value.int;
  }
  return { kind: "asset", ownerAddress, toAddress, amount, assetName };
}

function readTrigger(value: HexFields): AskedContract {
  let ownerAddress = "";
  let contractAddress = "";
  let callValue: number | bigint = 0;
  let data = "";
  while (value.next()) {
    if (value.key === BYTES_1) ownerAddress = value.bytes;
    else if (value.key === BYTES_2) contractAddress = value.bytes;
    else if (value.key === INT_3) callValue = value.int;
    else if (value.key === BYTES_4) data = value.bytes;
  }
  return { kind: "trigger", ownerAddress, contractAddress, callValue, data };
}

/** What it begins with is in the contract itself (protocol.SmartContract), the second field. */
function readCreate(value: HexFields): AskedContract {
  let ownerAddress = "";
  let callValue: number | bigint = 0;
  while (value.next()) {
    if (value.key === BYTES_1) ownerAddress = value.bytes;
    if (value.key !== BYTES_2) continue;
    const outOfContract = value.enter();
    while (value.next()) if (value.key === INT_5) callValue = value.int;
    value.leave(outOfContract);
  }
  return { kind: "create", ownerAddress, callValue };
}

/** Its third field is the witness permission (protocol.Permission), of which the seventh are the keys, each with an address. */
function readPermission(value: HexFields): AskedContract {
  let ownerAddress = "";
  let signerAddress = "";
  while (value.next()) {
    if (value.key === BYTES_1) ownerAddress = value.bytes;
    if (value.key !== BYTES_3) continue;
    const outOfPermission = value.enter();
    while (value.next()) {
      if (value.key !== BYTES_7 || signerAddress !== "") continue;
      const outOfKey = value.enter();
      while (value.next()) if (value.key === BYTES_1) signerAddress = value.bytes;
      value.leave(outOfKey);
    }
    value.leave(outOfPermission);
  }
  const other = { kind: "other", type: PERMISSION, ownerAddress, amount: 0, toAddress: "" } as const;
  return signerAddress === "" ? other : { ...other, namedKey: { ownerAddress, signerAddress } };
}
