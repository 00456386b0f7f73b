import { contractResultName, findContractResult } from "@daric/tron/contract-result";
import { hexField, intField, messageField, textField } from "@daric/tron/protobuf";
import {
  AnswerError,
  type JsonObject,
  readHexBytes,
  readInt64,
  readList,
  readObject,
  readText,
} from "./read-json.ts";

type Field = { readonly number: number; readonly name: string };
type Encode = (value: unknown, field: Field) => Uint8Array;
type Fields = readonly (Field & { readonly encode: Encode })[];

/** A verdict whose name this code does not know. */
class UnknownVerdict extends Error {
  override readonly name = "UnknownVerdict";
}

const int: Encode = (value, { number, name }) => intField(number, readInt64(value, name));
const bytes: Encode = (value, { number, name }) => hexField(number, readHexBytes(value, name));
const text: Encode = (value, { number, name }) => textField(number, readText(value, name) ?? "");
const messages =
  (encode: (message: JsonObject) => Uint8Array): Encode =>
  (value, { number, name }) =>
    Buffer.concat(
      readList(value, name).map((value) => messageField(number, encode(readObject(value, name)))),
    );

const ORDER_DETAIL: Fields = [
  { number: 1, name: "makerOrderId", encode: bytes },
  { number: 2, name: "takerOrderId", encode: bytes },
  { number: 3, name: "fillSellQuantity", encode: int },
  { number: 4, name: "fillBuyQuantity", encode: int },
];

/** protocol.Transaction.Result (java-tron, Tron.proto) in ascending order, by the names that nodes print. */
const RESULT: Fields = [
  { number: 1, name: "fee", encode: int },
  { number: 2, name: "ret", encode: encodeCode },
  { number: 3, name: "contractRet", encode: encodeVerdict },
  { number: 14, name: "assetIssueID", encode: text },
  { number: 15, name: "withdraw_amount", encode: int },
  { number: 16, name: "unfreeze_amount", encode: int },
  { number: 18, name: "exchange_received_amount", encode: int },
  { number: 19, name: "exchange_inject_another_amount", encode: int },
  { number: 20, name: "exchange_withdraw_another_amount", encode: int },
  { number: 21, name: "exchange_id", encode: int },
  { number: 22, name: "shielded_transaction_fee", encode: int },
  { number: 25, name: "orderId", encode: bytes },
  { number: 26, name: "orderDetails", encode: messages((detail) => encodeMessage(detail, ORDER_DETAIL)) },
  { number: 27, name: "withdraw_expire_amount", encode: int },
  { number: 28, name: "cancel_unfreezeV2_amount", encode: messages(encodeMapEntry) },
];

const SUCCESS = [intField(3, 1)];

/** Results (`ret`) as protobuf bytes; undefined for an unknown verdict. @throws AnswerError for a malformed result. */
export function encodeResults(ret: readonly unknown[]): readonly Uint8Array[] | undefined {
  if (ret.length === 1 && isSuccessAlone(ret[0])) return SUCCESS;
  try {
    return ret.map((value) => encodeMessage(readObject(value, "ret"), RESULT));
  } catch (error) {
    if (error instanceof UnknownVerdict) return undefined;
    throw error;
  }
}

function isSuccessAlone(result: unknown): boolean {
  if (typeof result !== "object" || result === null) return false;
  for (const name in result) if (name !== "contractRet") return false;
  return (result as JsonObject).contractRet === "SUCCESS";
}

/** An unknown field would be missing in the hashed bytes, so the root check fails. */
function encodeMessage(message: JsonObject, fields: Fields): Uint8Array {
  return Buffer.concat(fields.map((field) => field.encode(message[field.name], field)));
}

/** `SUCESS`, as java-tron spells it, is 0. */
function encodeCode(value: unknown, { number, name }: Field): Uint8Array {
  if (value === undefined || value === "SUCESS") return intField(number, 0);
  if (value === "FAILED") return intField(number, 1);
  throw new AnswerError(`${name} is neither FAILED nor SUCESS`);
}

/**
 * Protobuf prints a value without a name by its number (EnumDescriptor). A known number in that form is refused: it would be a
 * second text for the same bytes, such as those of a success.
 */
function encodeVerdict(value: unknown, { number, name }: Field): Uint8Array {
  const verdict = readText(value, name) ?? "DEFAULT";
  const [, unnamed] = /^UNKNOWN_ENUM_VALUE_contractResult_([1-9]\d{0,8})$/.exec(verdict) ?? [];
  const known = unnamed === undefined ? findContractResult(verdict) : Number(unnamed);
  if (known === undefined || (unnamed !== undefined && isNamed(known))) throw new UnknownVerdict(verdict);
  return intField(number, known);
}

function isNamed(number: number): boolean {
  return findContractResult(contractResultName(number)) === number;
}

/** Java writes both fields of a map entry, whatever their values. */
function encodeMapEntry(entry: JsonObject): Uint8Array {
  const value = readInt64(entry.value, "value");
  const key = Buffer.from(readText(entry.key, "key") ?? "", "utf8");
  return Buffer.concat([messageField(1, key), value === 0n ? Uint8Array.of(0x10, 0) : intField(2, value)]);
}
