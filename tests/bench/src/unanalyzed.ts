import type pg from "pg";
import { print, round3 } from "./harness.ts";

/** The first burst of a new deployment may be this many times as slow as one on analyzed tables. */
export const MAX_UNANALYZED = 1.5;

/** Ends autovacuum on the whole server, so that new tables get no statistics. */
export async function stopAutovacuum(db: pg.Client): Promise<void> {
  await db.query("alter system set autovacuum = off");
  await db.query("select pg_reload_conf()");
}

/** Prints both values, and whether the unanalyzed run is slower by no more than the bar allows. */
export function isAlikeUnanalyzed(
  { unanalyzed, analyzed }: { readonly unanalyzed: number; readonly analyzed: number },
  unit: "deliveries/s" | "ms",
): boolean {
  const ratio = unit === "ms" ? unanalyzed / analyzed : analyzed / unanalyzed;
  const values = `${round3(unanalyzed)} ${unit} on tables that were never analyzed, ${round3(analyzed)} on analyzed ones`;
  print(`  ${values}: ${round3(ratio)} times as slow, at most ${MAX_UNANALYZED}`);
  return ratio <= MAX_UNANALYZED;
}
