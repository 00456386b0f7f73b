import { readFile } from "node:fs/promises";
import { currencies } from "@daric/domain/asset";
import { ApiError } from "@daric/domain/errors";
import { fixedFeeField, perFixedFee } from "@daric/domain/fixed-fee";
import { formatAmount } from "@daric/domain/money";
import { accountCodesText } from "@daric/merchants/book-input";
import { createMerchant } from "@daric/merchants/create-merchant";
import { getMerchant } from "@daric/merchants/get-merchant";
import type { MerchantInput } from "@daric/merchants/schema";
import { listMerchants, type Merchant } from "@daric/merchants/store";
import { updateMerchant } from "@daric/merchants/update-merchant";
import type { Queryable } from "@daric/postgres/sql";
import type { Command } from "commander";
import { auditCommand } from "./audit-command.ts";
import { type OutputOptions, printOne, printTable, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";

const ID_ARGUMENT = "id of the merchant, as `daric merchant list` shows it";
const NAME_TEXT = "shown to payers, 1 to 120 characters";
const JSON_TEXT = "print JSON";
/** The settings of the guard: a logo is fetched through the same one as webhooks. */
const NETWORK_ACCESS = ["egress.allowTargets", "egress.denyTargets"] as const;

/** The terms on the command line; the logo's file by its path. */
type TypedTerms = Omit<MerchantInput, "logoFile"> & { readonly logoFile?: string };

/** `daric merchant create|update|list`. */
export function addMerchantCommands(program: Command, terminal: Terminal): void {
  const merchant = program.command("merchant").description("create and change merchants");

  withTerms(merchant.command("create").requiredOption("--name <text>", NAME_TEXT))
    .description("create a merchant; what is not given takes the default")
    .action(async ({ json, ...input }: OutputOptions & TypedTerms & { name: string }) => {
      const created = await withOwnersDatabase(terminal.variables, NETWORK_ACCESS, async (context) => {
        const made = await createMerchant(context, await withLogo(input));
        await auditMerchant(context.db, made.id, { action: "merchant create", after: input });
        return made;
      });
      printOne(terminal, { json }, { title: "Merchant created.", view: merchantView(created) });
    });

  const update = withTerms(merchant.command("update").option("--name <text>", NAME_TEXT))
    .description("change the given terms and leave the rest; charges that exist keep theirs")
    .argument("<id>", ID_ARGUMENT)
    .action(async (id: string, { json, ...input }: OutputOptions & TypedTerms) => {
      if (Object.keys(input).length === 0) update.error("error: nothing to change: give at least one term");
      const changed = await withOwnersDatabase(terminal.variables, NETWORK_ACCESS, async (context) => {
        const updated = await updateMerchant(context, id, await withLogo(input));
        await auditMerchant(context.db, updated.id, { action: "merchant update", after: input });
        return updated;
      });
      printOne(terminal, { json }, { title: "Merchant changed.", view: merchantView(changed) });
    });

  merchant
    .command("list")
    .description("list all merchants, newest first; with an id, show all terms of that one")
    .argument("[id]", ID_ARGUMENT)
    .option("--json", JSON_TEXT)
    .action(async (id: string | undefined, options: OutputOptions) => {
      if (id !== undefined) {
        const found = await withOwnersDatabase(terminal.variables, [], (context) => getMerchant(context, id));
        printOne(terminal, options, { title: "Merchant", view: merchantView(found) });
        return;
      }
      const merchants = await withOwnersDatabase(terminal.variables, [], ({ db }) => listMerchants(db));
      printTable(terminal, options, {
        views: merchants.map(merchantView),
        columns: ["id", "name", "feeMode", "createdAt"],
      });
    });
}

type MerchantAct = { readonly action: string; readonly after: object };

function auditMerchant(db: Queryable, id: string, act: MerchantAct): Promise<void> {
  return auditCommand(db, { ...act, subject: `merchant ${id}`, merchantId: id });
}

function withTerms(command: Command): Command {
  command
    .option("--logo-url <url>", "https URL that the logo is fetched from once; an empty text removes it")
    .option("--logo-file <path>", "the logo itself: PNG, JPEG or WebP, at most 100 kB and 2048 pixels a side")
    .option("--support-email <address>", "where payers write to; an empty text removes it")
    .option("--support-url <url>", "https page where payers find help; an empty text removes it")
    .option("--accent-color <color>", "colour of the checkout page, like #0f766e, the default")
    .option("--checkout-languages <tags>", "languages of the checkout page, like en,ru (default all)")
    .option(
      "--embed-origin <origin>",
      "site that may show the checkout page in a frame, like https://shop.example; repeated for more; an empty text removes all",
      listed,
    )
    .option(
      "--fee-mode <mode>",
      "the payer of the fee: merchant (out of what arrives) or client (on top of the price)",
    )
    .option("--fee-basis-points <number>", "fee in hundredths of a percent, 0 to 1000 (default 0)");
  for (const coin of currencies) {
    const meaning = `fixed part of the fee of a ${coin} charge, like 0.5 (default 0)`;
    command.option(`--fee-fixed-${coin.toLowerCase()} <amount>`, meaning);
  }
  return command
    .option("--order-lifetime <duration>", "how long an order can be paid (default 60m)")
    .option("--open-lifetime <duration>", "how long an address without an amount can be paid (default 7d)")
    .option(
      "--late-window <duration>",
      "how long after its expiry a payment still pays an order (default 24h)",
    )
    .option(
      "--underpayment-tolerance <percent>",
      "how much too little still pays an order, 0 to 5 (default 0)",
    )
    .option("--active-address-cap <number>", "charges that may be active at once (default 10000)")
    .option("--legal-name <text>", "name on receipts and statements; an empty text removes it")
    .option(
      "--legal-address <text>",
      "address on receipts and statements, with lines; an empty text removes it",
    )
    .option("--tax-id <text>", "tax number on receipts and statements; an empty text removes it")
    .option("--time-zone <name>", "zone of days and months, like Europe/Berlin (default UTC)")
    .option("--book-currency <code>", "currency in which payments are valued, like EUR (default USD)")
    .option(
      "--account-code <account=code>",
      "code of an account of the journal, like revenue=8400; repeated for more; an empty text gives all their defaults",
      listed,
    )
    .option("--json", JSON_TEXT);
}

/** The values of a repeated option, with commas between them. */
function listed(value: string, before?: string): string {
  return before === undefined ? value : `${before},${value}`;
}

/** @throws ApiError VALIDATION_ERROR if the file of a logo cannot be read. */
async function withLogo<T extends TypedTerms>({ logoFile, ...terms }: T) {
  if (logoFile === undefined) return terms;
  const content = await readFile(logoFile).catch((error: NodeJS.ErrnoException) => {
    const details = [{ path: "logoFile", message: `cannot be read (${error.code})` }];
    throw new ApiError("VALIDATION_ERROR", { details });
  });
  return { ...terms, logoFile: content };
}

function merchantView(merchant: Merchant): View {
  return {
    id: merchant.id,
    name: merchant.name,
    logoUrl: merchant.logoUrl,
    logoId: merchant.logoId,
    supportEmail: merchant.supportEmail,
    supportUrl: merchant.supportUrl,
    accentColor: merchant.accentColor,
    checkoutLanguages: merchant.checkoutLanguages?.join() ?? null,
    embedOrigins: merchant.embedOrigins.join(),
    feeMode: merchant.feeMode,
    feeBasisPoints: merchant.feeBasisPoints,
    ...perFixedFee((currency) => formatAmount(merchant[fixedFeeField(currency)])),
    orderLifetimeSeconds: merchant.orderLifetimeSeconds,
    openLifetimeSeconds: merchant.openLifetimeSeconds,
    lateWindowSeconds: merchant.lateWindowSeconds,
    underpaymentToleranceBasisPoints: merchant.toleranceBasisPoints,
    activeAddressCap: merchant.activeAddressCap,
    legalName: merchant.legalName,
    legalAddress: merchant.legalAddress,
    taxId: merchant.taxId,
    timeZone: merchant.timeZone,
    bookCurrency: merchant.bookCurrency,
    accountCodes: accountCodesText(merchant.accountCodes),
    createdAt: merchant.createdAt.toISOString(),
    updatedAt: merchant.updatedAt.toISOString(),
  };
}
