import type { NetworkName } from "../chain/networks.ts";
import { durationMs, integer, setting } from "../runtime/setting.ts";

/** How the chain is followed, and when a deposit counts. */
export const depositSettings = {
  pollMs: setting({
    env: "TRON_POLL_MS",
    read: integer(50, 60_000).optional(),
    default: "3000; 250 on devnet",
    roles: ["watcher"],
    meaning:
      "Milliseconds between looks at the head of the chain. 3000 fits the call budget of a hosted gateway.",
  }),
  startBlock: setting({
    env: "SCAN_START_BLOCK",
    read: integer(1, 2 ** 40).optional(),
    default: "the solid block, or an hour before the first charge",
    roles: ["watcher"],
    meaning: "The first block to read when the database is new. Ignored once a cursor exists.",
  }),
  requiredConfirmations: setting({
    env: "REQUIRED_CONFIRMATIONS",
    read: integer(19, 1_000).prefault("19"),
    default: "19",
    roles: ["api", "watcher"],
    meaning: "Confirmations a deposit needs beside being solid. Cannot be lowered below what solidity takes.",
  }),
  stuckAfterMs: setting({
    env: "STUCK_AFTER",
    read: durationMs.prefault("10m"),
    default: "10m",
    roles: ["watcher"],
    meaning: "A deposit that is not final this long after its block, though nodes answer, is STUCK.",
  }),
  quorum: setting({
    env: "TRON_QUORUM",
    read: integer(2, 100).optional(),
    default: "none",
    roles: ["watcher"],
    meaning:
      "A deposit is confirmed only where so many of TRON_NODE_URLS name its block and show it. Unset, one node is enough.",
  }),
  droppedAfterMs: setting({
    env: "DROPPED_AFTER",
    read: durationMs.prefault("24h"),
    default: "24h",
    roles: ["watcher"],
    meaning:
      "An orphaned transaction counts as dropped when solid time is this far past its block, whatever expiration it names.",
  }),
};

/** What is wrong with a quorum of these nodes. The same URL twice is one node. */
export function faultOfQuorum(
  quorum: number | undefined,
  nodeUrls: readonly string[] | undefined,
): string | undefined {
  const nodes = new Set(nodeUrls).size;
  if (quorum === undefined || nodeUrls === undefined || quorum <= nodes) return undefined;
  return `${depositSettings.quorum.env} is ${quorum}, but there are only ${nodes} different TRON_NODE_URLS`;
}

/** How long to wait between looks at the head of a chain: a local one is looked at as often as it may make blocks. */
export function pollMsOf({
  chain,
  deposits,
}: {
  readonly chain: { readonly network: NetworkName };
  readonly deposits: { readonly pollMs: number | undefined };
}): number {
  return deposits.pollMs ?? (chain.network === "devnet" ? 250 : 3_000);
}
