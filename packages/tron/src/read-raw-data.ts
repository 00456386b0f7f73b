import { bytesKey, HexFields, intKey } from "./hex-fields.ts";
import { ASSET, CREATE, type RawContract, readContractValue, TRANSFER, TRIGGER } from "./raw-contract.ts";

/** The parts of raw_data that affect money or finality. */
export type RawTransaction = {
  /** milliseconds, 0 when absent */
  readonly expiration: number | bigint;
  /** the most sun that a run may burn for energy */
  readonly feeLimit: number | bigint;
  readonly contract: RawContract;
};

/** The ends of the type URLs that move money, in hex; the sender chooses the part before the slash. */
const urlEnd = (message: string) => Buffer.from(`/protocol.${message}`).toString("hex");
const URL_ENDS: readonly (readonly [end: string, type: number])[] = [
  [urlEnd("TransferContract"), TRANSFER],
  [urlEnd("TriggerSmartContract"), TRIGGER],
  [urlEnd("TransferAssetContract"), ASSET],
  [urlEnd("CreateSmartContract"), CREATE],
];
const NO_MONEY = 0;

/** Fields of Transaction.raw, its contract and the contract's Any (java-tron, protocol/src/main/protos/core). */
const EXPIRATION = intKey(8);
const CONTRACT = bytesKey(11);
const FEE_LIMIT = intKey(18);
const TYPE = intKey(1);
const PARAMETER = bytesKey(2);
const TYPE_URL = bytesKey(1);
const VALUE = bytesKey(2);

/**
 * Reads raw_data (lower-case hex) as java-tron does: of a repeated field the last counts, repeated messages merge.
 * A transaction has one contract ("only support size = 1", Tron.proto), and its two types must agree.
 * @throws RangeError on malformed protobuf, on another number of contracts, or when the two types differ.
 */
export function readRawData(rawHex: string): RawTransaction {
  const fields = new HexFields(rawHex);
  let expiration: number | bigint = 0;
  let feeLimit: number | bigint = 0;
  let contract: RawContract | undefined;
  while (fields.next()) {
    if (fields.key === EXPIRATION) expiration = fields.int;
    if (fields.key === FEE_LIMIT) feeLimit = fields.int;
    if (fields.key !== CONTRACT) continue;
    if (contract !== undefined) throw new RangeError("a transaction has two contracts");
    contract = readContract(fields);
  }
  if (contract === undefined) throw new RangeError("a transaction has no contract");
  return { expiration, feeLimit, contract };
}

function readContract(fields: HexFields): RawContract {
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
  const isMoney = type === TRANSFER || type === TRIGGER || type === ASSET || type === CREATE;
  if (urlType !== (isMoney ? type : NO_MONEY)) {
    throw new RangeError("a contract's type is not that of its parameter");
  }
  const contractEnd = fields.end;
  fields.move(valueStart, valueEnd);
  const rawData = readContractValue(type, fields);
  fields.move(contractEnd, outOfContract);
  return rawData;
}

function typeInUrl(fields: HexFields): number {
  for (const [end, type] of URL_ENDS) if (fields.endsWith(end)) return type;
  return NO_MONEY;
}
