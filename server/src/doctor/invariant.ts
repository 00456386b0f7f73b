/** What must always hold of the books, in plain words. The ids are the ones that people cite. */
export const invariants = {
  I1: "each transfer of the chain is credited once, to whom it pays",
  I2: "what is credited is what came in",
  I3: "the blocks that were read have no gap, and each follows the one before",
  I4: "only what is final is confirmed",
  I5: "a deposit goes only where its rules lead, and is looked after until it is final",
  I6: "each confirmed deposit has its event, and each such event its deposit",
  I13: "an address belongs to one charge, and an index is used once",
  I19: "every address that was ever given to somebody is watched",
  I21: "what was said once is never said again",
  I22: "a watcher that was replaced has written nothing since",
  I25: "the ledger has what was confirmed, and each balance is the sum of its entries",
} as const;

export type InvariantName = keyof typeof invariants;

/** How rows break an invariant: how many do, and ten of them at most. */
export type Violation = {
  readonly invariant: InvariantName;
  /** what is wrong with each of the samples */
  readonly what: string;
  readonly count: number;
  readonly samples: readonly string[];
};

/** One row that breaks an invariant. */
export function violationOf(invariant: InvariantName, what: string, sample: string): Violation {
  return { invariant, what, count: 1, samples: [sample] };
}

/** One invariant and what breaks it. It holds where nothing does. */
export type Diagnosis = {
  readonly invariant: InvariantName;
  readonly name: string;
  readonly violations: readonly Violation[];
};

export const MAX_SAMPLES = 10;

/** All invariants in their order, with these violations, of which those that say the same are one. */
export function diagnosesOf(violations: readonly Violation[]): Diagnosis[] {
  const names = Object.keys(invariants) as InvariantName[];
  return names.map((invariant) => ({
    invariant,
    name: invariants[invariant],
    violations: merged(violations.filter((violation) => violation.invariant === invariant)),
  }));
}

/** The same diagnoses with more violations. */
export function withViolations(diagnoses: readonly Diagnosis[], more: readonly Violation[]): Diagnosis[] {
  return diagnosesOf([...diagnoses.flatMap(({ violations }) => violations), ...more]);
}

/** How many invariants are broken. */
export function countBroken(diagnoses: readonly Diagnosis[]): number {
  return diagnoses.filter(({ violations }) => violations.length > 0).length;
}

function merged(violations: readonly Violation[]): Violation[] {
  const byWhat = new Map<string, Violation>();
  for (const violation of violations) {
    const known = byWhat.get(violation.what);
    byWhat.set(violation.what, {
      ...violation,
      count: (known?.count ?? 0) + violation.count,
      samples: [...(known?.samples ?? []), ...violation.samples].slice(0, MAX_SAMPLES),
    });
  }
  return [...byWhat.values()];
}
