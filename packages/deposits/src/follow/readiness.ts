import type { ReadinessCheck } from "@daric/runtime/readiness-check";
import { countBlocksWithoutInternals, findCursor } from "../block-store.ts";
import type { WatcherContext } from "../context.ts";
import { findOverrides } from "../override-store.ts";
import { answersNeeded } from "../settings.ts";
import { findHalt } from "../verify/halt-store.ts";
import { ScanHaltedError } from "../verify/solid-contradiction.ts";

/** A public network has internal transactions in far fewer contract calls than this. */
const MANY_BLOCKS = 1_000;

type ReadinessContext = Pick<WatcherContext, "db" | "config">;

/** Reports the state of internal transactions, of the quorum and of overrides. The checks never fail. */
export function depositChecks(
  context: ReadinessContext,
  { shortOfQuorum, nodes }: { shortOfQuorum(): readonly string[]; nodes(): number },
): ReadinessCheck[] {
  const internals = {
    name: "internals",
    check: async () => ({
      ok: true,
      detail:
        (await internalsFault(context)) ??
        "the node that is read saves them, as far as is known; `quorum` names others that do not",
    }),
  };
  const accepted = {
    name: "accepted",
    check: async () => ({ ok: true, detail: await describeAccepted(context) }),
  };
  const quorum = {
    name: "quorum",
    check: async () => {
      const cursor = await findCursor(context.db, context.config.chain.network);
      const verified = cursor === undefined ? [] : [`blocks are verified up to ${cursor.solidNumber}`];
      const needed = answersNeeded(context.config.deposits, nodes());
      const text = needed === 1 ? "one node is enough" : `${needed} of ${nodes()} nodes must agree`;
      return { ok: true, detail: [text, ...verified, ...shortOfQuorum()].join("; ") };
    },
  };
  return [internals, accepted, quorum];
}

/** The reasons and operators of overrides are left out: only users of the database may see them. */
async function describeAccepted({ db, config }: ReadinessContext): Promise<string> {
  const accepted = await findOverrides(db, config.chain.network);
  const last = accepted.at(-1);
  if (last === undefined) return "every block was complete";
  const { blockNumber, until, checks, acceptedAt } = last;
  const blocks = until > blockNumber ? `blocks ${blockNumber} to ${until}` : `block ${blockNumber}`;
  return `an operator has accepted incomplete blocks, ${accepted.length} times; last ${blocks} (${checks.join(", ")}), ${acceptedAt.toISOString()}`;
}

export async function reportInternals(
  context: ReadinessContext & Pick<WatcherContext, "log">,
): Promise<void> {
  const fault = await internalsFault(context);
  if (fault !== undefined)
    context.log.warn(
      { event: "internal_transactions_missing", reason: fault },
      "TRX that contracts send is not visible",
    );
}

async function internalsFault({ db, config }: ReadinessContext): Promise<string | undefined> {
  const blocks = await countBlocksWithoutInternals(db, config.chain.network);
  if (blocks < MANY_BLOCKS) return undefined;
  return (
    `no internal transaction in the last ${blocks} blocks with contract calls: the node does not save them, and TRX sent by ` +
    "contracts is not seen (java-tron: vm.saveInternalTx = true)"
  );
}

export function haltCheck({ db, config }: ReadinessContext): ReadinessCheck {
  return {
    name: "halt",
    check: async () => {
      const halt = await findHalt(db, config.chain.network);
      if (halt === undefined) return { ok: true, detail: "reading is not halted" };
      if (halt.resumedAt !== null)
        return {
          ok: false,
          detail: "an operator resumed the scan; it continues with the watcher's next step",
        };
      return { ok: false, detail: new ScanHaltedError(halt).message };
    },
  };
}
