import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "@daric/postgres/sql";
import { NodeError } from "../chain/blocks/node-error.ts";
import type { NodeGroup, TronNode } from "../chain/nodes/chain-reader.ts";
import type { Network } from "../chain/nodes/networks.ts";
import { currencies, type TokenCurrency } from "../domain/asset.ts";
import type { MerchantId } from "../domain/ids.ts";
import {
  type MovingPrice,
  priceOfMoving,
  type ResourcePrices,
  recordedEnergy,
  type TransferEnergy,
  type Wallet,
} from "../domain/transfer-price.ts";
import { inLists } from "../runtime/fair-rounds.ts";
import { listPaidAddresses, type PaidAddress } from "./balance-store.ts";

/** A node that asks for a pause is given it so often; one that fails, too. */
const MAX_TRIES = 4;
const RETRY_MS = 1_000;

/** What lies on an address in the solid block, and what it costs to move it. */
export type Balance = PaidAddress & Wallet & MovingPrice;

export type Balances = {
  /** biggest first, by the first coin, then by the next */
  readonly balances: readonly Balance[];
  readonly prices: ResourcePrices;
  readonly energyOf: TransferEnergy;
  /** addresses that were asked about */
  readonly requested: number;
  /** more addresses than were asked about have received money */
  readonly isMore: boolean;
};

/** Whose addresses, how many of them at most, and how many a second the nodes are asked about. */
export type BalanceQuestion = {
  readonly merchantIds: readonly MerchantId[];
  readonly limit: number;
  readonly perSecond: number;
};

/**
 * Asks the chain what lies on every address that confirmed money has reached, one address after the other at a bounded pace.
 * Writes nothing; the database is not held meanwhile.
 *
 * @throws NodeError when no node answers any more.
 */
export async function readBalances(
  { db, client, network }: { db: Queryable; client: NodeGroup; network: Pick<Network, "name" | "tokens"> },
  { merchantIds, limit, perSecond }: BalanceQuestion,
): Promise<Balances> {
  const paid: PaidAddress[] = [];
  for (const some of inLists(merchantIds)) {
    paid.push(...(await listPaidAddresses(db, { merchantIds: some, limit: limit + 1 })));
  }
  const wanted = paid.slice(0, limit);
  const prices = await fetchPatiently(client, (node) => node.getResourcePrices());
  const holders: (PaidAddress & Wallet)[] = [];
  for (const address of wanted) {
    const turn = sleep(1_000 / perSecond);
    const wallet = await fetchPatiently(client, (node) => node.getWallet(address.address, network.tokens));
    holders.push({ ...address, ...wallet });
    if (holders.length < wanted.length) await turn;
  }
  const energyOf = { ...recordedEnergy, ...(await estimateEnergy(client, network, holders)) };
  const balances = holders.map(
    (wallet): Balance => ({ ...wallet, ...priceOfMoving(wallet, prices, energyOf) }),
  );
  return {
    energyOf,
    balances: balances.sort(byHeld),
    prices,
    requested: wanted.length,
    isMore: paid.length > limit,
  };
}

/** Public contracts are known; those of a private chain may take less or more. */
async function estimateEnergy(
  client: NodeGroup,
  network: Pick<Network, "name" | "tokens">,
  holders: readonly (PaidAddress & Wallet)[],
): Promise<Partial<TransferEnergy>> {
  const found: Partial<Record<TokenCurrency, bigint>> = {};
  if (network.name !== "private") return found;
  for (const { currency, contract } of network.tokens) {
    const holder = holders.find(({ held }) => held[currency] > 0n);
    if (holder === undefined) continue;
    found[currency] = await fetchPatiently(client, (node) =>
      node.estimateTransferEnergy(holder.address, contract),
    );
  }
  return found;
}

async function fetchPatiently<T>(client: NodeGroup, question: (node: TronNode) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await client.query(question);
    } catch (error) {
      if (!(error instanceof NodeError) || !error.retryable || tries === MAX_TRIES) throw error;
      await sleep(error.retryAfterMs ?? RETRY_MS);
    }
  }
}

function byHeld(a: Wallet, b: Wallet): number {
  for (const currency of currencies) {
    const [mine, theirs] = [a.held[currency], b.held[currency]];
    if (mine !== theirs) return theirs < mine ? -1 : 1;
  }
  return 0;
}
