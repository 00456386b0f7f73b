import type { Queryable } from "@daric/postgres/sql";
import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import type { NodeGroup, TronNode } from "../chain/chain-reader.ts";
import type { Network } from "../chain/networks.ts";
import { NodeError } from "../chain/node-error.ts";
import { type Currency, currencies } from "../domain/money.ts";
import type { NodeComparison } from "./compare-blocks.ts";
import { findFinalRange, type PaidCharge, sumMovements } from "./deep-store.ts";
import type { Breakage } from "./invariant.ts";

/** Money moves while it is looked at: so often it is read again before a difference counts. */
const MAX_READS = 5;

/** What lay on an address while these heights were solid, at the node that was asked. */
type Holding = { readonly held: Readonly<Record<Currency, bigint>>; readonly heights: readonly number[] };

/**
 * Asks the chain what lies on addresses, and compares it with what our books say came and left; and derives each address
 * anew. A balance counts where two reads agree, and differs only where it does at every height that was solid meanwhile. Of
 * TRX an address may hold less than that once something left it, for that burned fees; more it may never.
 */
export async function compareBalances(
  db: Queryable,
  { client, network }: { client: NodeGroup; network: Network },
  charges: readonly PaidCharge[],
): Promise<NodeComparison> {
  const breakages: Breakage[] = [];
  const unanswered: string[] = [];
  for (const charge of charges) {
    if (
      deriveReceiveAddress(parseAccountXpub(charge.xpub), Number(charge.derivationIndex)) !== charge.address
    ) {
      const what = "charge whose address is not that of its index";
      breakages.push({ invariant: "I13", what, count: 1, samples: [charge.chargeId] });
    }
    try {
      const difference = await client.ask((node) => differenceAt(db, node, { charge, network }));
      if (difference === undefined) continue;
      const what = "address that holds another amount than our books say";
      breakages.push({ invariant: "I2", what, count: 1, samples: [`${charge.address}: ${difference}`] });
    } catch (error) {
      if (!(error instanceof NodeError || error instanceof UnsettledError)) throw error;
      unanswered.push(`address ${charge.address}: ${error.message}`);
    }
  }
  return { compared: charges.length - unanswered.length, breakages, unanswered };
}

class UnsettledError extends Error {
  override readonly name = "UnsettledError";
}

async function differenceAt(
  db: Queryable,
  node: TronNode,
  { charge, network }: { charge: PaidCharge; network: Network },
): Promise<string | undefined> {
  let difference: string | undefined;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    const holding = await readHolding(node, charge, network);
    const range = await findFinalRange(db, network.name);
    if (holding === undefined || range === undefined || range.cursor < Math.max(...holding.heights)) {
      difference = undefined;
      continue;
    }
    const found: (string | undefined)[] = [];
    for (const height of holding.heights)
      found.push(await differenceFrom(db, { charge, network, height, holding }));
    if (found.includes(undefined)) return undefined;
    [difference] = found;
  }
  if (difference === undefined) throw new UnsettledError("its balance changes, or the watcher is behind");
  return difference;
}

/** What lies on the address, where two reads agree; undefined where they do not. */
async function readHolding(
  node: TronNode,
  { address }: PaidCharge,
  { usdtContract }: Network,
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

async function differenceFrom(
  db: Queryable,
  {
    charge,
    network,
    height,
    holding,
  }: { charge: PaidCharge; network: Network; height: number; holding: Holding },
): Promise<string | undefined> {
  const movements = await sumMovements(db, { network: network.name, charge, height });
  const differing = currencies.flatMap((currency) => {
    const { came = 0n, left = 0n } = movements.find((one) => one.currency === currency) ?? {};
    const difference = holding.held[currency] - (came - left);
    const burnsFees = movements.some((one) => one.left > 0n);
    const isExplained = difference === 0n || (currency === "TRX" && difference < 0n && burnsFees);
    return isExplained
      ? []
      : [
          `${holding.held[currency]} units of ${currency} at block ${height}, where ${came} came and ${left} left`,
        ];
  });
  return differing.length === 0 ? undefined : differing.join("; ");
}
