import { addressBytes } from "@daric/addresses/address-bytes";
import { listUnattributedTo } from "@daric/addresses/unattributed-store";
import { listDeposits } from "@daric/deposits/list-store";
import { type Currency, currencies, DEFAULT_CURRENCY } from "@daric/domain/asset";
import { type ChargeRef, parseId } from "@daric/domain/ids";
import { type Amount, add, amountFromUnits, formatAmount, parseAmount, zero } from "@daric/domain/money";
import { getMerchant } from "@daric/merchants/get-merchant";
import { isUniqueViolation } from "@daric/postgres/errors";
import type { Database } from "@daric/postgres/sql";
import { isAddress } from "@daric/tron/address";
import { type Command, InvalidArgumentError, Option } from "commander";
import { getCheckoutKey } from "../deployment/store.ts";
import { type AdoptionOrder, adoptOrder, findAdopted, issuedAt } from "./adopt-order.ts";
import { commandActor } from "./audit-command.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound, tableOf, type View } from "./print.ts";
import { readPhrase } from "./read-option.ts";
import { scanBlocksAgain } from "./scan-again.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";

/** The settings that prove that an address is ours, and sign its row. */
const needed = ["integrity.key", "addresses.accountXpub"] as const;
const MAX_DEPOSITS = 100;

type AdoptOptions = OutputOptions & {
  readonly merchant: string;
  readonly orderRef: string;
  readonly id?: string;
  readonly amount?: Amount;
  readonly currency?: Currency;
  readonly settlementAccount?: string;
  readonly by: string;
  /** false: `--no-wait` */
  readonly wait: boolean;
};

/** `daric adopt`: gives an address that the restored database does not know, and its money, back to its merchant. */
export function addAdoptCommand(program: Command, terminal: Terminal): void {
  program
    .command("adopt")
    .description("give an address that a restored database does not know, and its money, to its merchant")
    .argument("<address>", "the address that was paid (T…), as `daric find` and `daric doctor` list it")
    .requiredOption("--merchant <id>", "id of the merchant")
    .requiredOption("--order-ref <text>", "the merchant's reference of the order", readReference)
    .option("--id <id>", "the id that the merchant knows the order by; its events then have their old ids")
    .addOption(
      new Option(
        "--amount <decimal>",
        "the price of the order; without it, with --id, what was found, else any amount is welcome",
      ).argParser(readAmount),
    )
    .addOption(
      new Option("--currency <code>", "the currency of the order (default: that of the money)").choices(
        currencies,
      ),
    )
    .option("--settlement-account <id>", "where its money goes (default: the merchant's default account)")
    .option("--by <name>", "the name of the operator, for the audit log", readPhrase, commandActor)
    .option("--no-wait", "do not wait until the watcher has read the blocks again")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nAs the owner of the tables (DATABASE_DIRECT_URL), beside a service that runs. The watcher reads the blocks of the\n" +
        "money again: it records the deposits and sends their events under their old ids. It may be run again.",
    )
    .action((address: string, options: AdoptOptions) => adoptInto(terminal, address, options));
}

async function adoptInto(terminal: Terminal, address: string, options: AdoptOptions): Promise<void> {
  if (!isAddress(address))
    throw new CommandError(`"${address}" is no TRON address: it has 34 characters and begins with T`);
  const order = await withOwnersDatabase(terminal.variables, needed, async ({ db, config }) => {
    const { network } = config.chain;
    const found = await listUnattributedTo(db, { network, bytes: addressBytes(address) });
    const wanted = await readOrder(db, { ...options, address }, found);
    const known = await findAdopted(db, wanted);
    const ref = known ?? (await adoptNew({ db, config }, wanted));
    const blocks = found.map(({ blockNumber }) => blockNumber);
    await scanBlocksAgain(db, { network, blocks, wait: options.wait }, terminal);
    return { ref, isNew: known === undefined, found, deposits: await depositsOf(db, ref) };
  });
  report(terminal, options, { address, ...order });
}

