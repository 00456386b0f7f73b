import { setTimeout as sleep } from "node:timers/promises";
import type { AddressOwner } from "@daric/addresses/issued-address";
import { NodeError } from "@daric/chain/blocks/node-error";
import type { NodeTransaction } from "@daric/chain/blocks/node-transaction";
import type { TronNode } from "@daric/chain/nodes/chain-reader";
import type { Network, NetworkName } from "@daric/chain/nodes/networks";
import type { Queryable } from "@daric/postgres/sql";
import type { ContextOf } from "@daric/runtime/context";
import { findReadHeight } from "./arrival-store.ts";
import { type CallOwner, createCallBudget } from "./call-budget.ts";
import { type NodeReport, readReport } from "./node-report.ts";

/** The part of a verified chain that a look-up needs. */
export type LookupChain = {
  readonly client: { readonly nodes: readonly Pick<TronNode, "findRun" | "label">[] };
  readonly network: Pick<Network, "tokens">;
};

/** Where is this transaction? Payers, merchants and operators differ in the rows and addresses that are theirs. */
export type LookupQuestion<Ours> = {
  readonly db: Queryable;
  /** gives the chain if nodes must be queried; undefined before it is verified */
  readonly chain: () => LookupChain | undefined | Promise<LookupChain | undefined>;
  readonly txId: string;
  readonly owner: CallOwner;
  /** finds what the asker's own rows have of it */
  readonly findOurs: () => Promise<readonly Ours[]>;
  /** whether an address of the service is the asker's */
  readonly isOurs: (address: AddressOwner) => boolean;
};

/** Our own rows; or what nodes say, if there are none. */
export type LookupResult<Ours> = {
  readonly ours: readonly Ours[];
  readonly nodes?: NodeLookup;
  /** the block up to which our own rows go at least */
  readonly readHeight: number;
};

export type NodeLookup = {
  /** of each node that was queried, in order; only the last one may know the transaction */
  readonly answers: readonly { readonly node: string; readonly answer: "known" | "unknown" | "failed" }[];
  readonly report?: NodeReport;
  /** seconds to wait, if no node could be queried */
  readonly busySeconds?: number;
};

export type LookUp = <Ours>(question: LookupQuestion<Ours>) => Promise<LookupResult<Ours>>;

const MAX_NODES = 2;
/** The timeout for one node; a person waits for the answer. */
const PATIENCE_MS = 3_000;
/** The most request slots that hanging nodes can hold. */
const MAX_AT_ONCE = 8;
/** By then a hanging query has ended and freed its slot. */
const BUSY_SECONDS = 5;

type LookupContext = Pick<
  ContextOf<{ readonly chain: { readonly network: NetworkName } }>,
  "config" | "clock"
>;

/**
 * Creates the look-up of a process. Our own rows come first. For the rest nodes are queried, within one {@link createCallBudget} of
 * all who ask. These queries never count for or against a node's health: strangers choose the transactions.
 */
export function createLookUp({ config, clock }: LookupContext): LookUp {
  const budget = createCallBudget(clock);
  let underWay = 0;

  /** After an unknown transaction the second node is queried only while most of the budget is left. */
  async function queryNodes({ nodes }: LookupChain["client"], txId: string, owner: CallOwner) {
    const answers: { node: string; answer: "known" | "unknown" | "failed" }[] = [];
    for (const node of nodes.slice(0, MAX_NODES)) {
      const isUnknown = answers.some(({ answer }) => answer === "unknown");
      if (isUnknown && budget.isLow()) break;
      const busySeconds = budget.take(owner);
      if (busySeconds > 0) return isUnknown ? { answers } : { answers, busySeconds };
      const run = await queryNode(node, txId);
      answers.push({ node: node.label, answer: typeof run === "object" ? "known" : run });
      if (typeof run === "object") return { answers, run };
    }
    return { answers };
  }

  /** A request slot is held while nodes are queried. */
  async function queryInTurn(...question: Parameters<typeof queryNodes>): ReturnType<typeof queryNodes> {
    if (underWay >= MAX_AT_ONCE) return { answers: [], busySeconds: BUSY_SECONDS };
    underWay += 1;
    try {
      return await queryNodes(...question);
    } finally {
      underWay -= 1;
    }
  }

  return async ({ db, txId, owner, findOurs, isOurs, ...question }) => {
    // The height is read before the rows: all payments up to it are among them.
    const readHeight = await findReadHeight(db, config.chain.network);
    const ours = await findOurs();
    if (ours.length > 0) return { ours, readHeight };
    const chain = await question.chain();
    if (chain === undefined) return { ours, readHeight, nodes: { answers: [] } };
    const { run, ...nodes } = await queryInTurn(chain.client, txId, owner);
    if (run === undefined) return { ours, readHeight, nodes };
    const { tokens } = chain.network;
    return {
      ours,
      readHeight,
      nodes: { ...nodes, report: await readReport(db, run, { tokens, readHeight, isOurs }) },
    };
  };
}

async function queryNode(
  node: LookupChain["client"]["nodes"][number],
  txId: string,
): Promise<NodeTransaction | "unknown" | "failed"> {
  const pending = node.findRun(txId).then(
    (run) => run ?? "unknown",
    (error: unknown) => {
      if (!(error instanceof NodeError)) throw error;
      return "failed" as const;
    },
  );
  return Promise.race([pending, sleep(PATIENCE_MS, "failed" as const, { ref: false })]);
}
