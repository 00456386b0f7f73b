import { setTimeout as sleep } from "node:timers/promises";
import type { NodeGroup } from "../chain/chain-reader.ts";
import type { Network } from "../chain/networks.ts";
import { NodeError } from "../chain/node-error.ts";

/** Where it is asked whether an address was ever used. */
export type HistorySource = { readonly client: NodeGroup; readonly network: Pick<Network, "usdtContract"> };

/** A hosted node answers some calls a second; each address takes one or two. */
const ASKED_AT_ONCE = 4;

/**
 * The first of these addresses that was ever used, as far as a node tells; undefined when none was. `unused` remembers
 * what was answered, so that a lookup that a rate limit cut short goes on where it was.
 *
 * @throws NodeError when no node answers.
 */
export async function findUsed(
  { client, network }: HistorySource,
  addresses: readonly string[],
  unused: Set<string> = new Set(),
): Promise<string | undefined> {
  const open = addresses.filter((address) => !unused.has(address));
  for (let start = 0; start < open.length; start += ASKED_AT_ONCE) {
    const some = open.slice(start, start + ASKED_AT_ONCE);
    const answers = await Promise.all(
      some.map((address) => client.ask((node) => node.hasHistory(address, network.usdtContract))),
    );
    const used = some.find((_, place) => answers[place]);
    if (used !== undefined) return used;
    for (const address of some) unused.add(address);
  }
  return undefined;
}

/** What is known of some addresses: whether a node has answered, and which of them was used. */
export type History = { readonly isKnown: boolean; readonly used: string | undefined };
/** Asks for the history of addresses, in the way of whoever it is for. */
export type AskHistory = (addresses: readonly string[]) => Promise<History>;

/** For who must know: the answer of a node, or its failure. What a failed call has learnt the next one need not ask. */
export function mustKnowHistory(chain: HistorySource): AskHistory {
  const unused = new Set<string>();
  return async (addresses) => {
    const used = await findUsed(chain, addresses, unused);
    unused.clear();
    return { isKnown: true, used };
  };
}

/** For who cannot wait: unknown where no node has answered within `waitMs`, or was verified yet. */
export function mayKnowHistory(currentChain: () => HistorySource | undefined, waitMs: number): AskHistory {
  const unknown: History = { isKnown: false, used: undefined };
  return async (addresses) => {
    const chain = currentChain();
    if (chain === undefined) return unknown;
    const timeout = sleep(waitMs, unknown, { ref: false });
    const answer = findUsed(chain, addresses).then(
      (used): History => ({ isKnown: true, used }),
      (error: unknown) => {
        if (error instanceof NodeError) return unknown;
        throw error;
      },
    );
    return Promise.race([answer, timeout]);
  };
}
