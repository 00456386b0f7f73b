import type { TronNode } from "../../chain/nodes/chain-reader.ts";
import type { WatcherContext } from "../context.ts";
import type { NodeAnswer, StoredDeposit } from "./agree.ts";
import { checkBalances } from "./check-balances.ts";
import type { NumberedAnswer } from "./node-answers.ts";
import { noteMissed } from "./stored-internals.ts";
import type { Verifier } from "./verifier.ts";
import type { SolidBlock } from "./verify-store.ts";

type Dispute = {
  readonly block: SolidBlock;
  readonly stored: readonly StoredDeposit[];
  readonly answers: readonly NumberedAnswer[];
  readonly needed: number;
};

/**
 * Distinguishes nodes that deny a stored internal transfer from those that do not store internal transactions. Both show none of the
 * block. The state tells: the balance of a node that stores none holds the money, and that of a node that denies it lacks it.
 */
export async function addDenials(
  context: WatcherContext,
  verifier: Verifier,
  { block, stored, answers, needed }: Dispute,
): Promise<readonly NumberedAnswer[]> {
  const silent = answers.filter(({ storesInternals }) => !storesInternals);
  const note = ({ nodeIndex }: NumberedAnswer) =>
    noteMissed(verifier.verifying.answers, { nodeIndex, number: block.number });
  // One node may invent an internal transaction; several that must agree do not.
  if (answers.length - silent.length >= Math.max(needed, 2)) silent.forEach(note);
  const disputed = stored.filter(
    (deposit) => deposit.source === "internal" && countReports(deposit, answers) < needed,
  );
  if (disputed.length === 0) return answers;
  return Promise.all(
    answers.map(async (answer): Promise<NumberedAnswer> => {
      const node = verifier.client.nodes[answer.nodeIndex];
      if (answer.storesInternals || node === undefined) return answer;
      const client = { ...verifier.client, query: <T>(call: (asked: TronNode) => Promise<T>) => call(node) };
      const paid = (deposit: StoredDeposit) => ({ ...deposit, blockNumber: block.number });
      const verdictOf = await checkBalances(context, { ...verifier, client }, disputed.map(paid));
      const isHeld = (deposit: StoredDeposit) => verdictOf(paid(deposit))?.isHeld;
      if (disputed.some(isHeld)) note(answer);
      return {
        ...answer,
        lacking: new Set(disputed.flatMap((deposit) => (isHeld(deposit) === false ? deposit.id : []))),
      };
    }),
  );
}

function countReports({ id, amount }: StoredDeposit, answers: readonly NodeAnswer[]): number {
  return answers.filter(({ matches }) =>
    matches.observed.some((one) => one.id === id && one.amount === amount),
  ).length;
}
