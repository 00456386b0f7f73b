import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { accountPath } from "@daric/tron/seed";
import type { Balance, Balances } from "../addresses/read-balances.ts";
import type { Network } from "../chain/nodes/networks.ts";
import { fingerprintOf, xpubCheck } from "../deployment/secret-checks.ts";
import { assets, type Currency, currencies, perCurrency, tokenCurrencies } from "../domain/asset.ts";
import { type Amount, add, formatAmount, zero } from "../domain/money.ts";
import { recordedEnergy } from "../domain/transfer-price.ts";
import { textOfFoundMoney } from "./found-money.ts";
import { tableOf, type View } from "./print.ts";
import { walletsOf } from "./seed.ts";

/** The balances found on a network, and those to show. */
export type BalancesReport = {
  readonly network: Network;
  readonly found: Balances;
  readonly shown: readonly Balance[];
  readonly foundMoney: readonly View[];
};

function totalsOf(shown: readonly Balance[]) {
  return {
    held: perCurrency((currency) => sumOf(shown.map(({ held }) => held[currency]))),
    price: sumOf(shown.map(({ price }) => price)),
    topUp: sumOf(shown.map(({ topUp }) => topUp)),
  };
}

function sumOf(amounts: readonly Amount[]): string {
  return formatAmount(amounts.reduce<Amount>((sum, amount) => add(sum, amount), zero));
}

function viewOf(balance: Balance): View {
  return {
    address: balance.address,
    path: `${accountPath(parseAccountXpub(balance.xpub).account)}/0/${balance.derivationIndex}`,
    ...byName(perCurrency((currency) => formatAmount(balance.held[currency]))),
    priceTrx: formatAmount(balance.price),
    topUpTrx: formatAmount(balance.topUp),
    isActivated: balance.isActivated,
    merchantId: balance.merchantId,
    depositAddressId: balance.chargeId,
  };
}

/** The accounts whose seeds control the shown balances. */
function accountsOf(shown: readonly Balance[]) {
  return [...new Set(shown.map(({ xpub }) => xpub))].map((xpub) => {
    const parsed = parseAccountXpub(xpub);
    return {
      account: parsed.account,
      path: accountPath(parsed.account),
      fingerprint: fingerprintOf(xpubCheck(xpub)),
      firstReceiveAddress: deriveReceiveAddress(parsed, 0),
    };
  });
}

function assumptionsOf({ prices, energyOf }: Balances): string[] {
  const ofTokens = tokenCurrencies.map((currency) => {
    const { newHolderEnergy, bytes } = assets[currency].transfer;
    const isRecorded = energyOf[currency] === recordedEnergy[currency];
    const newHolder = isRecorded ? newHolderEnergy : "about twice as much";
    return (
      `One transfer of ${currency} takes ${energyOf[currency]} energy where the receiver holds some already (${newHolder} ` +
      `where it does not), and ${bytes} bytes; one of TRX ${assets.TRX.transfer.bytes} bytes.`
    );
  });
  return [
    ...ofTokens,
    `Now a unit of energy costs ${formatAmount(prices.energy)} TRX and a byte ${formatAmount(prices.bandwidth)} TRX; what ` +
      "an address has staked or free of both is taken off.",
    `An address that never received TRX is activated by its first: ${formatAmount(prices.activation)} TRX, paid by the sender.`,
    "Rented or staked energy makes it cheaper.",
  ];
}

/** The report as JSON; amounts are decimal strings. */
export function jsonOfBalances({ network, found, shown, foundMoney }: BalancesReport): object {
  const { prices, requested, isMore } = found;
  return {
    network: network.name,
    asked: requested,
    isMore,
    prices: {
      energyTrx: formatAmount(prices.energy),
      bandwidthTrx: formatAmount(prices.bandwidth),
      activationTrx: formatAmount(prices.activation),
    },
    assumptions: assumptionsOf(found),
    accounts: accountsOf(shown),
    totals: { addresses: shown.length, ...namedTotals(shown) },
    addresses: shown.map(viewOf),
    foundMoney,
  };
}

function namedTotals(shown: readonly Balance[]) {
  const { held, price, topUp } = totalsOf(shown);
  return { ...byName(held), priceTrx: price, topUpTrx: topUp };
}

/** The fields of coins: `usdt`, `trx`. */
function byName(texts: Readonly<Record<Currency, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(currencies.map((currency) => [currency.toLowerCase(), texts[currency]]));
}

/** The report as text. */
export function textOfBalances(report: BalancesReport): string {
  const { network, found, shown, foundMoney } = report;
  const more = found.isMore ? " More have received money: raise --limit." : "";
  if (shown.length === 0)
    return `None of the ${found.requested} addresses asked about holds that much.${more}\n${textOfFoundMoney(foundMoney)}`;
  const { held, price, topUp } = totalsOf(shown);
  const coins = currencies.map((currency) => currency.toLowerCase());
  const columns = ["address", "path", ...coins, "priceTrx", "topUpTrx", "merchantId"];
  const total = currencies.map((currency) => `${held[currency]} ${currency}`).join(" and ");
  return [
    `${shown.length} of ${found.requested} addresses on ${network.name}, as of the solid block, biggest first.${more}`,
    "",
    tableOf(shown.map(viewOf), columns),
    `In all ${total}. To move it costs about ${price} TRX; ${topUp} TRX of that must first be sent to the`,
    "addresses, each its own part.",
    "",
    "How the price is made",
    ...assumptionsOf(found).map((line) => `  ${line}`),
    "",
    ...accountsOf(shown).map(accountText),
    ...(foundMoney.length === 0 ? [] : [textOfFoundMoney(foundMoney)]),
  ].join("\n");
}

function accountText(account: ReturnType<typeof accountsOf>[number]): string {
  return `The seed that opens it: account ${account.path}, fingerprint ${account.fingerprint}, first address
${account.firstReceiveAddress}, as \`daric seed --xpub-from-stdin\` prints it of the right words.
${walletsOf(account.account)}`;
}
