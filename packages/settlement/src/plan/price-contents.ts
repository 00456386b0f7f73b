import { contractOf } from "@daric/chain/nodes/networks";
import { assets, perToken, type TokenCurrency, tokenCurrencies } from "@daric/domain/asset";
import { priceByHand, type ResourcePrices, type SweepPrice } from "@daric/domain/sweep-price";
import type { ChainView, PlanningContext } from "../context.ts";
import { fetchTransferEnergy } from "../node-calls.ts";
import { querySettled } from "../solid-reach.ts";
import { type AddressContent, listContents } from "./contents-store.ts";
import { fetchPrices } from "./survey.ts";

/** An address with money by the ledger, and what emptying it by hand costs. */
export type PricedContent = AddressContent & Pick<SweepPrice, "price" | "topUp">;

export type PricedContents = {
  readonly contents: readonly PricedContent[];
  readonly prices: ResourcePrices;
  /** more addresses than these hold money */
  readonly isMore: boolean;
};

/**
 * The addresses that hold money by the ledger, the largest first, each with the price of emptying it by hand. It needs no
 * signer and no wallets, and queries the nodes about the chain's prices only.
 *
 * @throws NodeError if fewer nodes answer than are needed.
 */
export async function priceContents(
  context: PlanningContext,
  chain: ChainView,
  limit: number,
): Promise<PricedContents> {
  const found = await listContents(context.db, limit + 1);
  const contents = found.slice(0, limit);
  const prices = await fetchPrices(context, chain);
  const energies = new Map<TokenCurrency, bigint>();
  for (const currency of tokenCurrencies)
    energies.set(currency, await fetchEnergy(context, chain, { currency, contents }));
  const energyOf = perToken((currency) => energies.get(currency) ?? 0n);
  return {
    contents: contents.map((content) => ({ ...content, ...priceByHand(content, { prices, energyOf }) })),
    prices,
    isMore: found.length > limit,
  };
}

/**
 * The energy of a transfer of a token between two holders. The nodes simulate one unit from its largest holder here to
 * itself, which writes as many balances. Without a holder it is the energy recorded on mainnet.
 */
async function fetchEnergy(
  context: PlanningContext,
  chain: ChainView,
  { currency, contents }: { currency: TokenCurrency; contents: readonly AddressContent[] },
): Promise<bigint> {
  const recorded = assets[currency].transfer.energy;
  const token = contractOf(chain.network, currency);
  const holder = contents.find(({ held }) => held[currency] > 0n)?.address;
  if (token === undefined || holder === undefined) return recorded;
  const answers = await querySettled(context, chain, (node) =>
    fetchTransferEnergy(node, { token, from: holder, to: holder, units: 1n }),
  );
  return answers.most((energy) => energy ?? recorded);
}
