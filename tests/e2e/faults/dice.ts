/** Random choices that a seed repeats. */
export type Dice = {
  /** a whole number from 0 up to, not including, `below` */
  roll(below: number): number;
  pick<T>(from: readonly T[]): T;
  /** true in `percent` of a hundred cases */
  chance(percent: number): boolean;
};

/** mulberry32: small and seeded, good enough for tests; never for secrets. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const roll = (below: number): number => Math.floor(next() * below);
  return {
    roll,
    pick: <T>(from: readonly T[]): T => from[roll(from.length)] as T,
    chance: (percent) => next() * 100 < percent,
  };
}
