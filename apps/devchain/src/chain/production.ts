import { SLOT_MS } from "../ledger/limits.ts";

/** Slots by turn: those with a block, and those without one. */
export type Production = { readonly produced: readonly number[]; readonly missed: readonly number[] };

/**
 * How many slots each of `turns` witnesses has used and missed between block 1 and `head`. `timestamps` are milliseconds by block
 * number. A witness that was replaced leaves its counts to the next one of its turn.
 */
export function productionOf(timestamps: readonly number[], head: number, turns: number): Production {
  const [produced, missed] = [new Array<number>(turns).fill(0), new Array<number>(turns).fill(0)];
  const count = (counts: number[], slot: number, by: number) => {
    counts[slot % turns] = (counts[slot % turns] ?? 0) + by;
  };
  const slots = timestamps.slice(1, head + 1).map((timestamp) => Math.floor(timestamp / SLOT_MS));
  let next = slots[0] ?? 0;
  for (const slot of slots) {
    const rounds = Math.floor((slot - next) / turns);
    if (rounds > 0) for (let turn = 0; turn < turns; turn += 1) count(missed, turn, rounds);
    for (let empty = next + rounds * turns; empty < slot; empty += 1) count(missed, empty, 1);
    count(produced, slot, 1);
    next = slot + 1;
  }
  return { produced, missed };
}
