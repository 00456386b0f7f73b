import { REASONS, type Reason } from "./reasons.ts";

export type ForeignTest = { readonly name: string; readonly passed: boolean; readonly message: string };

export type SuiteResult = {
  readonly suite: keyof typeof REASONS;
  readonly version: string;
  readonly tests: readonly ForeignTest[];
};

export type SuiteOutcome = {
  readonly suite: string;
  readonly version: string;
  readonly total: number;
  readonly passed: number;
  /** tests that the chain does not offer what they need, by what it is */
  readonly outside: Readonly<Record<Reason, number>>;
  /** tests that fail without such a reason: devchain answers wrongly, or lacks an endpoint */
  readonly faults: readonly ForeignTest[];
};

/** Sorts the tests of a suite by why they do not pass. */
export function sortOutcome({ suite, version, tests }: SuiteResult): SuiteOutcome {
  const failed = tests.filter(({ passed }) => !passed);
  const reasoned = failed.map((test) => ({ test, reason: reasonFor(suite, test.name) }));
  const count = (wanted: Reason) => reasoned.filter(({ reason }) => reason === wanted).length;
  return {
    suite,
    version,
    total: tests.length,
    passed: tests.length - failed.length,
    outside: {
      vm: count("vm"),
      types: count("types"),
      network: count("network"),
      itself: count("itself"),
    },
    faults: reasoned.flatMap(({ test, reason }) => (reason === undefined ? [test] : [])),
  };
}

function reasonFor(suite: SuiteResult["suite"], name: string): Reason | undefined {
  return Object.entries(REASONS[suite]).find(([part]) => name.includes(part))?.[1];
}
