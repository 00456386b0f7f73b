import { type Currency, currencies, perCurrency } from "@daric/domain/asset";
import { type Amount, add, formatAmount, zero } from "@daric/domain/money";
import {
  type PricedContent,
  type PricedContents,
  priceContents,
} from "@daric/settlement/plan/price-contents";
import { deriveOperatorAddress, deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { accountPath } from "@daric/tron/seed";
import { type OutputOptions, printFound, tableOf, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withPlanning } from "./with-planning.ts";

/** The most addresses of one list. */
export const MAX_ADDRESSES = 100_000;

/** `daric sweep plan --addresses`: where the money is by the ledger, and what moving it by hand costs. */
export async function printAddresses(
  terminal: Terminal,
  options: OutputOptions & { readonly limit: number },
): Promise<void> {
  const { network, found } = await withPlanning(terminal.variables, async (context, chain) => ({
    network: chain.network.name,
    found: await priceContents(context, chain, options.limit),
  }));
  const { contents, prices, isMore } = found;
  const totals = totalsOf(contents);
  const accounts = accountsOf(contents);
  const json = {
    network,
    isMore,
    prices: {
      energyTrx: formatAmount(prices.energy),
      bandwidthTrx: formatAmount(prices.bandwidth),
      activationTrx: formatAmount(prices.activation),
    },
    accounts,
    totals,
    addresses: contents.map(viewOf),
  };
  printFound(terminal, options, { json, text: () => textOf(found, { network, totals, accounts }) });
}

function viewOf({ xpub, derivationIndex, ...content }: PricedContent): View {
  return {
    address: content.address,
    path: `${accountPath(parseAccountXpub(xpub).account)}/0/${derivationIndex}`,
    ...byName((currency) => content.held[currency]),
    priceTrx: formatAmount(content.price),
    topUpTrx: formatAmount(content.topUp),
    merchantId: content.merchantId,
    depositAddressId: content.chargeId,
  };
}

function totalsOf(contents: readonly PricedContent[]) {
  return {
    addresses: contents.length,
    ...byName((currency) => sumOf(contents.map(({ held }) => held[currency]))),
    priceTrx: formatAmount(sumOf(contents.map(({ price }) => price))),
    topUpTrx: formatAmount(sumOf(contents.map(({ topUp }) => topUp))),
  };
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce<Amount>((sum, amount) => add(sum, amount), zero);
}

/** The fields of coins: `usdt`, `trx`. */
function byName(amountOf: (currency: Currency) => Amount): Readonly<Record<string, string>> {
  const texts = perCurrency((currency) => formatAmount(amountOf(currency)));
  return Object.fromEntries(currencies.map((currency) => [currency.toLowerCase(), texts[currency]]));
}

/** The accounts of the seeds that open the addresses. */
function accountsOf(contents: readonly PricedContent[]) {
  return [...new Set(contents.map(({ xpub }) => xpub))].map((xpub) => {
    const key = parseAccountXpub(xpub);
    const path = accountPath(key.account);
    return {
      path,
      firstReceiveAddress: deriveReceiveAddress(key, 0),
      gasAddress: deriveOperatorAddress(key, 0),
      gasPath: `${path}/1/0`,
    };
  });
}

function textOf(
  { contents, isMore }: PricedContents,
  {
    network,
    totals,
    accounts,
  }: { network: string; totals: ReturnType<typeof totalsOf>; accounts: ReturnType<typeof accountsOf> },
): string {
  if (contents.length === 0) return `No address on ${network} holds money by the ledger.\n`;
  const coins = currencies.map((currency) => currency.toLowerCase());
  const columns = ["address", "path", ...coins, "priceTrx", "topUpTrx", "merchantId"];
  const held = sumsOf(contents);
  return [
    `${contents.length} ${contents.length === 1 ? "address" : "addresses"} on ${network} with money by the ledger, the largest first.${isMore ? " There are more: raise --limit." : ""}`,
    "",
    tableOf(contents.map(viewOf), columns),
    `Total: ${held}. Moving it by hand costs about ${totals.priceTrx} TRX; ${totals.topUpTrx} TRX of that must reach the`,
    "addresses first, each its TOP UP TRX. docs/collecting.md has the steps.",
    ...accounts.map(
      ({ path, firstReceiveAddress, gasAddress, gasPath }) =>
        `The seed of account ${path} has the first address ${firstReceiveAddress} and the gas wallet ${gasAddress} (${gasPath}).`,
    ),
    "",
  ].join("\n");
}

function sumsOf(contents: readonly PricedContent[]): string {
  return currencies
    .map((currency) => `${formatAmount(sumOf(contents.map(({ held }) => held[currency])))} ${currency}`)
    .join(" and ");
}
