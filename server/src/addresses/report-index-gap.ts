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
    { first_index: first, count, changed, database_before: before, database_now: now },
    "this is another database than the one that addresses were last taken in (restored, copied or promoted): the next " +
      "indexes were skipped, since they may have been issued; their addresses are watched without a merchant",
  );
}

export function reportUsedAddress(
  { log, metrics }: Pick<GuardContext, "log" | "metrics">,
  { first, count, used, by }: GapFacts & { used: string; by: "the chain" | "the directory" },
): void {
  metrics.alarms.inc({ alarm: "index_gap" });
  log.error(
    { first_index: first, count, address: used, known_to: by },
    "an address that was to be issued next is used already (an older copy of the database was put back, or the xpub is " +
      "used elsewhere): the next indexes were skipped; their addresses are watched without a merchant",
  );
}
