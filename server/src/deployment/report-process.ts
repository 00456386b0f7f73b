import type { ContextOf } from "../runtime/context.ts";
import type { CheckOutcome, DeploymentMetrics } from "./metrics.ts";
import { countMonthsAhead } from "./store.ts";

/** What of a process runs. */
export type Versions = {
  readonly program: string;
  readonly node: string;
  /** of the tables: the number of the last migration */
  readonly schema: number;
  readonly postgresql: string;
};

/** Whoever reads numbers does not wait longer for how many months stand ready. */
const MONTHS_WITHIN_MS = 1_500;

/** Lets the numbers of this process say what runs, whether it is ready and how long its tables by month last. */
export function reportProcess(
  { db, metrics }: Pick<ContextOf<unknown, DeploymentMetrics>, "db" | "metrics">,
  parts: {
    readonly versions: Versions;
    readonly findReadiness: () => Promise<{ readonly checks: readonly CheckOutcome[] }>;
  },
): void {
  const { program: version, node, schema } = parts.versions;
  metrics.buildInfo.set({ version, node, schema: String(schema) }, 1);
  metrics.monthsAhead.answerBy(() => countMonthsAhead(db.answeringWithin(MONTHS_WITHIN_MS)));
  metrics.readiness.answerBy(async () => (await parts.findReadiness()).checks);
}
