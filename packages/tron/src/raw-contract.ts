import { isContractType } from "./contract-types.ts";
import { bytesKey, type HexFields, intKey } from "./hex-fields.ts";

/**
 * The contract of a transaction, read from its raw bytes. Addresses, names and data are hex, int64 keep their
 * width; nothing is validated.
 */
export type RawContract =
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
  /** callValue: the sun that the new contract starts with */
  | { readonly kind: "create"; readonly ownerAddress: string; readonly callValue: number | bigint }
  | {
      readonly kind: "other";
      readonly type: number;
      /** "" if it has none */
      readonly ownerAddress: string;
      /** sun that leaves the owner's account besides fees: a stake, or the price of a TRC-10 token */
      readonly amount: number | bigint;
      /** "" if the sun stays the owner's */
      readonly toAddress: string;
    }
  | { readonly kind: "unknown" };

/** Contract types of java-tron (Transaction.Contract.ContractType). */
export const TRANSFER = 1;
export const ASSET = 2;
export const CREATE = 30;
export const TRIGGER = 31;
/** Types with the owner in their second field. */
const ACCOUNT_UPDATE = 10;
const SET_ACCOUNT_ID = 19;
/** Types that move TRX: the sun is the second field of a stake, the fourth of a purchase. */
const PARTICIPATE = 9;
const FREEZE = 11;
const FREEZE_V2 = 54;

const BYTES_1 = bytesKey(1);
const BYTES_2 = bytesKey(2);
const BYTES_3 = bytesKey(3);
const BYTES_4 = bytesKey(4);
const INT_2 = intKey(2);
const INT_3 = intKey(3);
const INT_4 = intKey(4);
const INT_5 = intKey(5);

const UNKNOWN = { kind: "unknown" } as const;

/** Reads a contract of this type from the fields of its parameter. */
export function readContractValue(type: number, value: HexFields): RawContract {
  switch (type) {
    case TRANSFER:
      return readTransfer(value);
    case ASSET:
      return readAsset(value);
    case TRIGGER:
      return readTrigger(value);
    case CREATE:
      return readCreate(value);
    default:
      return isContractType(type) ? readOther(type, value) : UNKNOWN;
  }
}

function readTransfer(value: HexFields): RawContract {
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

function readAsset(value: HexFields): RawContract {
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

function readTrigger(value: HexFields): RawContract {
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

/** The call value is inside protocol.SmartContract, the second field. */
function readCreate(value: HexFields): RawContract {
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

function readOther(type: number, value: HexFields): RawContract {
  const isNamed = type === ACCOUNT_UPDATE || type === SET_ACCOUNT_ID;
  const isStake = type === FREEZE || type === FREEZE_V2;
  const isPurchase = type === PARTICIPATE;
  let ownerAddress = "";
  let toAddress = "";
  let amount: number | bigint = 0;
  // A fifth of a block's contracts are read here, so unused bytes are not copied.
  while (value.next()) {
    const { key } = value;
    if (key === BYTES_1) {
      if (!isNamed) ownerAddress = value.bytes;
    } else if (key === BYTES_2) {
      if (isNamed) ownerAddress = value.bytes;
      else if (isPurchase) toAddress = value.bytes;
    } else if ((isStake && key === INT_2) || (isPurchase && key === INT_4)) amount = value.int;
  }
  return { kind: "other", type, ownerAddress, amount, toAddress };
}
