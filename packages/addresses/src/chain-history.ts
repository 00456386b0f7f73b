import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "@daric/chain/blocks/node-error";
import type { NodeGroup } from "@daric/chain/nodes/chain-reader";
import type { Network } from "@daric/chain/nodes/networks";
import type { Clock } from "@daric/runtime/clock";

export type HistorySource = { readonly client: NodeGroup; readonly network: Pick<Network, "tokens"> };

/** A hosted node answers a few calls per second; each address takes one or two. */
const CALLS_AT_ONCE = 4;

/** The limit for one node when several are compared. */
const ANSWER_WITHIN_MS = 1_500;
const ENOUGH_NODES = 2;
/** The only answering node is believed after this many answers over {@link CLAIM_MS}. */
const ENOUGH_ANSWERS = 3;
/** The only answering node must repeat its claim for this long, so that a single false answer skips no indexes. */
export const CLAIM_MS = 60_000;

/**
 * The first of these addresses that an answering node reports as used, if any. `unused` collects the others, so that
 * a search cut short by a rate limit resumes where it stopped.
 *
 * @throws NodeError if no node answers.
 */
export async function findUsed(
  source: HistorySource,
  addresses: readonly string[],
  unused: Set<string> = new Set(),
): Promise<string | undefined> {
  for await (const used of claimedOf(source, addresses, unused)) return used;
  return undefined;
}

async function* claimedOf(
  { client, network }: HistorySource,
  addresses: readonly string[],
  unused: Set<string>,
): AsyncGenerator<string> {
  const open = addresses.filter((address) => !unused.has(address));
  for (let start = 0; start < open.length; start += CALLS_AT_ONCE) {
    const some = open.slice(start, start + CALLS_AT_ONCE);
    const answers = await Promise.all(
      some.map((address) => client.query((node) => node.hasHistory(address, network.tokens))),
    );
    for (const [index, address] of some.entries()) {
      if (answers[index]) yield address;
      else unused.add(address);
    }
  }
}

export type History = {
  /** whether the nodes have decided every address */
  readonly isKnown: boolean;
  /** a used address: two nodes agree, or the only answering one has claimed it for a minute */
  readonly used: string | undefined;
  readonly uncertain: readonly string[];
};
export type FetchHistory = (addresses: readonly string[]) => Promise<History>;

/** `claimMs` is how long the only node must report an address as used; tests shorten it. */
type Patience = { readonly clock: Pick<Clock, "monotonicMs">; readonly claimMs: number };

/**
 * Repeats the query until no address is uncertain, or until `signal` aborts it. Answers are kept across failed calls.
 *
 * @throws NodeError if no node answers.
 */
export function mustKnowHistory(
  chain: HistorySource,
  { signal, ...patience }: Patience & { readonly signal: AbortSignal },
): FetchHistory {
  const inquire = createInquiry(patience);
  return async (addresses) => {
    for (;;) {
      const history = await inquire(chain, addresses);
      if (history.isKnown) return history;
      await sleep(patience.claimMs / (ENOUGH_ANSWERS - 1), undefined, { signal, ref: false });
    }
  };
}

/** Returns unknown if the nodes do not answer within `waitMs`, or if none is verified yet. */
export function mayKnowHistory(
  currentChain: () => HistorySource | undefined,
  { waitMs, ...patience }: Patience & { readonly waitMs: number },
): FetchHistory {
  const unknown: History = { isKnown: false, used: undefined, uncertain: [] };
  const inquire = createInquiry(patience);
  return async (addresses) => {
    const chain = currentChain();
    if (chain === undefined) return unknown;
    const timeout = sleep(waitMs, unknown, { ref: false });
    const answer = inquire(chain, addresses).catch((error: unknown) => {
      if (error instanceof NodeError) return unknown;
      throw error;
    });
    return Promise.race([answer, timeout]);
  };
}

type Claim = { readonly sinceMs: number; readonly answers: number };

/** A query that keeps the nodes' answers across calls until no address is uncertain. */
function createInquiry({
  clock,
  claimMs,
}: Patience): (chain: HistorySource, addresses: readonly string[]) => Promise<History> {
  const unused = new Set<string>();
  const claims = new Map<string, Claim>();

  /** Whether an address that one node reports as used is used; undefined while that is uncertain. */
  async function historyOf(chain: HistorySource, address: string): Promise<boolean | undefined> {
    const { used, unused: denials } = await countAnswers(chain, address);
    if (used >= ENOUGH_NODES) return true;
    if (denials > 0) return false;
    const nowMs = clock.monotonicMs();
    const { sinceMs, answers } = claims.get(address) ?? { sinceMs: nowMs, answers: 0 };
    claims.set(address, { sinceMs, answers: answers + used });
    return answers + used >= ENOUGH_ANSWERS && nowMs - sinceMs >= claimMs ? true : undefined;
  }

  return async (chain, addresses) => {
    const uncertain: string[] = [];
    for await (const address of claimedOf(chain, addresses, unused)) {
      const isUsed = await historyOf(chain, address);
      if (isUsed !== undefined) claims.delete(address);
      if (isUsed === true) return { isKnown: true, used: address, uncertain: [] };
      if (isUsed === false) unused.add(address);
      else uncertain.push(address);
    }
    const isKnown = uncertain.length === 0;
    if (isKnown) unused.clear();
    return { isKnown, used: undefined, uncertain };
  };
}

async function countAnswers(
  { client, network }: HistorySource,
  address: string,
): Promise<{ used: number; unused: number }> {
  const pending = client.nodes.map((node) => {
    const answer = node.hasHistory(address, network.tokens).catch((error: unknown) => {
      if (error instanceof NodeError) return undefined;
      throw error;
    });
    return Promise.race([answer, sleep(ANSWER_WITHIN_MS, undefined, { ref: false })]);
  });
  const answers = await Promise.all(pending);
  const count = (answered: boolean) => answers.filter((answer) => answer === answered).length;
  return { used: count(true), unused: count(false) };
}
