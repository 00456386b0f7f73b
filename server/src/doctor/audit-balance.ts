import type { Queryable } from "@daric/postgres/sql";
import type { TronNode } from "../chain/nodes/chain-reader.ts";
import type { Network } from "../chain/nodes/networks.ts";
import { type Currency, currencies } from "../domain/asset.ts";
import { findFinalRange, type PaidCharge, sumLedger, sumMovements } from "./deep-store.ts";

/** Money moves while it is looked at: so often it is read again before a difference counts. */
const MAX_READS = 5;

/** What a node says lies on an address, and how that differs from our books, where it does at every height it may be of. */
export type Excess = {
  readonly held: string;
  /** the newest height that was solid meanwhile */
  readonly height: number;
  readonly difference: string | undefined;
};

/** Neither a fault of the node nor of the books: it could not be said now. */
export class UnsettledError extends Error {
  override readonly name = "UnsettledError";
}

/** What lay on an address while these heights were solid, at the node that was asked. */
type Holding = { readonly held: Readonly<Record<Currency, bigint>>; readonly heights: readonly number[] };

type Question = { readonly charge: PaidCharge; readonly network: Network };

/**
 * Holds what one node says of an address against our books. A balance counts where two reads agree, and differs only where
 * it does at every height that was solid meanwhile, each time it is read. Of TRX an address may hold less by what the fees of
 * its own transactions may have taken, which no transfer shows; more it may never.
 *
 * @throws NodeError when the node fails.
 * @throws UnsettledError when its balance changes all the time, or the watcher is behind the node.
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

/** What lies on the address, where two reads agree; undefined where they do not. */
async function readHolding(
  node: TronNode,
  { charge: { address }, network: { usdtContract } }: Question,
): Promise<Holding | undefined> {
  const before = await node.getSolidBlock();
  const first = await node.getWallet(address, usdtContract);
  const second = await node.getWallet(address, usdtContract);
  const after = await node.getSolidBlock();
  if (first.trx !== second.trx || first.usdt !== second.usdt) return undefined;
  return {
    held: { TRX: first.trx, USDT: first.usdt },
    heights: [...new Set([before.number, after.number])],
  };
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
    const sums = movements.find((one) => one.currency === currency);
    const { came = 0n, left = 0n, mostBurnt = 0n } = sums ?? {};
    const isHeld = (units: bigint) => {
      const missing = units - holding.held[currency];
      return missing >= 0n && missing <= mostBurnt;
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