type Found = Awaited<ReturnType<typeof listUnattributedTo>>;

async function readOrder(
  db: Database,
  options: AdoptOptions & { readonly address: string },
  found: Found,
): Promise<AdoptionOrder> {
  const id = options.id === undefined ? undefined : parseId("charge", options.id);
  if (options.id !== undefined && id === undefined)
    throw new CommandError(`--id "${options.id}" is no id of a charge`);
  const { id: merchantId } = await getMerchant({ db }, options.merchant);
  const currency = options.currency ?? currencyOf(found);
  const sum = found
    .filter((transfer) => transfer.currency === currency)
    .reduce<Amount>((total, { units }) => add(total, amountFromUnits(units)), zero);
  const amount = options.amount ?? (id !== undefined && sum > zero ? sum : null);
  const { address, orderRef, settlementAccount, by } = options;
  return { address, merchantId, id, orderRef, currency, amount, settlementAccount, by };
}

function currencyOf(found: Found): Currency {
  const received = [...new Set(found.map(({ currency }) => currency))];
  if (received.length > 1)
    throw new CommandError(
      `the address received ${received.join(" and ")}: name the order's with --currency`,
    );
  return received[0] ?? DEFAULT_CURRENCY;
}

async function adoptNew(context: Parameters<typeof issuedAt>[0], order: AdoptionOrder): Promise<ChargeRef> {
  const issued = await issuedAt(context, order.address);
  const checkoutKey = await getCheckoutKey(context.db);
  return adoptOrder({ ...context, checkoutKey }, order, issued).catch((error: unknown) => {
    if (!isUniqueViolation(error, "deposit_addresses_pkey")) throw error;
    throw new CommandError(
      `--id ${order.id} is that of another charge of this merchant: see \`daric find ${order.id}\``,
    );
  });
}

async function depositsOf(db: Database, { merchantId, id: chargeId }: ChargeRef): Promise<View[]> {
  const { rows } = await listDeposits(db, { merchantId, chargeId }, { limit: MAX_DEPOSITS, offset: 0 });
  return rows.map(({ id, status, amount, currency, txId }) => ({
    id,
    status,
    amount: formatAmount(amount),
    currency,
    txHash: txId,
  }));
}

type Adopted = {
  readonly address: string;
  readonly ref: ChargeRef;
  readonly isNew: boolean;
  readonly found: Found;
  readonly deposits: readonly View[];
};

function report(terminal: Terminal, options: AdoptOptions, adopted: Adopted): void {
  const { address, ref, isNew, found, deposits } = adopted;
  const title = isNew
    ? `${address} is now charge ${ref.id}.`
    : `${address} was adopted already, as charge ${ref.id}.`;
  const money =
    deposits.length > 0
      ? tableOf(deposits, ["id", "status", "amount", "currency", "txHash"])
      : found.length > 0
        ? "The watcher reads the blocks of its money again; `daric find` then shows its deposits.\n"
        : "No payment to it was seen yet. If there was one, have its block read again: `daric scan --from N --to N`.\n";
  printFound(terminal, options, {
    json: {
      address,
      depositAddressId: ref.id,
      merchantId: ref.merchantId,
      isNew,
      transfers: found.length,
      deposits,
    },
    text: () => `${title}\n${money}`,
  });
}

/** The longest reference of the API, in code points. */
const MAX_REFERENCE = 120;

function readReference(text: string): string {
  const length = [...text].length;
  if (length > 0 && length <= MAX_REFERENCE && !text.includes("\0")) return text;
  throw new InvalidArgumentError(`It must have 1 to ${MAX_REFERENCE} characters.`);
}

function readAmount(text: string): Amount {
  const amount = parseAmount(text);
  if (amount !== undefined) return amount;
  throw new InvalidArgumentError('It must be a decimal like "25.5", with at most 6 digits after the point.');
}
