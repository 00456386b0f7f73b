/** The invariants of the database. Reports and documents cite the ids. */
export const invariants = {
  I1: "each transfer of the chain is credited once, to the address that it pays",
  I2: "credited amounts and their sums equal the transfers",
  I3: "the scanned blocks have no gap, and each follows its parent",
  I4: "only final deposits are confirmed",
  I5: "a deposit changes only along its states, and is open until it is final",
  I6: "each confirmed deposit has its event, and each such event its deposit",
  I13: "an address belongs to one charge, and an index is used once",
  I19: "every issued address is watched",
  I21: "an event that happens once is written once",
  I22: "a replaced watcher has written nothing since",
  I25: "the ledger has every confirmed deposit, and each balance is the sum of its entries",
  I26: "each row that money, keys or messages rest on is there once",
  I27: "refunds promise no more than came, and each paid one has one final transfer",
  I28: "the journal sums to zero, and has the money of the ledger",
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
