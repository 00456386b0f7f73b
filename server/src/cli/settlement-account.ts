import type { Command } from "commander";
import { addSettlementAccount } from "../merchants/add-settlement-account.ts";
import { disableSettlementAccount } from "../merchants/disable-settlement-account.ts";
import { getMerchant } from "../merchants/get-merchant.ts";
import { setDefaultSettlementAccount } from "../merchants/set-default-settlement-account.ts";
import { listSettlementAccounts, type SettlementAccount } from "../merchants/settlement-account-store.ts";
import { type OutputOptions, printOne, printTable, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";

type MerchantOption = OutputOptions & { readonly merchant: string };

/** `daric settlement-account add|disable|default|list`. */
export function addSettlementAccountCommands(program: Command, terminal: Terminal): void {
  const accounts = program
    .command("settlement-account")
    .description("set where a merchant's confirmed money goes");
  const define = (name: string, description: string): Command =>
    accounts
      .command(name)
      .description(description)
      .requiredOption("--merchant <id>", "id of the merchant")
      .option("--json", "print JSON");

  define("add", "add an address; the first one becomes the default, a disabled one is enabled again")
    .requiredOption("--address <address>", "TRON address (T…) whose key the merchant holds")
    .option("--label <text>", "a note, up to 120 characters; an empty text removes it")
    .action(async (options: MerchantOption & { address: string; label?: string }) => {
      const { merchant, json: _, ...input } = options;
      const account = await withOwnersDatabase(terminal.variables, [], (context) =>
        addSettlementAccount(context, merchant, input),
      );
      printOne(terminal, options, { title: "Settlement account added.", view: accountView(account) });
    });

  define("disable", "use an account for no new charges; the default one needs a successor")
    .argument("<id>", "id of the settlement account")
    .option("--new-default <id>", "the account that becomes the default instead")
    .action(async (id: string, options: MerchantOption & { newDefault?: string }) => {
      const { merchant: merchantId, newDefault } = options;
      const account = await withOwnersDatabase(terminal.variables, [], (context) =>
        disableSettlementAccount(context, {
          id,
          merchantId,
          ...(newDefault && { newDefaultId: newDefault }),
        }),
      );
      printOne(terminal, options, { title: "Settlement account disabled.", view: accountView(account) });
    });

  define("default", "choose the account of charges that name none")
    .argument("<id>", "id of the settlement account")
    .action(async (id: string, options: MerchantOption) => {
      const account = await withOwnersDatabase(terminal.variables, [], (context) =>
        setDefaultSettlementAccount(context, { id, merchantId: options.merchant }),
      );
      printOne(terminal, options, {
        title: "This is the default settlement account now.",
        view: accountView(account),
      });
    });

  define("list", "list a merchant's accounts, the default first").action(async (options: MerchantOption) => {
    const listed = await withOwnersDatabase(terminal.variables, [], async (context) => {
      const { id } = await getMerchant(context, options.merchant);
      return listSettlementAccounts(context.db, id);
    });
    printTable(terminal, options, {
      views: listed.map(accountView),
      columns: ["id", "address", "status", "isDefault", "label"],
    });
  });
}

function accountView(account: SettlementAccount): View {
  return {
    id: account.id,
    merchantId: account.merchantId,
    chain: account.chain,
    address: account.address,
    label: account.label,
    status: account.status,
    isDefault: account.isDefault,
    createdAt: account.createdAt.toISOString(),
    updatedAt: account.updatedAt.toISOString(),
  };
}
