import {
  AnswerError,
  type JsonObject,
  readAddressHex,
  readInt64,
  readList,
  readObject,
  readText,
} from "./read-json.ts";

/** Value that a contract moved, of TRX or of a TRC-10 asset. */
export type InternalValue = {
  /** undefined: TRX */
  readonly assetId: string | undefined;
  readonly rawValue: bigint;
};

/** What a run of the virtual machine did of its own, where it moved value. */
export type InternalTransfer = {
  /** its place among those of `internal_transactions` that could move value: every node saves these */
  readonly index: number;
  readonly fromHex: string;
  readonly toHex: string;
  readonly values: readonly InternalValue[];
};

const hexOfText = (text: string) => Buffer.from(text).toString("hex");
/**
 * The notes (in hex) of what moves value: a call, the making of a contract, its end. A node with `saveFeaturedInternalTx`
 * tells of stakes and votes too, whose values are no money that arrives: `withdrawExpireUnfreezeWhileSuiciding`
 * even repeats what is in the `suicide` beside it (java-tron, Program.java).
 */
const MOVING_NOTES = new Set<unknown>(["call", "create", "suicide"].map(hexOfText));

/**
 * Those of `internal_transactions` that moved value: neither rejected, which is what a revert inside a run leaves of
 * them, nor of another kind.
 *
 * @throws AnswerError for anything that is no list of internal transactions.
 */
export function parseInternals(list: readonly unknown[]): InternalTransfer[] {
  const found: InternalTransfer[] = [];
  const moving = list
    .map((each) => readObject(each, "an internal transaction"))
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

/** `{}` is 0 of TRX: nodes omit what has its default. */
function parseValue(entry: unknown): InternalValue {
  const value = readObject(entry, "callValueInfo");
  return {
    assetId: readText(value.tokenId, "tokenId") || undefined,
    rawValue: readInt64(value.callValue, "callValue"),
  };
}
