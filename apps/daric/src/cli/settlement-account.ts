import { NodeError } from "@daric/chain/blocks/node-error";
import { formatAmount } from "@daric/domain/money";
import { addSettlementAccount } from "@daric/merchants/add-settlement-account";
import { disableSettlementAccount } from "@daric/merchants/disable-settlement-account";
import { getMerchant } from "@daric/merchants/get-merchant";
import { setDefaultSettlementAccount } from "@daric/merchants/set-default-settlement-account";
import { listSettlementAccounts, type SettlementAccount } from "@daric/merchants/settlement-account-store";
import type { Queryable } from "@daric/postgres/sql";
import type { Command } from "commander";
import { variableOf } from "../process/config.ts";
import { auditCommand } from "./audit-command.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne, printTable, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";
import { nodeSettings, withNodes } from "./with-nodes.ts";

type MerchantOption = OutputOptions & { readonly merchant: string };

type AddOptions = MerchantOption & {
  readonly address: string;
  readonly label?: string;
  readonly permissions?: string;
  /** false: `--no-nodes` */
  readonly nodes: boolean;
};

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

  define("add", "vet and add a wallet; the first one becomes the default, a disabled one is enabled again")
    .requiredOption("--address <address>", "TRON address (T…) whose key the merchant holds")
    .option("--label <text>", "a note, up to 120 characters; an empty text removes it")
    .option("--permissions <digest>", "confirm that other keys may move its money, as the refusal says")
    .option("--no-nodes", "ask no node: a contract, a blacklisted wallet or another key goes unnoticed")
    .action((options: AddOptions) => addAccount(terminal, options));

  define("disable", "use an account for no new charges; the default one needs a successor")
    .argument("<id>", "id of the settlement account")
    .option("--new-default <id>", "the account that becomes the default instead")
    .action(async (id: string, options: MerchantOption & { newDefault?: string }) => {
      const { merchant: merchantId, newDefault } = options;
      const account = await withOwnersDatabase(terminal.variables, [], async (context) => {
        const successor = newDefault && { newDefaultId: newDefault };
        const disabled = await disableSettlementAccount(context, { id, merchantId, ...successor });
        await auditAccount(context.db, "settlement-account disable", disabled);
        return disabled;
      });
      printOne(terminal, options, { title: "Settlement account disabled.", view: accountView(account) });
    });

  define("default", "choose the account of charges that name none")
    .argument("<id>", "id of the settlement account")
    .action(async (id: string, options: MerchantOption) => {
      const account = await withOwnersDatabase(terminal.variables, [], async (context) => {
        const chosen = await setDefaultSettlementAccount(context, { id, merchantId: options.merchant });
        await auditAccount(context.db, "settlement-account default", chosen);
        return chosen;
      });
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

function auditAccount(db: Queryable, action: string, account: SettlementAccount): Promise<void> {
  const { id, merchantId, address } = account;
  const after = { address, permissions: account.permissions };
  return auditCommand(db, { action, subject: `settlement account ${id}`, after, merchantId });
}

async function addAccount(terminal: Terminal, options: AddOptions): Promise<void> {
  const { merchant, nodes: isVetted, permissions: confirmed, json: _, ...input } = options;
  const settings = [...nodeSettings, "settlement.stakeAddress"] as const;
  const { account, vetting } = await withOwnersDatabase(terminal.variables, settings, async (context) => {
    const { stakeAddress } = context.config.settlement;
    const added = isVetted
      ? await withNodes(context.config.chain, ({ client: { nodes }, network: { tokens } }) =>
          addSettlementAccount({ ...context, stakeAddress, chain: { nodes, tokens } }, merchant, {
            ...input,
            confirmed,
          }),
        ).catch(explainNodeError)
      : await addSettlementAccount({ ...context, stakeAddress, chain: undefined }, merchant, input);
    await auditAccount(context.db, "settlement-account add", added.account);
    return added;
  });
  const { activation } = vetting ?? {};
  printOne(terminal, options, {
    title: vetting ? "Settlement account added." : "Settlement account added. No node has vetted its wallet.",
    view: {
      ...accountView(account),
      isActivated: vetting ? activation === undefined : null,
      activationTrx: activation === undefined ? null : formatAmount(activation),
    },
  });
}

function explainNodeError(error: unknown): never {
  if (!(error instanceof NodeError)) throw error;
  throw new CommandError(
    `${error.message}: the nodes of ${variableOf("chain.nodeUrls")} vet a wallet, and this one was not added; \`daric settlement-account add --no-nodes\` adds it unvetted`,
  );
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
    permissions: account.permissions,
    createdAt: account.createdAt.toISOString(),
    updatedAt: account.updatedAt.toISOString(),
  };
}
