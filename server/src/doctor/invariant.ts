/** The invariants of the database in plain words. Reports and documents cite the ids. */
export const invariants = {
  I1: "each transfer of the chain is credited once, to whom it pays",
  I2: "what is credited is what came in",
  I3: "the blocks that were read have no gap, and each follows the one before",
  I4: "only what is final is confirmed",
  I5: "a deposit goes only where its rules lead, and is looked after until it is final",
  I6: "each confirmed deposit has its event, and each such event its deposit",
  I13: "an address belongs to one charge, and an index is used once",
  I19: "every address that was ever issued is watched",
  I21: "an event that happens once is written once",
  I22: "a watcher that was replaced has written nothing since",
  I25: "the ledger has what was confirmed, and each balance is the sum of its entries",
} as const;

export type InvariantName = keyof typeof invariants;

/** A kind of violation: the number of rows, and ten samples at most. */
export type Violation = {
  readonly invariant: InvariantName;
  /** the fault of each of the samples */
  readonly what: string;
  readonly count: number;
  readonly samples: readonly string[];
};

/** One row that breaks an invariant. */
export function violationOf(invariant: InvariantName, what: string, sample: string): Violation {
  return { invariant, what, count: 1, samples: [sample] };
}

/** One invariant and its violations. Without violations it holds. */
export type Diagnosis = {
  readonly invariant: InvariantName;
  readonly name: string;
  readonly violations: readonly Violation[];
};

export const MAX_SAMPLES = 10;

/** All invariants in their order; equal violations are merged. */
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
