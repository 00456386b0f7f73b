import { askWitnesses, WitnessesInDoubtError } from "../witnesses/ask-witnesses.ts";
import { findKnownWitnesses } from "../witnesses/find-known-witnesses.ts";
import { pinWitnesses } from "../witnesses/pin-witnesses.ts";
import { askBeside } from "./ask-in-time.ts";
import type { WatcherContext } from "./context.ts";
import type { Scanner } from "./scanner.ts";

/** 100 blocks: sooner than a deposit is STUCK, and 28 calls to a node at most. */
const ASK_EVERY_MS = 300_000;

/**
 * How many witnesses are active is a rule of the public networks, and on a private chain it changes with every vote: with one
 * less nothing would be final for ever. There the nodes are asked now and then, and where all name the same witnesses, of
 * which there are more or fewer than are pinned, these are pinned.
 */
export async function followActive(
  context: Pick<WatcherContext, "db" | "log" | "clock" | "metrics">,
  scanner: Scanner,
): Promise<void> {
  const { network, memory } = scanner;
  const now = context.clock.monotonicMs();
  const isAskedLately = memory.activeAskedMs !== undefined && now - memory.activeAskedMs < ASK_EVERY_MS;
  if (network.name !== "private" || isAskedLately) return;
  const note = (askedMs: number) => {
    memory.activeAskedMs = askedMs;
  };
  await askBeside(context, note, () => askForActive(context, scanner));
}

async function askForActive(
  context: Pick<WatcherContext, "db" | "log" | "metrics">,
  { client, network, memory }: Scanner,
): Promise<void> {
  const known = await findKnownWitnesses(context.db, network.name);
  if (known === undefined) return;
  try {
    const agreed = await askWitnesses(client.nodes);
    if (agreed.active === known.active) return;
    await pinWitnesses(context.db, { network: network.name, agreed });
    memory.keysReadMs = undefined;
    context.metrics.alarms.inc({ alarm: "active_witnesses_changed" });
    const { active, fingerprint } = agreed;
    context.log.warn(
      { active, before: known.active, fingerprint },
      "the chain has another number of active witnesses: they are pinned as all nodes name them",
    );
  } catch (error) {
    if (!(error instanceof WitnessesInDoubtError)) throw error;
    context.log.warn(
      { active: known.active, reason: error.message },
      "the nodes do not agree on how many witnesses are active; what is pinned stays",
    );
  }
}
