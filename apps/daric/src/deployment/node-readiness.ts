import { NodeError } from "@daric/chain/blocks/node-error";
import type { BlockHeader } from "@daric/chain/blocks/parse-block";
import type { ReadinessCheck } from "@daric/runtime/readiness-check";
import type { Chain } from "./connect-network.ts";
import type { ReadinessContext } from "./context.ts";

/** Three blocks: little compared with the allowed lag. */
const CACHED_MS = 9_000;

/** The part of a head block that readiness needs. */
export type Head = Pick<BlockHeader, "number" | "timeMs">;
/** A head, with the monotonic time of its reading. */
type SeenHead = Head & { readonly seenMs: number };

/** The facts about its nodes that only the process itself has. */
export type NodeFacts = {
  /** the chain, once it is verified */
  chain(): Chain | undefined;
  /** the reason why there is none; undefined if unknown */
  chainFault?(): string | undefined;
  /** the head that the watcher read last; undefined without a watcher */
  seenHead?(): SeenHead | undefined;
};

/** The head block, at most this old; undefined before a node was verified; rejects if no node answers. */
export type FindHead = (maxAgeMs?: number) => Promise<Head | undefined>;
/** Nodes without solid blocks, and the consequence if no node has them. */
type FindFaults = () => Promise<readonly string[]>;

/** Finality is counted from the blocks themselves; only balances need a node's solid block. */
const NOWHERE_SOLID = "until then payments that only a balance proves, such as TRX from contracts, wait";

/**
 * Reuses a recent head, above all the watcher's: public readiness requests must not use up a hosted node's
 * budget.
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

/** A node found without solid blocks is checked again: the watcher needs them only while deposits wait. */
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

/** While another node answers, a recent failure is reported but does not fail readiness. */
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
      const failures = (facts.chain()?.failures?.recent() ?? []).filter(
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
