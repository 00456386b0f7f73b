import { contractTypeNumber, TRANSFER_CONTRACT, TRIGGER_SMART_CONTRACT } from "@daric/tron/contract-types";
import { sha256Hex } from "@daric/tron/hash";
import {
  type ContractValue,
  type RawData,
  type TransactionContract,
  type TronTransaction,
  transactionFromRaw,
} from "@daric/tron/transaction";
import { hexToBytes } from "@noble/hashes/utils.js";
import { hexBytes, int64, RequestRefusal, readAddress } from "./api-request.ts";

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Packs the JSON of a transaction. As on a real node `raw_data` counts and `raw_data_hex` is ignored, so a field
 * lost on the way changes the txID. Contracts of a type this chain does not run cannot be packed; for them
 * `raw_data_hex` is taken, so that the refusal names the transaction the client means.
 *
 * @throws RequestRefusal when there is no readable raw_data.
 */
export function readTransaction(params: JsonObject, visible: boolean): TronTransaction {
  const raw = readRawData(objectOf(params.raw_data, "raw_data"), visible);
  const signatures = listOf(params.signature).map((signature) => hexBytes(String(signature)));
  const isPacked = raw.contracts.every(({ value }) => value.kind !== "opaque");
  if (isPacked || typeof params.raw_data_hex !== "string") return transactionFromRaw(raw, signatures);
  const rawHex = hexBytes(params.raw_data_hex);
  return { txId: sha256Hex(hexToBytes(rawHex)), rawHex, raw, signatures };
}

function readRawData(raw: JsonObject, visible: boolean): RawData {
  return {
    refBlockBytes: bytes(raw, "ref_block_bytes"),
    refBlockHash: bytes(raw, "ref_block_hash"),
    expiration: int64(raw.expiration, "expiration"),
    data: bytes(raw, "data"),
    contracts: listOf(raw.contract).map((contract) => readContract(objectOf(contract, "contract"), visible)),
    timestamp: int64(raw.timestamp, "timestamp"),
    feeLimit: int64(raw.fee_limit, "fee_limit"),
  };
}

function readContract(contract: JsonObject, visible: boolean): TransactionContract {
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

function readContractValue(type: number, value: JsonObject, visible: boolean): ContractValue {
  const ownerAddress = address(value, "owner_address", visible);
  if (type === TRANSFER_CONTRACT) {
    const toAddress = address(value, "to_address", visible);
    return { kind: "transfer", ownerAddress, toAddress, amount: int64(value.amount, "amount") };
  }
  if (type !== TRIGGER_SMART_CONTRACT) return { kind: "opaque", value: "" };
  return {
    kind: "trigger",
    ownerAddress,
    contractAddress: address(value, "contract_address", visible),
    callValue: int64(value.call_value, "call_value"),
    data: bytes(value, "data"),
    callTokenValue: int64(value.call_token_value, "call_token_value"),
    tokenId: int64(value.token_id, "token_id"),
  };
}

function address(object: JsonObject, name: string, visible: boolean): string {
  const text = object[name];
  return typeof text === "string" && text !== "" ? readAddress(text, visible) : "";
}

function bytes(object: JsonObject, name: string): string {
  const text = object[name];
  return typeof text === "string" ? hexBytes(text) : "";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectOf(value: unknown, name: string): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  throw new RequestRefusal("com.alibaba.fastjson.JSONException", `${name} must be an object`);
}
