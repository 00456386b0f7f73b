import { NodeError } from "../chain/blocks/node-error.ts";
import type { BlockHeader } from "../chain/blocks/parse-block.ts";
import type { ReadinessCheck } from "../runtime/readiness-check.ts";
import type { Chain } from "./connect-network.ts";
import type { ReadinessContext } from "./context.ts";

/** Three blocks: little beside the lag that is allowed. */
const CACHED_MS = 9_000;

/** As much of a head block as readiness is judged by. */
export type Head = Pick<BlockHeader, "number" | "timeMs">;
/** A head, and when it was seen by the monotonic clock. */
type SeenHead = Head & { readonly seenMs: number };

/** What only the process itself knows of its nodes. */
export type NodeFacts = {
  /** the chain, once it is verified */
  chain(): Chain | undefined;
  /** why there is none yet, in words; undefined where that is not known */
  chainFault?(): string | undefined;
  /** the head that the watcher saw last; undefined without a watcher */
  seenHead?(): SeenHead | undefined;
};

/** The head block, this old at most; undefined before a node was verified; it rejects when no node answers. */
export type FindHead = (maxAgeMs?: number) => Promise<Head | undefined>;
/** What is wrong with where nodes are asked for solid blocks, and what that means where none of them serves any. */
type FindFaults = () => Promise<readonly string[]>;

/** What is final is counted from the blocks themselves; only a balance is believed as of a solid block alone. */
const NOWHERE_SOLID = "until then payments that only a balance proves, such as TRX from contracts, wait";

/**
 * A head that is new enough is not asked for again, least of all where the watcher asks anyway: whoever asks for readiness
 * must not spend a hosted node's budget.
 */
export function cacheHead({ clock }: ReadinessContext, { chain, seenHead }: NodeFacts): FindHead {
  let cached: SeenHead | undefined;
  return async (maxAgeMs = CACHED_MS) => {
    const isNew = (head: SeenHead | undefined) =>
      head !== undefined && clock.monotonicMs() - head.seenMs < maxAgeMs;
    const known = [cached, seenHead?.()]
      .filter(isNew)
      .toSorted((a, b) => (b?.seenMs ?? 0) - (a?.seenMs ?? 0));
    if (known[0] !== undefined) return known[0];
    const head = await chain()?.client.getHeadBlock();
    cached = head && { number: head.number, timeMs: head.timeMs, seenMs: clock.monotonicMs() };
    return cached;
  };
}

/** A node that was found without solid blocks is asked again: the watcher asks for them only while deposits wait. */
function cacheSolidityFaults({ clock }: ReadinessContext, currentChain: () => Chain | undefined): FindFaults {
  let queriedMs = clock.monotonicMs();
  return async () => {
    const nodes = currentChain()?.client.nodes ?? [];
    const faulty = nodes.filter((node) => node.solidityFault !== undefined);
    if (faulty.length > 0 && clock.monotonicMs() - queriedMs >= CACHED_MS) {
      queriedMs = clock.monotonicMs();
      await Promise.allSettled(faulty.map((node) => node.getSolidBlock()));
    }
    const faults = faulty.flatMap((node) => node.solidityFault ?? []);
    return faults.length > 0 && faults.length === nodes.length ? [...faults, NOWHERE_SOLID] : faults;
  };
}

/** Where another node answers, what one failed lately is said and no reason not to serve. */
export function nodeCheck(context: ReadinessContext, findHead: FindHead, facts: NodeFacts): ReadinessCheck {
  const { network } = context.config.chain;
  const findFaults = cacheSolidityFaults(context, facts.chain);
  return {
    name: "node",
    check: async () => {
      const found = await findHead().catch((error: unknown) => ({ error }));
      if (found === undefined) {
        return { ok: false, detail: because(`no node of ${network} was verified yet`, facts.chainFault?.()) };
      }
      if ("error" in found) {
        const message = found.error instanceof NodeError ? found.error.safeMessage : undefined;
        return { ok: false, detail: because(`no node of ${network} answers`, message) };
      }
      const faults = await findFaults();
      const failures = (facts.chain()?.recentFailures?.() ?? []).filter(
        (message) => !faults.includes(message),
      );
      const lately = failures.length === 0 ? [] : [`failed within the last minute: ${failures.join(", ")}`];
      return { ok: true, detail: [`head block ${found.number}`, ...faults, ...lately].join("; ") };
    },
  };
}

function because(what: string, why: string | undefined): string {
  return why === undefined ? what : `${what}: ${why}`;
}
