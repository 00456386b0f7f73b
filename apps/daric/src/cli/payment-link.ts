import { getMerchant } from "@daric/merchants/get-merchant";
import type { PaymentLinkRef } from "@daric/payment-links/payment-link";
import { closeLinks, findLinkRef } from "@daric/payment-links/store";
import type { Queryable } from "@daric/postgres/sql";
import type { Command } from "commander";
import { auditCommand, commandActor } from "./audit-command.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne } from "./print.ts";
import { readPhrase } from "./read-option.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";

type CloseOptions = OutputOptions & {
  readonly merchant?: string;
  readonly undo?: true;
  readonly reason?: string;
  readonly by: string;
};

const TOKEN = /(?:^|\/)([A-Za-z0-9_-]{40})(?:[/?#]|$)/;

/** `daric payment-link close`, for the operator: what it closes the merchant cannot bring back. */
export function addPaymentLinkCommands(program: Command, terminal: Terminal): void {
  program
    .command("payment-link")
    .description("take payment links of merchants away")
    .command("close")
    .description(
      "take a payment link away, or all of a merchant: its page takes no new orders, and those that exist go on",
    )
    .argument("[url]", "the link's URL, or its token")
    .option("--merchant <id>", "all links of this merchant")
    .option("--undo", "give them back to the merchant")
    .option("--reason <text>", "why, for the audit log", readPhrase)
    .option("--by <name>", "the name of the operator, for the audit log", readPhrase, commandActor)
    .option("--json", "print JSON")
    .action((url: string | undefined, options: CloseOptions) => run(terminal, url, options));
}

async function run(terminal: Terminal, url: string | undefined, options: CloseOptions): Promise<void> {
  const { merchant, reason, by: actor } = options;
  const isClosed = options.undo !== true;
  if ((url === undefined) === (merchant === undefined))
    throw new CommandError("give either the URL of a link or --merchant", 2);
  const changed = await withOwnersDatabase(terminal.variables, [], async ({ db, ...context }) => {
    const wanted =
      url === undefined
        ? { merchantId: (await getMerchant({ db, ...context }, merchant ?? "")).id }
        : await getLinkRef(db, url);
    return db.transaction(async (tx) => {
      const links = await closeLinks(tx, wanted, isClosed);
      await auditCommand(tx, {
        action: isClosed ? "payment-link close" : "payment-link close --undo",
        subject: "id" in wanted ? `payment link ${wanted.id}` : `merchant ${wanted.merchantId}`,
        after: { links },
        merchantId: wanted.merchantId,
        actor,
        ...(reason !== undefined && { reason }),
      });
      return { merchant: wanted.merchantId, links };
    });
  });
  const title = isClosed ? "Closed: these links take no new orders." : "Reopened.";
  printOne(terminal, options, { title, view: changed });
}

/** @throws CommandError if this database has no such link. */
async function getLinkRef(db: Queryable, url: string): Promise<PaymentLinkRef> {
  const token = TOKEN.exec(url)?.[1];
  const ref = token === undefined ? undefined : await findLinkRef(db, token);
  if (ref === undefined) throw new CommandError("this is the URL of no payment link of this database");
  return ref;
}
