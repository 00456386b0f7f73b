import { sql } from "@daric/postgres/sql";
import type { SimDatabase } from "./database.ts";
import type { SimRun } from "./run-time.ts";
import type { Scene } from "./scenario.ts";
import type { SimWatcher } from "./watcher.ts";

/** The watchers of a stage, and their database. */
type Watched = Pick<Scene, "dice" | "logLine"> &
  Pick<SimRun, "finish"> & {
    readonly database: SimDatabase;
    readonly watchers: readonly SimWatcher[];
  };

/** Makes one of the watchers die at a random point of its work. */
export function endWatcher({ dice, watchers, logLine }: Watched): void {
  const watcher = dice.pick(watchers);
  const place = dice.pick(["question", "before commit", "after commit"] as const);
  const count = 1 + dice.roll(8);
  watcher.dieAt(place, count);
  logLine(`${watcher.name} will die at ${place} ${count}`);
}

/**
 * Pauses the leading watcher in the middle of a step, while another one takes over. After it wakes, its work must
 * change nothing.
 */
export async function pauseLeader(run: Watched, faults: string[]): Promise<void> {
  const { dice, watchers, logLine, database, finish } = run;
  const [leader, other] = (dice.chance(50) ? watchers : [...watchers].reverse()) as [SimWatcher, SimWatcher];
  const [questions, pollsOfOther] = [1 + dice.roll(6), dice.roll(3)];
  if (watchers.some((watcher) => watcher.isPolling())) return;
  const pause = leader.pauseAtQuestion(questions);
  const polling = leader.poll();
  if (!(await finish(pause.isReached))) return finish(polling);
  logLine(`${leader.name} is paused`);
  await leader.loseLease();
  await other.takeLease();
  for (let polls = pollsOfOther; polls > 0; polls -= 1) await finish(other.poll());
  const before = await writtenIn(database);
  pause.wake();
  await finish(polling);
  const after = await writtenIn(database);
  logLine(`${leader.name} wakes`);
  if (before !== after) faults.push(`${leader.name} was replaced, and wrote: ${before} became ${after}`);
}

/** The number of rows that a watcher may change. */
async function writtenIn({ owner }: SimDatabase): Promise<string> {
  const [row] = await owner.query<{ written: string }>(sql`
    select concat_ws(' ', (select count(*) || ' changes of deposits' from deposit_events),
      (select count(*) || ' blocks, ' || count(orphaned_at) || ' orphaned' from blocks),
      (select number || ' ' || solid_number || ' ' || updated_at from scan_cursors),
      (select count(*) || ' events' from webhook_events)) as written`);
  return row?.written ?? "";
}
