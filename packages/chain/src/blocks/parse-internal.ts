import {
  AnswerError,
  type JsonObject,
  readAddressHex,
  readInt64,
  readList,
  readObject,
  readText,
} from "./read-json.ts";

export type InternalValue = {
  readonly assetId: string | undefined;
  readonly rawValue: bigint;
};

export type InternalTransfer = {
  /** the index among the internal transactions that can move value, which every node saves */
  readonly index: number;
  readonly fromHex: string;
  readonly toHex: string;
  readonly values: readonly InternalValue[];
};

const hexOfText = (text: string) => Buffer.from(text).toString("hex");
/**
 * The notes (in hex) of internal transactions that move value. A node with `saveFeaturedInternalTx` adds stakes and votes, which
 * pay no one; `withdrawExpireUnfreezeWhileSuiciding` even repeats the value of `suicide` (java-tron, Program.java).
 */
const MOVING_NOTES = new Set<unknown>(["call", "create", "suicide"].map(hexOfText));

/** The internal transactions that moved value; a revert inside a run rejects some. @throws AnswerError for a malformed list. */
export function parseInternals(list: readonly unknown[]): InternalTransfer[] {
  const found: InternalTransfer[] = [];
  const moving = list
    .map((value) => readObject(value, "an internal transaction"))
    .filter(({ note }) => MOVING_NOTES.has(readText(note, "note")));
  for (const [index, internal] of moving.entries()) {
    if (isRejected(internal)) continue;
    const values = readList(internal.callValueInfo, "callValueInfo").map(parseValue);
    const moved = values.filter(({ rawValue }) => rawValue > 0n);
    if (moved.length === 0) continue;
    const fromHex = readAddressHex(internal.caller_address, "caller_address");
    const toHex = readAddressHex(internal.transferTo_address, "transferTo_address");
    found.push({ index, fromHex, toHex, values: moved });
  }
  return found;
}

function isRejected({ rejected }: JsonObject): boolean {
  if (rejected === undefined || typeof rejected === "boolean") return rejected === true;
  throw new AnswerError("rejected is neither true nor false");
}

/** `{}` is 0 TRX: nodes omit default values. */
function parseValue(entry: unknown): InternalValue {
  const value = readObject(entry, "callValueInfo");
  return {
    assetId: readText(value.tokenId, "tokenId") || undefined,
    rawValue: readInt64(value.callValue, "callValue"),
  };
}
