import { print, type Result, round3 } from "./harness.ts";
import { isInconclusive, quantileOf, spreadOf } from "./verdict.ts";

/** Measures `each` times in each round, and prints each round. */
export async function timesOfRounds(
  { rounds, each, name = "" }: { readonly rounds: number; readonly each: number; readonly name?: string },
  takeOne: () => Promise<number>,
): Promise<number[][]> {
  const times: number[][] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const took: number[] = [];
    while (took.length < each) took.push(await takeOne());
    times.push(took);
    const { median, min, max } = spreadOf(took);
    print(
      `  ${name}round ${round}: ${[median, min, max].map(Math.round).join(" ms, ")} ms (median, least, most)`,
    );
  }
  return times;
}

/** The median and the 99th percentile of times in ms. */
export function percentilesOf(times: readonly number[]): { p50Ms: number; p99Ms: number } {
  return { p50Ms: round3(quantileOf(times, 0.5)), p99Ms: round3(quantileOf(times, 0.99)) };
}

/** The result of times in ms of which 99 of 100 must be within a limit. */
export function withinP99<Bars extends Result["bars"] & { readonly p99Ms: number }>(
  times: readonly number[][],
  bars: Bars,
): Result {
  const p99 = quantileOf(times.flat(), 0.99);
  return {
    ratio: round3(p99 / bars.p99Ms),
    ours: round3(p99),
    ceiling: bars.p99Ms,
    unit: "ms",
    rounds: times.length,
    bars,
    cpu: { ratio: 0, ours_us: 0, ceiling_us: 0, pg_us: 0 },
    figures: percentilesOf(times.flat()),
    isInconclusive: isInconclusive(times.map((took) => spreadOf(took).median)),
  };
}
