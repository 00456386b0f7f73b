import { NodeError } from "../blocks/node-error.ts";
import type { Block } from "../blocks/parse-block.ts";
import type { TronNode } from "./chain-reader.ts";

/** So many transactions are named. */
const NAMED = 3;

type Telling = { readonly label: string; readonly transactions: ReadonlyMap<string, string> };

/**
 * Which transactions of a block that no node shows whole these nodes tell otherwise than each other, in words: the root of a
 * block says that one of them is altered, and not which. One call to each node. Never throws for a node.
 */
export async function nameAltered(nodes: readonly TronNode[], number: number): Promise<string> {
  const asked = await Promise.all(nodes.map((node) => tellingOf(node, number)));
  const tellings = asked.filter((telling) => telling !== undefined);
  const [first] = tellings;
  if (first === undefined) return "no node tells its transactions now";
  if (tellings.length === 1)
    return `${first.label} alone tells it, so that none of its ${first.transactions.size} transactions can be compared`;
  const ids = new Set(tellings.flatMap(({ transactions }) => [...transactions.keys()]));
  const altered = [...ids].filter(
    (id) => new Set(tellings.map(({ transactions }) => transactions.get(id))).size > 1,
  );
  const labels = tellings.map(({ label }) => label).join(", ");
  if (altered.length === 0) return `${labels} tell the same ${ids.size} transactions`;
  const rest = altered.length > NAMED ? ` and ${altered.length - NAMED} more` : "";
  return `${labels} do not tell the same of ${altered.slice(0, NAMED).join(", ")}${rest}`;
}

async function tellingOf(node: TronNode, number: number): Promise<Telling | undefined> {
  try {
    const block = await node.getBlock(number);
    return block && { label: node.label, transactions: fingerprintsOf(block) };
  } catch (error) {
    if (error instanceof NodeError) return undefined;
    throw error;
  }
}

/** All that is told of each transaction, by its id. */
function fingerprintsOf({ transactions }: Block): Map<string, string> {
  const text = (_name: string, value: unknown) => {
    if (typeof value === "bigint") return `${value}`;
    return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value;
  };
  return new Map(transactions.map((transaction) => [transaction.txId, JSON.stringify(transaction, text)]));
}
