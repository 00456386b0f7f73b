import { type Command, InvalidArgumentError, Option } from "commander";
import { type Balances, readBalances } from "../addresses/read-balances.ts";
import { NodeError } from "../chain/blocks/node-error.ts";
import type { Network } from "../chain/nodes/networks.ts";
import { type Amount, parseAmount, zero } from "../domain/money.ts";
import { getMerchant } from "../merchants/get-merchant.ts";
import { listMerchants } from "../merchants/store.ts";
import { variableOf } from "../process/config.ts";
import { jsonOfBalances, textOfBalances } from "./balances-report.ts";
import { CommandError } from "./failure.ts";
import { findFoundMoney } from "./found-money.ts";
import { type OutputOptions, printFound, type View } from "./print.ts";
import { wholeNumber } from "./read-option.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";
import { nodeSettings, withNodes } from "./with-nodes.ts";

const MAX_ADDRESSES = 100_000;
const MAX_PER_SECOND = 1_000;

type BalanceOptions = OutputOptions & {
  readonly merchant?: string;
  readonly min: Amount;
  readonly limit: number;
  readonly perSecond: number;
};

/** `daric balances`: lists the money on the addresses, and the cost to collect it by hand. */
export function addBalancesCommand(program: Command, terminal: Terminal): void {
  program
    .command("balances")
    .description("list the addresses that hold money: path, solid balance, and the price of moving it")
    .option("--merchant <id>", "only this merchant (default: all)")
    .addOption(
      new Option("--min <amount>", "leave out addresses with less than this in USDT and in TRX")
        .argParser(readMinimum)
        // The help prints a default as JSON, which has no bigint.
        .default(zero, "0"),
    )
    .option("--limit <number>", "addresses to query at most", wholeNumber(1, MAX_ADDRESSES), 1_000)
    .option(
      "--per-second <number>",
      "addresses to query per second, three requests each",
      wholeNumber(1, MAX_PER_SECOND),
      5,
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nReads only: it may run beside the service, on any machine that reaches the database and a node. It moves no money.",
    )
    .action(async (options: BalanceOptions) => {
      const { network, found, foundMoney } = await collect(terminal, options);
      const shown = found.balances.filter(({ held }) => holdsAtLeast(options.min, Object.values(held)));
      const report = { network, found, shown, foundMoney };
      printFound(terminal, options, { json: jsonOfBalances(report), text: () => textOfBalances(report) });
    });
}

async function collect(
  terminal: Terminal,
  { merchant, limit, perSecond }: BalanceOptions,
): Promise<{ network: Network; found: Balances; foundMoney: readonly View[] }> {
  return withDatabase(terminal.variables, nodeSettings, async ({ db, config }) => {
    const merchants =
      merchant === undefined ? await listMerchants(db) : [await getMerchant({ db }, merchant)];
    const merchantIds = merchants.map(({ id }) => id);
    try {
      return await withNodes(config.chain, async ({ client, network }) => {
        const found = await readBalances({ db, client, network }, { merchantIds, limit, perSecond });
        // Money of unknown orders has no merchant, so it is listed only without `--merchant`.
        const foundMoney = merchant === undefined ? await findFoundMoney(db, network.name) : [];
        return { network, found, foundMoney };
      });
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      throw new CommandError(
        `${error.message}: what lies on an address is read from the nodes of ${variableOf("chain.nodeUrls")}`,
      );
    }
  });
}

/** An empty address is never shown. */
function holdsAtLeast(minimum: Amount, amounts: readonly Amount[]): boolean {
  return amounts.some((amount) => amount > zero && amount >= minimum);
}

function readMinimum(text: string): Amount {
  const amount = parseAmount(text);
  if (amount === undefined) throw new InvalidArgumentError('It must be a decimal like "1.5".');
  return amount;
}
