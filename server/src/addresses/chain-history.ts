import { setTimeout as sleep } from "node:timers/promises";
import { NodeError } from "../chain/blocks/node-error.ts";
import type { NodeGroup } from "../chain/nodes/chain-reader.ts";
import type { Network } from "../chain/nodes/networks.ts";
import type { Clock } from "../runtime/clock.ts";

/** Where it is asked whether an address was ever used. */
export type HistorySource = { readonly client: NodeGroup; readonly network: Pick<Network, "usdtContract"> };

/** A hosted node answers some calls a second; each address takes one or two. */
const CALLS_AT_ONCE = 4;

/** A node that is slower than this does not answer, where others are asked about what one has said. */
const ANSWER_WITHIN_MS = 1_500;
/** So many nodes that call an address used are believed at once. */
const ENOUGH_NODES = 2;
/** The only node that answers is believed after so many answers over {@link CLAIM_MS}. */
const ENOUGH_ANSWERS = 3;
/** One false answer of a node, or a false minute of it, uses up no indexes. */
export const CLAIM_MS = 60_000;

/**
 * The first of these addresses that was ever used, as far as a node tells; undefined when none was. `unused` remembers
 * what was answered, so that a lookup that a rate limit cut short goes on where it was.
 *
 * @throws NodeError when no node answers.
 */
export async function findUsed(
  source: HistorySource,
  addresses: readonly string[],
  unused: Set<string> = new Set(),
): Promise<string | undefined> {
  for await (const used of claimedOf(source, addresses, unused)) return used;
  return undefined;
}

/** Those of these addresses that the node that answers calls used. */
async function* claimedOf(
  { client, network }: HistorySource,
  addresses: readonly string[],
  unused: Set<string>,
): AsyncGenerator<string> {
  const open = addresses.filter((address) => !unused.has(address));
  for (let start = 0; start < open.length; start += CALLS_AT_ONCE) {
    const some = open.slice(start, start + CALLS_AT_ONCE);
    const answers = await Promise.all(
      some.map((address) => client.query((node) => node.hasHistory(address, network.usdtContract))),
    );
    for (const [index, address] of some.entries()) {
      if (answers[index]) yield address;
      else unused.add(address);
    }
  }
}

/** What is known of some addresses. */
export type History = {
  /** whether the nodes have said of each whether it was used */
  readonly isKnown: boolean;
  /** one that was, as two nodes say, or the only one that answers for a minute */
  readonly used: string | undefined;
  /** those that one node calls used, of which nothing is certain yet */
  readonly uncertain: readonly string[];
};
/** Asks for the history of addresses, in the way of whoever it is for. */
export type FetchHistory = (addresses: readonly string[]) => Promise<History>;

/** How long the only node must call an address used. A test has no minute. */
type Patience = { readonly clock: Pick<Clock, "monotonicMs">; readonly claimMs: number };

/**
 * For who must know: asks until nothing is in doubt. What a failed call has learnt the next one need not ask. A `signal`
 * ends the waiting.
 *
 * @throws NodeError when no node answers.
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

/** For who cannot wait: unknown where the nodes have not answered within `waitMs`, or none was verified yet. */
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

/** Since when, and how often, the only node that answers has called an address used. */
type Claim = { readonly sinceMs: number; readonly answers: number };

/** Remembers from call to call what nodes have answered, until nothing is in doubt. */
function createInquiry({
  clock,
  claimMs,
}: Patience): (chain: HistorySource, addresses: readonly string[]) => Promise<History> {
  const unused = new Set<string>();
  const claims = new Map<string, Claim>();

  /** Whether an address was used that a node calls so; undefined where that is not certain yet. */
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

/** How many nodes call an address used, and how many unused. */
async function countAnswers(
  { client, network }: HistorySource,
  address: string,
): Promise<{ used: number; unused: number }> {
  const pending = client.nodes.map((node) => {
    const answer = node.hasHistory(address, network.usdtContract).catch((error: unknown) => {
      if (error instanceof NodeError) return undefined;
      throw error;
    });
    return Promise.race([answer, sleep(ANSWER_WITHIN_MS, undefined, { ref: false })]);
  });
  const answers = await Promise.all(pending);
  const count = (answered: boolean) => answers.filter((answer) => answer === answered).length;
  return { used: count(true), unused: count(false) };
}
