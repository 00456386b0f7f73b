import {
  CONTRACT_SHAPES,
  type ContractKind,
  type ContractOf,
  contractKind,
} from "@daric/tron/contract-shapes";
import { contractTypeNumber } from "@daric/tron/contract-types";
import type { MessageShape } from "@daric/tron/message";
import {
  type ContractValue,
  decodeRawData,
  type RawData,
  type TransactionContract,
  type TronTransaction,
  transactionFromRaw,
} from "@daric/tron/transaction";
import { hexToBytes } from "@noble/hashes/utils.js";
import { hexBytes, int64, parseError, RequestRefusal } from "./api-request.ts";
import { asObject, type JsonFields, readMessage } from "./message-json.ts";

/**
 * Reads a transaction's JSON. Like a real node it uses `raw_data` and ignores `raw_data_hex`, so a lost field
 * changes the txID. The value of a contract that this chain does not run is taken from `raw_data_hex`.
 * @throws RequestRefusal when there is no readable raw_data.
 */
export function readTransaction(params: JsonFields, visible: boolean): TronTransaction {
  const raw = readRawData(objectOf(params.raw_data, "raw_data"), visible);
  const signatures = listOf(params.signature).map((signature) => hexBytes(String(signature)));
  const isPacked = raw.contracts.every(({ value }) => value.kind !== "opaque");
  if (isPacked || typeof params.raw_data_hex !== "string") return transactionFromRaw(raw, signatures);
  const packed = readPacked(params.raw_data_hex);
  const contracts = raw.contracts.map((contract, place) => {
    const value = packed.contracts[place]?.value;
    return contract.value.kind === "opaque" && value?.kind === "opaque" ? { ...contract, value } : contract;
  });
  return transactionFromRaw({ ...raw, contracts }, signatures);
}

function readPacked(hex: string): RawData {
  try {
    return decodeRawData(hexToBytes(hexBytes(hex)));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw parseError("raw_data_hex is no transaction");
  }
}

function readRawData(raw: JsonFields, visible: boolean): RawData {
  return {
    refBlockBytes: bytes(raw, "ref_block_bytes"),
    refBlockHash: bytes(raw, "ref_block_hash"),
    expiration: int64(raw.expiration, "expiration"),
    data: bytes(raw, "data"),
    contracts: listOf(raw.contract).map((contract) =>
      readTransactionContract(objectOf(contract, "contract"), visible),
    ),
    timestamp: int64(raw.timestamp, "timestamp"),
    feeLimit: int64(raw.fee_limit, "fee_limit"),
  };
}

function readTransactionContract(contract: JsonFields, visible: boolean): TransactionContract {
  const name = String(contract.type);
  const type = contractTypeNumber(name);
  if (type === undefined)
    throw new RequestRefusal("java.lang.IllegalArgumentException", `no contract type ${name}`);
  const parameter = objectOf(contract.parameter, "parameter");
  return {
    type,
    permissionId: Number(int64(contract.Permission_id, "Permission_id")),
    value: readContractValue(type, objectOf(parameter.value, "value"), visible),
  };
}

function readContractValue(type: number, value: JsonFields, visible: boolean): ContractValue {
  const kind = contractKind(type);
  return kind === undefined ? { kind: "opaque", value: "" } : readContract(kind, value, visible);
}

/**
 * Reads a contract's fields, as in transactions and build requests. @throws RequestRefusal for a value of a wrong
 * kind.
 */
export function readContract<Kind extends ContractKind>(
  kind: Kind,
  json: JsonFields,
  visible: boolean,
): ContractOf<Kind> {
  const shape: MessageShape = CONTRACT_SHAPES[kind].shape;
  return { kind, ...readMessage(shape, json, visible) } as ContractOf<Kind>;
}

function bytes(object: JsonFields, name: string): string {
  const text = object[name];
  return typeof text === "string" ? hexBytes(text) : "";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown, name: string): JsonFields {
  const object = asObject(value);
  if (object !== undefined) return object;
  throw new RequestRefusal("com.alibaba.fastjson.JSONException", `${name} must be an object`);
}
