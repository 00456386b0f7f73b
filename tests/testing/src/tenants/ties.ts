/** A column or a computed value in one statement, compared by identity. */
export type Value = { isTied: boolean };

/** Ties of a statement's values to the merchants that its caller named. */
export type Ties = {
  /** `to` is tied once all of `from` are. */
  add(from: readonly Value[], to: Value): void;
  /** Propagates all ties; `isTied` is correct afterwards. */
  settle(): void;
};

export const parameter: Value = { isTied: true };

export function createTies(): Ties {
  const rules: { from: readonly Value[]; to: Value }[] = [];
  return {
    add: (from, to) => {
      rules.push({ from, to });
    },
    settle: () => {
      for (let hasChanged = true; hasChanged; ) {
        hasChanged = false;
        for (const { from, to } of rules) {
          if (to.isTied || !from.every((value) => value.isTied)) continue;
          to.isTied = true;
          hasChanged = true;
        }
      }
    },
  };
}
