import type { Acceptances } from "../chain/acceptances.ts";
import type { TronNode } from "../chain/chain-reader.ts";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { NodeError } from "../chain/node-error.ts";

/** A node that answers too slowly, or asked to be left alone, is not asked again for so long where it named no time. */
const REST_MS = 30_000;

/** What one node says of a block: all of it, or why it does not. */
export type Telling = { readonly node: string } & (
  | { readonly block: CompleteBlock; readonly failure?: never }
  | { readonly block?: never; readonly failure: NodeError }
);

/** Which block is asked for, and what is accepted as it is told; `latestMs` as in {@link TronNode.fetchCompleteBlock}. */
type BlockQuestion = {
  readonly number: number;
  readonly latestMs: number | undefined;
  readonly acceptances: Acceptances;
};

/** What each of these nodes says of a block, side by side and in their order; none is left out. */
export type AskEveryNode = (
  nodes: readonly TronNode[],
  question: BlockQuestion,
) => Promise<readonly Telling[]>;

/**
 * Asks every node for blocks, whatever the others say: what no root covers one of them may hide. One that takes its time to
 * fail rests, and is said to fail meanwhile as it did.
 */
export function createAskEveryNode(clock: { monotonicMs(): number }): AskEveryNode {
  const resting = new Map<TronNode, { untilMs: number; failure: NodeError }>();

  async function ask(node: TronNode, { number, latestMs, acceptances }: BlockQuestion) {
    const rest = resting.get(node);
    if (rest !== undefined && rest.untilMs > clock.monotonicMs()) return { failure: rest.failure };
    try {
      const asking = node.fetchCompleteBlock(number, undefined, latestMs);
      return { block: await asking.catch(acceptances.take) };
    } catch (failure) {
      if (!(failure instanceof NodeError)) throw failure;
      const restMs = failure.retryAfterMs ?? REST_MS;
      if (isSlow(failure)) resting.set(node, { untilMs: clock.monotonicMs() + restMs, failure });
      return { failure };
    }
  }

  return async (nodes, question) => {
    const answers = await Promise.all(nodes.map((node) => ask(node, question)));
    const names = namesOf(nodes);
    return answers.map((answer, place) => ({ node: names[place] ?? "", ...answer }));
  };
}

function isSlow({ fault }: NodeError): boolean {
  return fault === "timeout" || fault === "rate_limited";
}

/** Two nodes of one host have one label. */
function namesOf(nodes: readonly TronNode[]): string[] {
  const labels = nodes.map(({ label }) => label);
  return labels.map((label, place) =>
    labels.indexOf(label) === place ? label : `${label} (${place + 1}. of TRON_NODE_URLS)`,
  );
}
