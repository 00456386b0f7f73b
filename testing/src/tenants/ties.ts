/** A column of a relation, or a value made of some, in one statement. Two are one only if they are the same object. */
export type Value = { isTied: boolean };

/** The ties of a statement's values to the merchants that its caller named. */
export type Ties = {
  /** Once all of these are tied, so is `to`. */
  add(from: readonly Value[], to: Value): void;
  /** Follows every tie to its end; `isTied` is right afterwards. */
  settle(): void;
};

/** What the caller named: a parameter. */
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
