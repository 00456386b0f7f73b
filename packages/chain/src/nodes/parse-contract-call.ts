import { addressToHex } from "@daric/tron/address";
import { AnswerError, type JsonObject, readList, readObject, readText } from "../blocks/read-json.ts";

const WORD = /^[0-9a-f]{64}$/;

export function callOf(contract: string, view: string, parameter = ""): object {
  const contractHex = addressToHex(contract);
  return {
    owner_address: contractHex,
    contract_address: contractHex,
    function_selector: view,
    parameter,
  };
}

/**
 * The number that a constant call returns; undefined without such a contract. A revert has `result: true` too, and shows only in
 * the dummy transaction's `ret`. @throws AnswerError for any other answer.
 */
export function parseCallOfNumber(answer: unknown, view: string): bigint | undefined {
  const call = readCall(answer, view);
  if (call === undefined) return undefined;
  const [word] = readList(call.constant_result, "constant_result");
  if (typeof word !== "string" || !WORD.test(word)) throw new AnswerError(`${view} answered no number`);
  return BigInt(`0x${word}`);
}

/**
 * The number of a view that a token may lack: undefined if the contract reverts the call, or answers nothing.
 * @throws AnswerError for any other answer, and without such a contract.
 */
export function parseOptionalNumber(answer: unknown, view: string): bigint | undefined {
  const call = readObject(answer, "call");
  const { result, message } = readObject(call.result, "result");
  const [outcome] = readList(readObject(call.transaction ?? {}, "transaction").ret, "ret");
  const isFailed = outcome !== undefined && readObject(outcome, "ret").ret === "FAILED";
  const said = readText(message, "message") ?? "";
  const isReverted = isFailed && (said === "" || decodeMessage(said).includes("REVERT"));
  if (result === true && (isReverted || readList(call.constant_result, "constant_result")[0] === ""))
    return undefined;
  const number = parseCallOfNumber(answer, view);
  if (number === undefined) throw new AnswerError("there is no token contract");
  return number;
}

function readCall(answer: unknown, view: string): JsonObject | undefined {
  const call = readObject(answer, "call");
  const verdict = readObject(call.result, "result");
  if (verdict.result !== true) {
    const message = decodeMessage(readText(verdict.message, "message"));
    if (/not exist/i.test(message)) return undefined;
    throw new AnswerError(`the call of ${view} was refused: ${message}`);
  }
  const [outcome] = readList(readObject(call.transaction ?? {}, "transaction").ret, "ret");
  if (outcome !== undefined && readObject(outcome, "ret").ret === "FAILED") {
    throw new AnswerError(`the call of ${view} failed`);
  }
  return call;
}

/** {@link parseCallOfNumber} of `decimals()`, at most 255. */
export function parseTokenDecimals(answer: unknown): number | undefined {
  const decimals = parseCallOfNumber(answer, "decimals()");
  if (decimals !== undefined && decimals > 255n) {
    throw new AnswerError("decimals() answered more than a byte");
  }
  return decimals === undefined ? undefined : Number(decimals);
}

/** Nodes print messages in hex. */
function decodeMessage(hex = ""): string {
  return JSON.stringify(Buffer.from(hex, "hex").toString("utf8").slice(0, 200));
}
