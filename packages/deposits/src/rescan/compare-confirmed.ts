import { formatAmount } from "@daric/domain/money";
import type { WatcherContext } from "../context.ts";
import type { NumberedAnswer } from "../verify/answer-cache.ts";
import { findConfirmedInBlock } from "../verify/confirmed-store.ts";
import type { Reader } from "../verify/verifier.ts";

/**
 * Describes how nodes differ from the CONFIRMED deposits of a block, which stay as they are. A missing internal transfer is no
 * difference, because a node may not save them.
 */
export async function compareConfirmed(
  { db }: Pick<WatcherContext, "db">,
  { network }: Pick<Reader, "network">,
  { blockId, answers }: { readonly blockId: string; readonly answers: readonly NumberedAnswer[] },
): Promise<string[]> {
  const observed = answers.flatMap(({ matches }) => matches.observed);
  const scope = { network: network.name, blockId };
  const confirmed = await findConfirmedInBlock(db, { ...scope, observed });
  return confirmed.flatMap(({ id, txId, source, eventIndex, address, currency, amount }) =>
    answers.flatMap(({ node, matches }) => {
      const theirs = matches.observed.find(
        (deposit) => deposit.txId === txId && deposit.source === source && deposit.eventIndex === eventIndex,
      );
      if (theirs === undefined && source === "internal") return [];
      if (theirs?.address === address && theirs.currency === currency && theirs.amount === amount) return [];
      const text =
        theirs === undefined
          ? "nothing"
          : `${formatAmount(theirs.amount)} ${theirs.currency} to ${theirs.address}`;
      return [
        `${source} ${eventIndex} of ${txId} is CONFIRMED as ${formatAmount(amount)} ${currency} to ${address} in our database (deposit ${id}), and is ${text} at ${node}. Ours stays`,
      ];
    }),
  );
}
