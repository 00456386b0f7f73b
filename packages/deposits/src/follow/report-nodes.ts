import type { Cursor } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import type { Scanner } from "./scanner.ts";

/** More forks than an honest chain has between two solid blocks; another node leads then. */
const MAX_FORKS_OF_LEADER = 3;

/** Nodes behind one gateway may be blocks apart; a shorter lag is not logged. */
const LAG_PATIENCE_MS = 30_000;

/** Demotes a node that invents new blocks: each honest block then makes a fork, although no single answer is wrong. */
export function reportFork(
  context: WatcherContext,
  { client, following: { forks } }: Scanner,
  { solidNumber }: Cursor,
): void {
  forks.count = forks.solidNumber === solidNumber ? forks.count + 1 : 1;
  forks.solidNumber = solidNumber;
  if (forks.count % MAX_FORKS_OF_LEADER !== 0) return;
  client.demoteLead();
  context.log.warn(
    { event: "forks_repeated", forks: forks.count, solid: solidNumber },
    "the chain forks again and again; another node is used first for a while",
  );
}

/** Logs a lasting lag once, because the nodes of one gateway take turns in lagging. */
export function reportLag(
  { clock, log }: WatcherContext,
  { following: { lag } }: Scanner,
  { isBehind, heights }: { isBehind: boolean; heights: { head: number; scanned: number } },
): void {
  if (!isBehind) {
    lag.sinceMs = undefined;
    lag.isLogged = false;
    return;
  }
  lag.sinceMs ??= clock.monotonicMs();
  if (lag.isLogged || clock.monotonicMs() - lag.sinceMs < LAG_PATIENCE_MS) return;
  lag.isLogged = true;
  log.warn(
    { event: "nodes_lagging", ...heights },
    "the nodes do not show the block after the last scanned one; nothing is read until they do",
  );
}
