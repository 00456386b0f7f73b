/** The work of one contestant in one stretch. */
export type Stretch = {
  /** operations a second */
  readonly rate: number;
  /** CPU of one operation in microseconds: of the working process, of PostgreSQL, of the generator */
  readonly processUs: number;
  readonly postgresUs: number;
  readonly generatorUs: number;
};

/** The compared figure: operations a second, or CPU per operation with PostgreSQL's, or PostgreSQL's alone. */
export type Measure = "rate" | "cpu" | "postgres";

export type Round = { readonly before: Stretch; readonly ours: Stretch; readonly after: Stretch };

export type Spread = { readonly median: number; readonly min: number; readonly max: number };

/** Ceilings of one run that differ by more than this show that the machine changed. */
const STEADY_WITHIN = 2;

/** The CPU of one operation with PostgreSQL's. */
export function cpuUs({ processUs, postgresUs }: Stretch): number {
  return processUs + postgresUs;
}

/** The compared figure of a stretch. */
export function figureOf(stretch: Stretch, measure: Measure): number {
  if (measure === "rate") return stretch.rate;
  return measure === "postgres" ? stretch.postgresUs : cpuUs(stretch);
}

/** Ours divided by the mean of the ceilings around it. */
export function ratioOf({ before, ours, after }: Round, measure: Measure): number {
  return figureOf(ours, measure) / ((figureOf(before, measure) + figureOf(after, measure)) / 2);
}

/** The median and the ends. @throws Error without values */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((left, right) => left - right);
  const [min, max] = [sorted[0], sorted.at(-1)];
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]];
  if (min === undefined || max === undefined || low === undefined || high === undefined) {
    throw new Error("nothing was measured");
  }
  return { median: (low + high) / 2, min, max };
}

/** The quantile of this share. @throws Error without values */
export function quantileOf(values: readonly number[], share: number): number {
  const value = values.toSorted((left, right) => left - right)[Math.ceil(values.length * share) - 1];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}

/** Whether the ceilings differ too much for a verdict. */
export function isInconclusive(ceilings: readonly number[]): boolean {
  const { min, max } = spreadOf(ceilings);
  return max > STEADY_WITHIN * min;
}

/** `must` has to be reached, `goal` is wanted, and `most` must not be exceeded. */
export type Bars = {
  readonly must?: number;
  readonly goal?: number;
  readonly max?: number;
};

/** Whether a ratio meets every required bar. */
export function passes(ratio: number, { must, max }: Bars): boolean {
  return (must === undefined || ratio >= must) && (max === undefined || ratio <= max);
}

/** 0: every bar is met. 1: one is missed, or the counts differ. 2: the machine was not steady enough. */
export function exitCodeOf(result: { isPassed: boolean; isInconclusive: boolean }): 0 | 1 | 2 {
  if (result.isInconclusive) return 2;
  return result.isPassed ? 0 : 1;
}
