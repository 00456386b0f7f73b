import { NodeError } from "../chain/node-error.ts";
import { WitnessesInDoubtError } from "../witnesses/ask-witnesses.ts";
import { findKnownKeys } from "../witnesses/find-known-witnesses.ts";
import { pinFirst } from "../witnesses/pin-witnesses.ts";
import { askBeside } from "./ask-in-time.ts";
import type { WatcherContext } from "./context.ts";
import { followActive } from "./follow-active.ts";
import type { Scanner } from "./scanner.ts";

/** So often it is looked at what another process has learned meanwhile, or an operator has pinned. */
const READ_AGAIN_MS = 10_000;
/** Nodes may name different witnesses at the moment at which the network changes them. */
const ASK_AGAIN_MS = 10_000;

/**
 * Pins who may sign where nothing is pinned yet, and lets the client know it. Nodes that do not say, or take their time for
 * each of 28 calls, keep nothing from being read: payments are seen, and none is confirmed; they are asked again.
 */
export async function pinAtStart(
  context: Pick<WatcherContext, "db" | "log" | "clock" | "metrics">,
  scanner: Scanner,
): Promise<void> {
  await pinOnce(context, scanner);
  await followActive(context, scanner);
  const { client, network, memory } = scanner;
  const now = context.clock.monotonicMs();
  if (memory.keysReadMs !== undefined && now - memory.keysReadMs < READ_AGAIN_MS) return;
  const keys = await findKnownKeys(context.db, network.name);
  if (keys.size === 0) return;
  client.knowKeys(keys);
  memory.keysReadMs = now;
}

async function pinOnce(
  context: Pick<WatcherContext, "db" | "log" | "clock">,
  scanner: Scanner,
): Promise<void> {
  const { memory } = scanner;
  const now = context.clock.monotonicMs();
  const isAskedLately = memory.pinAskedMs !== undefined && now - memory.pinAskedMs < ASK_AGAIN_MS;
  if (memory.isPinned === true || isAskedLately) return;
  const note = (askedMs: number) => {
    memory.pinAskedMs = askedMs;
  };
  await askBeside(context, note, () => pin(context, scanner));
}

async function pin(
  context: Pick<WatcherContext, "db" | "log">,
  { client, network, memory }: Scanner,
): Promise<void> {
  try {
    await pinFirst(context, { nodes: client.nodes, network: network.name });
    memory.isPinned = true;
  } catch (error) {
    if (!(error instanceof WitnessesInDoubtError) && !(error instanceof NodeError)) throw error;
    context.log.error(
      { reason: error.message },
      "it is not known who may sign blocks, so nothing is confirmed; the nodes are asked again, and `daric witnesses pin` shows what they say",
    );
  }
}
