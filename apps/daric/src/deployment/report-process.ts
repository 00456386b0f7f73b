import type { ContextOf } from "@daric/runtime/context";
import type { CheckOutcome, DeploymentMetrics } from "./context.ts";
import { countMonthsAhead } from "./store.ts";

/** The running versions of a process. */
export type Versions = {
  readonly program: string;
  readonly node: string;
  /** the number of the last applied migration */
  readonly schema: number;
  readonly postgresql: string;
};

/** The longest wait of a scrape for the number of months. */
const MONTHS_WITHIN_MS = 1_500;

/** Sets the metrics of versions, readiness and months ahead. */
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
