import type { Fork } from "@daric/deposits/block-store";
import type { TimedRescan } from "@daric/deposits/rescan/rescan-store";
import type { PastHalt } from "@daric/deposits/verify/halt-store";
import { timestamp } from "@daric/http/validate";
import { z } from "zod";
import { runbookLink } from "../../../alerts/message.ts";
import type { AlertOccurrence } from "../../../alerts/occurrence-store.ts";

const blockId = z.string().meta({ pattern: "^[0-9a-f]{64}$" });

export const alertRow = z.object({
  id: z.string().meta({ pattern: "^[1-9][0-9]*$" }),
  alert: z.string(),
  severity: z.enum(["critical", "warning"]),
  state: z.enum(["pending", "open", "over"]).meta({
    description: "`pending`: its condition holds, and not yet for as long as the alert needs.",
  }),
  summary: z.string(),
  runbook: z.string().meta({ description: "The path of what to do, in the documentation of this service." }),
  since: timestamp,
  ended_at: timestamp.nullable(),
});

export function toAlertRow(occurrence: AlertOccurrence): z.input<typeof alertRow> {
  const { startedAt, pendingSince, endedAt } = occurrence;
  const labels = JSON.parse(occurrence.labels) as Record<string, string>;
  return {
    id: String(occurrence.id),
    alert: occurrence.alert,
    severity: occurrence.severity,
    state: endedAt !== null ? "over" : startedAt === null ? "pending" : "open",
    summary: occurrence.summary,
    runbook: runbookLink(occurrence.runbook, labels, ""),
    since: (startedAt ?? pendingSince).toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}

export const chainAnswer = z.object({
  forks: z.array(
    z.object({ at: timestamp, from_block: z.int(), to_block: z.int(), blocks: z.int() }).meta({
      description: "Blocks that left our chain together.",
    }),
  ),
  halts: z.array(
    z.object({
      halted_at: timestamp,
      block: z.int(),
      our_block: blockId,
      their_block: blockId,
      nodes: z.string().meta({ description: "The answer of each node." }),
      resumed_at: timestamp.nullable(),
      ended_at: timestamp.nullable(),
      went_on_from: z.int().nullable(),
    }),
  ),
  rescans: z.array(
    z.object({
      id: z.int(),
      from_block: z.int(),
      to_block: z.int(),
      status: z.enum(["WAITING", "RUNNING", "DONE", "REFUSED"]),
      blocks_read: z.int(),
      blocks_added: z.int(),
      deposits_added: z.int(),
      blocks_differing: z.int(),
      differing: z
        .array(z.string())
        .meta({ description: "How the nodes differ from our first blocks of these." }),
      nodes: z.array(
        z.object({
          node: z.string(),
          blocks_shown: z.int(),
          blocks_not_shown: z.int(),
          reason: z.string().nullable(),
        }),
      ),
      note: z.string().nullable().meta({ description: "Why it waits or was refused." }),
      created_at: timestamp,
      finished_at: timestamp.nullable(),
    }),
  ),
});

type Chain = {
  readonly forks: readonly Fork[];
  readonly halts: readonly PastHalt[];
  readonly rescans: readonly TimedRescan[];
};

export function toChainAnswer({ forks, halts, rescans }: Chain): z.input<typeof chainAnswer> {
  return {
    forks: forks.map(({ at, from, to, blocks }) => ({
      at: at.toISOString(),
      from_block: from,
      to_block: to,
      blocks,
    })),
    halts: halts.map((halt) => ({
      halted_at: halt.haltedAt.toISOString(),
      block: halt.number,
      our_block: halt.ourId,
      their_block: halt.theirId,
      nodes: halt.nodes,
      resumed_at: halt.resumedAt?.toISOString() ?? null,
      ended_at: halt.endedAt?.toISOString() ?? null,
      went_on_from: halt.ancestor,
    })),
    rescans: rescans.map(toRescanRow),
  };
}

function toRescanRow(rescan: TimedRescan): z.input<typeof chainAnswer>["rescans"][number] {
  return {
    id: rescan.id,
    from_block: rescan.from,
    to_block: rescan.to,
    status: rescan.status,
    blocks_read: rescan.blocksRead,
    blocks_added: rescan.blocksAdded,
    deposits_added: rescan.depositsAdded,
    blocks_differing: rescan.blocksDiffering,
    differing: [...rescan.differing],
    nodes: rescan.nodes.map(({ node, shown, notShown, reason }) => ({
      node,
      blocks_shown: shown,
      blocks_not_shown: notShown,
      reason,
    })),
    note: rescan.note,
    created_at: rescan.createdAt.toISOString(),
    finished_at: rescan.finishedAt?.toISOString() ?? null,
  };
}
