import { deriveReceiveAddress, parseAccountXpub } from "@daric/tron/account-xpub";
import { accountPath } from "@daric/tron/seed";
import { type Command, InvalidArgumentError } from "commander";
import { type Balance, type Balances, readBalances } from "../balances/read-balances.ts";
import { createTronClient } from "../chain/client.ts";
import type { Network } from "../chain/networks.ts";
import { NodeError } from "../chain/node-error.ts";
import { variableOf } from "../config.ts";
import { networkOf } from "../deployment/connect-network.ts";
import { fingerprintOf, xpubCheck } from "../deployment/secret-checks.ts";
import { type Amount, add, formatAmount, parseAmount, zero } from "../domain/money.ts";
import { assumedUse } from "../domain/transfer-price.ts";
import { getMerchant } from "../merchants/get-merchant.ts";
import { listMerchants } from "../merchants/store.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, tableOf, type View } from "./print.ts";
import { walletsOf } from "./seed.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

const SETTINGS = ["chain.nodeUrls", "chain.solidityUrls", "chain.apiKey"] as const;
const MAX_ADDRESSES = 100_000;
const MAX_PER_SECOND = 1_000;

type BalanceOptions = OutputOptions & {
  readonly merchant?: string;
  readonly min: Amount;
  readonly limit: number;
  readonly perSecond: number;
};

/** `daric balances`: where the money is, and what it costs to collect it by hand. */
export function addBalancesCommand(program: Command, terminal: Terminal): void {
  program
    .command("balances")
    .description("list the addresses that hold money: path, solid balance, and the price of moving it")
    .option("--merchant <id>", "of this merchant alone (without: of all)")
    .option(
      "--min <amount>",
      "leave out addresses that hold less than this in USDT and in TRX",
      readMinimum,
      zero,
    )
    .option("--limit <number>", "addresses asked about at most", readWhole(MAX_ADDRESSES), 1_000)
    .option(
      "--per-second <number>",
      "addresses asked about in a second, three requests each",
      readWhole(MAX_PER_SECOND),
      5,
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nReads only: it may run beside the service, on any machine that reaches the database and a node. It moves no money.",
    )
    .action(async (options: BalanceOptions) => {
      const { network, found } = await collect(terminal, options);
      const shown = found.balances.filter(({ usdt, trx }) => holdsAtLeast(options.min, [usdt, trx]));
      const report = { network, found, shown };
      terminal.write(options.json ? `${JSON.stringify(jsonOf(report), null, 2)}\n` : textOf(report));
    });
}

type Report = { readonly network: Network; readonly found: Balances; readonly shown: readonly Balance[] };

async function collect(
  terminal: Terminal,
  { merchant, limit, perSecond }: BalanceOptions,
): Promise<{ network: Network; found: Balances }> {
  return withDatabase(terminal.variables, SETTINGS, async ({ db, config }) => {
    const merchants =
      merchant === undefined ? await listMerchants(db) : [await getMerchant({ db }, merchant)];
    const merchantIds = merchants.map(({ id }) => id);
    const { nodeUrls, solidityUrls, apiKey } = config.chain;
    try {
      const network = await networkOf({ config });
      const client = createTronClient({
        nodes: nodeUrls.map((url, index) => ({ url, solidityUrl: solidityUrls[index] })),
        apiKey,
        genesisId: network.genesisId,
      });
      const found = await readBalances({ db, client, network }, { merchantIds, limit, perSecond }).finally(
        () => client.close(),
      );
      return { network, found };
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      throw new CommandError(
        `${error.message}: without a node of ${variableOf("chain.nodeUrls")} nobody knows what lies on an address`,
      );
    }
  });
}

/** An address that holds nothing at all is never shown. */
function holdsAtLeast(minimum: Amount, amounts: readonly Amount[]): boolean {
  return amounts.some((amount) => amount > zero && amount >= minimum);
}

function totalsOf(shown: readonly Balance[]) {
  return {
    usdt: sumOf(shown.map(({ usdt }) => usdt)),
    trx: sumOf(shown.map(({ trx }) => trx)),
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
    usdt: formatAmount(balance.usdt),
    trx: formatAmount(balance.trx),
    priceTrx: formatAmount(balance.price),
    topUpTrx: formatAmount(balance.topUp),
    isActivated: balance.isActivated,
    merchantId: balance.merchantId,
    depositAddressId: balance.chargeId,
  };
}

/** The accounts that open what is shown. */
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

function assumptionsOf({ prices }: Balances): string[] {
  return [
    `One TRC-20 transfer takes ${assumedUse.usdtEnergy} energy where the receiver holds USDT already (130285 where it does ` +
      `not), and ${assumedUse.usdtBytes} bytes; one of TRX ${assumedUse.trxBytes} bytes.`,
    `Now a unit of energy costs ${formatAmount(prices.energy)} TRX and a byte ${formatAmount(prices.bandwidth)} TRX; what ` +
      "an address has staked or free of both is taken off.",
    `An address that never received TRX is activated by its first: ${formatAmount(prices.activation)} TRX, paid by who sends it.`,
    "Rented or staked energy makes it cheaper.",
  ];
}

function jsonOf({ network, found, shown }: Report): object {
  const { prices, asked, isMore } = found;
  return {
    network: network.name,
    asked,
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
  };
}

function namedTotals(shown: readonly Balance[]) {
  const { usdt, trx, price, topUp } = totalsOf(shown);
  return { usdt, trx, priceTrx: price, topUpTrx: topUp };
}

function textOf(report: Report): string {
  const { network, found, shown } = report;
  const more = found.isMore ? " More have received money: raise --limit." : "";
  if (shown.length === 0) return `None of the ${found.asked} addresses asked about holds that much.${more}\n`;
  const { usdt, trx, price, topUp } = totalsOf(shown);
  const columns = ["address", "path", "usdt", "trx", "priceTrx", "topUpTrx", "merchantId"];
  return [
    `${shown.length} of ${found.asked} addresses on ${network.name}, as of the solid block, biggest first.${more}`,
    "",
    tableOf(shown.map(viewOf), columns),
    `In all ${usdt} USDT and ${trx} TRX. To move it costs about ${price} TRX; ${topUp} TRX of that must first be sent to the`,
    "addresses, each its own part.",
    "",
    "How the price is made",
    ...assumptionsOf(found).map((line) => `  ${line}`),
    "",
    ...accountsOf(shown).map(accountText),
  ].join("\n");
}

function accountText(account: ReturnType<typeof accountsOf>[number]): string {
  return `The seed that opens it: account ${account.path}, fingerprint ${account.fingerprint}, first address
${account.firstReceiveAddress}, as \`daric seed --xpub-from-stdin\` prints it of the right words.
${walletsOf(account.account)}`;
}

function readMinimum(text: string): Amount {
  const amount = parseAmount(text);
  if (amount === undefined) throw new InvalidArgumentError('It must be a decimal like "1.5".');
  return amount;
}

function readWhole(maximum: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d{1,7}$/.test(text) && number >= 1 && number <= maximum) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${maximum}.`);
  };
}
