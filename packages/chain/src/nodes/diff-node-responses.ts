import { NodeError } from "../blocks/node-error.ts";
import type { Block } from "../blocks/parse-block.ts";
import type { TronNode } from "./chain-reader.ts";

const NAMED = 3;

type NodeTransactions = { readonly label: string; readonly transactions: ReadonlyMap<string, string> };

/** Names the transactions on which the nodes differ: the root shows that one is altered, but not which. A failing node is no error here. */
export async function diffNodeResponses(nodes: readonly TronNode[], number: number): Promise<string> {
  const found = await Promise.all(nodes.map((node) => transactionsOf(node, number)));
  const responses = found.filter((response) => response !== undefined);
  const [first] = responses;
  if (first === undefined) return "no node reports its transactions now";
  if (responses.length === 1)
    return `${first.label} alone reports it, so that none of its ${first.transactions.size} transactions can be compared`;
  const ids = new Set(responses.flatMap(({ transactions }) => [...transactions.keys()]));
  const differing = [...ids].filter(
    (id) => new Set(responses.map(({ transactions }) => transactions.get(id))).size > 1,
  );
  const labels = responses.map(({ label }) => label).join(", ");
  if (differing.length === 0) return `${labels} report the same ${ids.size} transactions`;
  const rest = differing.length > NAMED ? ` and ${differing.length - NAMED} more` : "";
  return `${labels} disagree on ${differing.slice(0, NAMED).join(", ")}${rest}`;
}

async function transactionsOf(node: TronNode, number: number): Promise<NodeTransactions | undefined> {
  try {
    const block = await node.getBlock(number);
    return block && { label: node.label, transactions: fingerprintsOf(block) };
  } catch (error) {
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}

function fingerprintsOf({ transactions }: Block): Map<string, string> {
  const text = (_name: string, value: unknown) => {
    if (typeof value === "bigint") return `${value}`;
    return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
  };
  return new Map(transactions.map((transaction) => [transaction.txId, JSON.stringify(transaction, text)]));
}
