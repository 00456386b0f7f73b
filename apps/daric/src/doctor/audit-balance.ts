import type { TronNode } from "@daric/chain/nodes/chain-reader";
import type { Network } from "@daric/chain/nodes/networks";
import { type Currency, currencies, perCurrency } from "@daric/domain/asset";
import type { Queryable } from "@daric/postgres/sql";
import { findFinalRange, type PaidCharge, sumLedger, sumMovements } from "./deep-store.ts";

/** Money moves during the audit: a difference counts only after this many reads. */
const MAX_READS = 5;

/**
 * A node's balance of an address, and its difference from the database, if it differs at every possible
 * height.
 */
export type Excess = {
  readonly held: string;
  /** the newest height that was solid meanwhile */
  readonly height: number;
  readonly difference: string | undefined;
};

/** The balance could not be determined now; neither node nor database is at fault. */
export class UnsettledError extends Error {
  override readonly name = "UnsettledError";
}

/** The balance of an address at a node, with the heights that were solid during the reads. */
type Holding = { readonly held: Readonly<Record<Currency, bigint>>; readonly heights: readonly number[] };

type Question = { readonly charge: PaidCharge; readonly network: Network };

/**
 * Compares one node's balance of an address with the database. A balance counts when two reads agree. It
 * differs only if it does at every height that was solid meanwhile, in every read. TRX may be lower by the
 * fees of the address's own transactions, which are no transfers, but never higher.
 *
 * @throws NodeError if the node fails. @throws UnsettledError if the balance changes constantly, or the
 * watcher is behind the node.
 */
export async function findExcess(db: Queryable, node: TronNode, question: Question): Promise<Excess> {
  let excess: Excess | undefined;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const holding = await readHolding(node, question);
    const range = await findFinalRange(db, question.network.name);
    const height = Math.max(...(holding?.heights ?? []));
    if (holding === undefined || range === undefined || range.cursor < height) {
      excess = undefined;
      continue;
    }
    const found: (string | undefined)[] = [];
    for (const at of holding.heights) found.push(await differenceAt(db, question, { holding, height: at }));
    const held = currencies.map((currency) => unitsOf(holding, currency)).join(" and ");
    if (found.includes(undefined)) return { held, height, difference: undefined };
    excess = { held, height, difference: found[0] };
  }
  if (excess === undefined) throw new UnsettledError("its balance changes, or the watcher is behind");
  return excess;
}

/** The balance of the address if two reads agree, else undefined. */
async function readHolding(
  node: TronNode,
  { charge: { address }, network }: Question,
): Promise<Holding | undefined> {
  const before = await node.getSolidBlock();
  const first = await readBalances(node, address, network);
  const second = await readBalances(node, address, network);
  const after = await node.getSolidBlock();
  if (currencies.some((currency) => first[currency] !== second[currency])) return undefined;
  return { held: first, heights: [...new Set([before.number, after.number])] };
}

/** The solid balance of each coin, in minor units; 0 for a token that the network does not have. */
async function readBalances(node: TronNode, address: string, network: Network): Promise<Holding["held"]> {
  const units = new Map<Currency, bigint>([["TRX", await node.getSolidBalance(address, undefined)]]);
  for (const { currency, contract } of network.tokens)
    units.set(currency, await node.getSolidBalance(address, contract));
  return perCurrency((currency) => units.get(currency) ?? 0n);
}

async function differenceAt(
  db: Queryable,
  { charge, network }: Question,
  { holding, height }: { holding: Holding; height: number },
): Promise<string | undefined> {
  const at = { network: network.name, charge, height };
  const movements = await sumMovements(db, at);
  const ledger = await sumLedger(db, at);
  const differing = currencies.flatMap((currency) => {
    const sums = movements.find((movement) => movement.currency === currency);
    const { came = 0n, left = 0n, maxBurnt = 0n } = sums ?? {};
    const isHeld = (units: bigint) => {
      const missing = units - holding.held[currency];
      return missing >= 0n && missing <= maxBurnt;
    };
    const booked = ledger.get(currency) ?? 0n;
    const held = `${unitsOf(holding, currency)} at block ${height}`;
    if (!isHeld(came - left)) return [`${held}, where ${came} came and ${left} left`];
    return isHeld(booked) ? [] : [`${held}, where the ledger has ${booked}`];
  });
  return differing.length === 0 ? undefined : differing.join(" and ");
}

function unitsOf({ held }: Holding, currency: Currency): string {
  return `${held[currency]} units of ${currency}`;
}
