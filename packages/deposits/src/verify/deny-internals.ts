import type { TronNode } from "@daric/chain/nodes/chain-reader";
import type { WatcherContext } from "../context.ts";
import type { NodeAnswer, StoredDeposit } from "./agree.ts";
import type { AnswerCache, NumberedAnswer } from "./answer-cache.ts";
import { checkBalances } from "./check-balances.ts";
import { recordMissed } from "./stored-internals.ts";
import type { Reader } from "./verifier.ts";
import type { SolidBlock } from "./verify-store.ts";

type Dispute = {
  readonly block: SolidBlock;
  readonly stored: readonly StoredDeposit[];
  readonly answers: readonly NumberedAnswer[];
  readonly needed: number;
  readonly cache: AnswerCache;
};

/** `isComplete`: whether the balance of each node in doubt was compared. */
type Denials = { readonly answers: readonly NumberedAnswer[]; readonly isComplete: boolean };

/**
 * Distinguishes nodes that deny a stored internal transfer from those that do not store internal transactions. Both show none of the
 * block. The state tells: the balance of a node that stores none holds the money, and that of a node that denies it lacks it. `cache`
 * learns which nodes store none.
 */
export async function addDenials(
  context: Pick<WatcherContext, "db">,
  reader: Reader,
  { block, stored, answers, needed, cache }: Dispute,
): Promise<Denials> {
  const silent = answers.filter(({ storesInternals }) => !storesInternals);
  const recordSilent = ({ nodeIndex }: NumberedAnswer) =>
    recordMissed(cache, { nodeIndex, number: block.number });
  // One node may invent an internal transaction; several that must agree do not.
  if (answers.length - silent.length >= Math.max(needed, 2)) silent.forEach(recordSilent);
  const disputed = stored.filter(
    (deposit) => deposit.source === "internal" && countReports(deposit, answers) < needed,
  );
  if (disputed.length === 0) return { answers, isComplete: true };
  const checked = await Promise.all(
    answers.map(async (answer): Promise<{ answer: NumberedAnswer; isComplete: boolean }> => {
      const node = reader.client.nodes[answer.nodeIndex];
      if (answer.storesInternals || node === undefined) return { answer, isComplete: true };
      const client = { ...reader.client, query: <T>(call: (asked: TronNode) => Promise<T>) => call(node) };
      const paid = (deposit: StoredDeposit) => ({ ...deposit, blockNumber: block.number });
      const { verdictOf, isComplete } = await checkBalances(
        context,
        { ...reader, client },
        disputed.map(paid),
      );
      const isHeld = (deposit: StoredDeposit) => verdictOf(paid(deposit))?.isHeld;
      if (disputed.some(isHeld)) recordSilent(answer);
      const lacking = disputed.flatMap((deposit) => (isHeld(deposit) === false ? deposit.id : []));
      return { answer: { ...answer, lacking: new Set(lacking) }, isComplete };
    }),
  );
  return {
    answers: checked.map(({ answer }) => answer),
    isComplete: checked.every(({ isComplete }) => isComplete),
  };
}

function countReports({ id, amount }: StoredDeposit, answers: readonly NodeAnswer[]): number {
  return answers.filter(({ matches }) =>
    matches.observed.some((deposit) => deposit.id === id && deposit.amount === amount),
  ).length;
}
