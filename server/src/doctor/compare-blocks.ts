import type { Queryable } from "@daric/postgres/sql";
import { addressToHex } from "@daric/tron/address";
import type { TronNode } from "../chain/chain-reader.ts";
import type { CompleteBlock } from "../chain/complete-block.ts";
import { decodeTransfers } from "../chain/decode-transfers.ts";
import { NodeError } from "../chain/node-error.ts";
import { type BookedTransfer, type FinalBlock, listOurHashes } from "./deep-store.ts";
import type { Breakage, InvariantName } from "./invariant.ts";

/** Blocks of ours, what our books say of them, and the contract whose logs are money. */
export type BlockQuestion = {
  readonly blocks: readonly FinalBlock[];
  readonly booked: readonly BookedTransfer[];
  readonly usdtContractHex: string;
};

/** What came of asking: how many answers were held against our books, and which did not come. */
export type NodeComparison = {
  readonly compared: number;
  readonly breakages: readonly Breakage[];
  readonly unanswered: readonly string[];
};

/** A node that fails so often in a row is asked nothing more. */
export const MAX_FAILURES = 5;

/**
 * Fetches blocks of ours from a node whole, one after the other, and compares ids, links, transactions and every transfer to us
 * with our books.
 */
export async function compareBlocks(
  db: Queryable,
  node: TronNode,
  { blocks, booked, usdtContractHex }: BlockQuestion,
): Promise<NodeComparison> {
  const breakages: Breakage[] = [];
  const unanswered: string[] = [];
  let [compared, failures] = [0, 0];
  for (const [place, stored] of blocks.entries()) {
    if (failures === MAX_FAILURES) {
      unanswered.push(
        `${blocks.length - place} more blocks: ${node.label} failed ${MAX_FAILURES} times in a row`,
      );
      break;
    }
    try {
      const block = await node.fetchCompleteBlock(stored.number);
      breakages.push(...compareHeader(node.label, stored, block));
      const seen = await ourTransfers(db, block, usdtContractHex);
      const known = booked.filter(({ blockId }) => blockId === stored.id);
      breakages.push(...compareBooks(node.label, stored.number, { seen, known }));
      compared += 1;
      failures = 0;
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      unanswered.push(`block ${stored.number}: ${error.message}`);
      failures += 1;
    }
  }
  return { compared, breakages, unanswered };
}

function compareHeader(
  label: string,
  stored: FinalBlock,
  { header, transactions }: CompleteBlock,
): Breakage[] {
  if (header.id !== stored.id || header.parentId !== stored.parentId)
    return [
      breakageOf("I3", `final block that ${label} tells otherwise`, `${stored.number} is ${header.id}`),
    ];
  if (transactions.length === stored.transactionCount) return [];
  const sample = `${stored.number} has ${transactions.length}, and had ${stored.transactionCount}`;
  return [breakageOf("I3", `block that has another number of transactions at ${label}`, sample)];
}

/** The transfers of a block that pay an address of ours, by what tells one from another, with what each is worth. */
async function ourTransfers(
  db: Queryable,
  block: CompleteBlock,
  usdtContractHex: string,
): Promise<Map<string, string>> {
  const { transfers } = decodeTransfers(block, usdtContractHex);
  const moving = transfers.filter(({ fromHex, toHex }) => fromHex !== toHex);
  const ours = new Set(await listOurHashes(db, [...new Set(moving.map(({ toHex }) => toHex.slice(2)))]));
  return new Map(
    moving.flatMap((transfer) => {
      const { txId, source, eventIndex, toHex, units, currency } = transfer;
      return ours.has(toHex.slice(2))
        ? [[keyOf({ txId, source, eventIndex, toHex }), `${units} ${currency}`]]
        : [];
    }),
  );
}

function compareBooks(
  label: string,
  number: number,
  { seen, known }: { seen: ReadonlyMap<string, string>; known: readonly BookedTransfer[] },
): Breakage[] {
  const books = new Map(
    known.map((transfer) => [
      keyOf({ ...transfer, toHex: addressToHex(transfer.address) }),
      `${transfer.units} ${transfer.currency}`,
    ]),
  );
  const missing = [...seen.keys()].filter((key) => !books.has(key));
  const invented = [...books.keys()].filter((key) => !seen.has(key));
  const other = [...seen].filter(([key, worth]) => books.has(key) && books.get(key) !== worth);
  const named = (key: string) => `block ${number}, ${key}`;
  return [
    ...missing.map((key) =>
      breakageOf("I1", `transfer to us at ${label} that was credited to nobody`, named(key)),
    ),
    ...invented.map((key) =>
      breakageOf("I1", `deposit that its block does not have at ${label}`, named(key)),
    ),
    ...other.map(([key]) => breakageOf("I2", `deposit of another amount than at ${label}`, named(key))),
  ];
}

function keyOf({ txId, source, eventIndex, toHex }: TransferName): string {
  return [txId, source, eventIndex, toHex].join("/");
}

type TransferName = Pick<BookedTransfer, "txId" | "source" | "eventIndex"> & { readonly toHex: string };

function breakageOf(invariant: InvariantName, what: string, sample: string): Breakage {
  return { invariant, what, count: 1, samples: [sample] };
}
