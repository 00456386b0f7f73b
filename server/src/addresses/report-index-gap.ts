import type { GuardContext } from "./context.ts";

const PARTS = ["cluster", "timeline", "database", "table"] as const;

type GapFacts = { readonly first: number; readonly count: number };

export function reportOtherDatabase(
  { log, metrics }: Pick<GuardContext, "log" | "metrics">,
  { first, count, before, now }: GapFacts & { before: string; now: string },
): void {
  metrics.alarms.inc({ alarm: "index_gap" });
  const [old, current] = [before.split("/"), now.split("/")];
  const changed = PARTS.filter((_, index) => old[index] !== current[index]);
  log.error(
    { event: "index_gap", first_index: first, count, changed, database_before: before, database_now: now },
    "the database was restored, copied or promoted since the last index reservation: the next indexes may have been " +
      "issued and were skipped; their addresses are watched without a merchant",
  );
}

export function reportUsedAddress(
  { log, metrics }: Pick<GuardContext, "log" | "metrics">,
  { first, count, used, by }: GapFacts & { used: string; by: "the chain" | "the directory" },
): void {
  metrics.alarms.inc({ alarm: "index_gap" });
  log.error(
    { event: "index_gap", first_index: first, count, address: used, known_to: by },
    "the next address is used already, because the database is an older copy or the xpub is used elsewhere: the next " +
      "indexes were skipped; their addresses are watched without a merchant",
  );
}
