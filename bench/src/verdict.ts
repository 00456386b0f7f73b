/** What one contestant did in one stretch of a bench. */
export type Stretch = {
  /** operations a second */
  readonly rate: number;
  /** CPU of one operation in microseconds: of the process that did it, of PostgreSQL, of whoever asked */
  readonly processUs: number;
  readonly postgresUs: number;
  readonly generatorUs: number;
};

/** What two are compared by: operations a second, or the CPU of one, PostgreSQL's included, or PostgreSQL's alone. */
export type Measure = "rate" | "cpu" | "postgres";

/** Ours between the ceiling before it and the ceiling after it. */
export type Round = { readonly before: Stretch; readonly ours: Stretch; readonly after: Stretch };

export type Spread = { readonly median: number; readonly least: number; readonly most: number };

/** Two ceilings of one run that differ by more than this say that the machine changed under the bench. */
const STEADY_WITHIN = 2;

/** What one operation cost, whoever paid for it. */
export function cpuUs({ processUs, postgresUs }: Stretch): number {
  return processUs + postgresUs;
}

/** The number that a stretch is compared by. */
export function amountOf(stretch: Stretch, measure: Measure): number {
  if (measure === "rate") return stretch.rate;
  return measure === "postgres" ? stretch.postgresUs : cpuUs(stretch);
}

/** Ours as a multiple of the mean of the ceilings around it. */
export function ratioOf({ before, ours, after }: Round, measure: Measure): number {
  return amountOf(ours, measure) / ((amountOf(before, measure) + amountOf(after, measure)) / 2);
}

/** The middle value and the ends. @throws Error where there is no value */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const [least, most] = [sorted[0], sorted.at(-1)];
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  if (least === undefined || most === undefined || low === undefined || high === undefined) {
    throw new Error("nothing was measured");
  }
  return { median: (low + high) / 2, least, most };
}

/** The value that this share of all is not above. @throws Error where there is no value */
export function quantileOf(values: readonly number[], share: number): number {
  const value = values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}

/** Whether the ceilings of one run are so far apart that no ratio to them says anything. */
export function isInconclusive(ceilings: readonly number[]): boolean {
  const { least, most } = spreadOf(ceilings);
  return most > STEADY_WITHIN * least;
}

/** `must` is what passes and `goal` what is wanted; of `most` the ratio may not be above it. */
export type Bars = {
  readonly must?: number;
  readonly goal?: number;
  readonly most?: number;
};

/** Whether a ratio stays on the right side of every bar that has to hold. */
export function passes(ratio: number, { must, most }: Bars): boolean {
  return (must === undefined || ratio >= must) && (most === undefined || ratio <= most);
}

/** 0: every bar is met. 1: one is missed, or the counts differ. 2: the machine was not steady enough to say. */
export function exitCodeOf(result: { isPassed: boolean; isInconclusive: boolean }): 0 | 1 | 2 {
  if (result.isInconclusive) return 2;
  return result.isPassed ? 0 : 1;
}
