import { countDifferentNodes } from "@daric/chain/nodes/different-nodes";
import type { NetworkName } from "@daric/chain/nodes/networks";
import { choiceOf, durationMs, integer, setting } from "@daric/runtime/setting";

export const depositSettings = {
  pollMs: setting({
    env: "TRON_POLL_MS",
    read: integer(50, 60_000).optional(),
    default: "3000; 250 on devnet",
    roles: ["watcher"],
    meaning:
      "Milliseconds between polls of the head of the chain. 3000 fits the call budget of a hosted gateway.",
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
    read: integer(1, 100).optional(),
    default: "the majority of three and more nodes, 1 of one or two",
    roles: ["watcher", "settlement"],
    meaning:
      "How many of TRON_NODE_URLS must have a deposit's block and report the same about its transaction. Of three and more nodes it must be more than half.",
  }),
  unproven: setting({
    env: "TRON_UNPROVEN",
    read: choiceOf(["hold", "balance", "trust"]).prefault("balance"),
    default: "balance",
    roles: ["watcher"],
    meaning:
      "The proof of a transfer outside the block's root if TRON_QUORUM is 1: `hold` waits for a second node or an operator; `balance` checks whether the address still holds it; `trust` believes the node.",
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

type QuorumSettings = { readonly quorum: number | undefined; readonly nodeUrls: readonly string[] };

export function quorumOf({ quorum, nodeUrls }: QuorumSettings): number {
  return answersNeeded({ quorum }, countDifferentNodes(nodeUrls));
}

/** How many nodes must agree: the setting, else the majority of three or more nodes, and one of fewer. */
export function answersNeeded({ quorum }: Pick<QuorumSettings, "quorum">, nodes: number): number {
  return quorum ?? (nodes < 3 ? 1 : Math.floor(nodes / 2) + 1);
}

/** A quorum must not exceed the nodes, and must be large enough that two halves cannot disagree. */
export function faultOfQuorum(
  quorum: number | undefined,
  nodeUrls: readonly string[] | undefined,
): string | undefined {
  if (quorum === undefined || nodeUrls === undefined) return undefined;
  const { env } = depositSettings.quorum;
  const nodes = countDifferentNodes(nodeUrls);
  const min = answersNeeded({ quorum: undefined }, nodes);
  if (quorum > nodes)
    return `${env} is ${quorum}, but there are only ${nodes} different TRON_NODE_URLS: set it to ${min}, or name more nodes`;
  if (quorum >= min) return undefined;
  return `${env} is ${quorum}, but of ${nodes} nodes more than half must agree: set it to ${min}, or leave it out`;
}

/** Warns of an even number of nodes, and of a single one on a public network. Other networks use the operator's own node. */
export function warningOfNodeNumber(
  network: NetworkName | undefined,
  { quorum, nodeUrls }: Partial<QuorumSettings>,
): string | undefined {
  if (network === undefined || nodeUrls === undefined) return undefined;
  const nodes = countDifferentNodes(nodeUrls);
  const answers = answersNeeded({ quorum }, nodes);
  const isOwn = network === "devnet" || network === "private";
  if (nodes === 1)
    return isOwn
      ? undefined
      : "TRON_NODE_URLS names one node: a single dishonest node is not detected; name three of different operators";
  if (nodes % 2 !== 0) return undefined;
  const even = `TRON_NODE_URLS names ${nodes} nodes, an even number:`;
  return answers === 1
    ? `${even} one node decides, and a single dishonest node is not detected; name a third of another operator`
    : `${even} with ${nodes + 1}, ${answers} must agree as now, and one more may fail`;
}

/** Warns of a setting that has no effect with several nodes. */
export function warningOfUnproven({
  quorum,
  unproven,
  nodeUrls,
}: Partial<QuorumSettings> & { readonly unproven: string | undefined }): string | undefined {
  if (nodeUrls === undefined || unproven === undefined || unproven === "balance") return undefined;
  const answers = quorumOf({ quorum, nodeUrls });
  return answers === 1
    ? undefined
    : `${depositSettings.unproven.env} is ${unproven}, which decides nothing: ${answers} nodes must agree`;
}

/** The interval between polls of the head; a local chain may make blocks at any time. */
export function pollMsOf({
  chain,
  deposits,
}: {
  readonly chain: { readonly network: NetworkName };
  readonly deposits: { readonly pollMs: number | undefined };
}): number {
  return deposits.pollMs ?? (chain.network === "devnet" ? 250 : 3_000);
}
