import type { TronClient, TronNode } from "@daric/chain/nodes/chain-reader";
import { queryQuorum } from "@daric/chain/nodes/query-quorum";
import type { ChainView, PlanningContext, SolidReach, VerifiedTip } from "./context.ts";

type Asked = { readonly client: Pick<TronClient, "nodes">; readonly verified: VerifiedTip };

/** The number of nodes that must answer. */
export function quorumFor(
  { config }: Pick<PlanningContext, "config">,
  { client }: Pick<Asked, "client">,
): number {
  const nodes = client.nodes.length;
  return config.deposits.quorum ?? (nodes < 3 ? 1 : Math.floor(nodes / 2) + 1);
}

/** The reach of one pass or command. The nodes are queried once, at the first call. */
export function solidReach(
  context: Pick<PlanningContext, "config">,
  asked: Asked,
): () => Promise<SolidReach> {
  let found: Promise<SolidReach> | undefined;
  return () => {
    found ??= findSolidReach(asked, quorumFor(context, asked));
    return found;
  };
}

/** @throws NodeError if fewer nodes than needed answer. */
async function findSolidReach({ client, verified }: Asked, needed: number): Promise<SolidReach> {
  const answers = await queryQuorum(client, needed, async (node) => ({
    node,
    solid: (await node.getSolidBlock()).number,
  }));
  const agreed = answers.map(({ solid }) => solid).toSorted((a, b) => b - a)[needed - 1] ?? 0;
  const height = Math.min(verified.number, agreed);
  return {
    height,
    nodes: answers.filter(({ solid }) => solid >= height).map(({ node }) => node),
    behind: answers.flatMap(({ node: { label }, solid }) =>
      solid < verified.number ? [{ node: label, solid }] : [],
    ),
  };
}

/** The answers of the nodes at the height of a reach. */
export type SettledAnswers<T> = {
  readonly all: readonly [T, ...T[]];
  /** the largest amount that enough nodes have, or more */
  least(of: (answer: T) => bigint): bigint;
  /** the smallest amount that is enough by enough nodes */
  most(of: (answer: T) => bigint): bigint;
  /** whether enough nodes say so */
  agree(of: (answer: T) => boolean): boolean;
};

/**
 * Queries the nodes at the height of the reach. Enough of them are as many as must agree, and more than half of those
 * that answer. So one of three that lies or stands still changes no result, and of two both count.
 *
 * @throws NodeError if fewer answer than are needed.
 */
export async function querySettled<T>(
  context: Pick<PlanningContext, "config">,
  settling: Pick<ChainView, "client"> & { reach(): Promise<Pick<SolidReach, "nodes">> },
  question: (node: TronNode) => Promise<T>,
): Promise<SettledAnswers<T>> {
  const needed = quorumFor(context, settling);
  const all = await queryQuorum(await settling.reach(), needed, question);
  const enough = Math.max(needed, Math.floor(all.length / 2) + 1);
  const sorted = (of: (answer: T) => bigint) => all.map(of).toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  return {
    all,
    least: (of) => sorted(of).at(-enough) as bigint,
    most: (of) => sorted(of)[enough - 1] as bigint,
    agree: (of) => all.filter(of).length >= enough,
  };
}
