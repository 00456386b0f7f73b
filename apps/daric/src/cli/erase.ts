import { deleteTermsOfTexts } from "@daric/console/dashboard/search/term-store";
import { getMerchant } from "@daric/merchants/get-merchant";
import type { Command } from "commander";
import { auditCommand, commandActor } from "./audit-command.ts";
import { type Erased, eraseTexts } from "./erase-store.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne } from "./print.ts";
import { readPhrase } from "./read-option.ts";
import type { Terminal } from "./terminal.ts";
import { withOwnersDatabase } from "./with-database.ts";

type EraseOptions = OutputOptions & {
  readonly merchant: string;
  readonly orderRef?: string;
  readonly customerRef?: string;
  readonly dryRun?: true;
  readonly by: string;
};

/** Undoes the transaction of a dry run. */
class DryRunEnd extends Error {}

/** `daric erase`: empties the free texts about a payer. */
export function addEraseCommand(program: Command, terminal: Terminal): void {
  program
    .command("erase")
    .description(
      "empty the free texts about a payer: metadata, label, return URLs, notes, reasons of refunds, texts of a payment link and the e-mail address; amounts, addresses and transactions stay",
    )
    .requiredOption("--merchant <id>", "id of the merchant")
    .option("--order-ref <text>", "the reference of the payer's order")
    .option("--customer-ref <text>", "the reference of the payer's receive address")
    .option("--dry-run", "only count what would be emptied")
    .option("--by <name>", "the name of the operator, for the audit log", readPhrase, commandActor)
    .option("--json", "print JSON")
    .action((options: EraseOptions) => erase(terminal, options));
}

async function erase(terminal: Terminal, options: EraseOptions): Promise<void> {
  const { orderRef, customerRef, dryRun = false, by: actor } = options;
  if ((orderRef === undefined) === (customerRef === undefined))
    throw new CommandError("give either --order-ref or --customer-ref", 2);
  const { known, ...erased } = await withOwnersDatabase(
    terminal.variables,
    [],
    async ({ db, ...context }) => {
      const { id: merchantId } = await getMerchant({ db, ...context }, options.merchant);
      let found: Erased = { known: 0, charges: 0, notes: 0, refunds: 0 };
      // The texts are emptied in the same transaction as the audit entry, so a failure erases nothing.
      const work = db.transaction(async (tx) => {
        await deleteTermsOfTexts(tx, merchantId, { orderRef, customerRef });
        found = await eraseTexts(tx, { merchantId, orderRef, customerRef });
        if (dryRun) throw new DryRunEnd();
        if (countErased(found) === 0) return;
        // The log repeats no reference, which may be personal itself.
        await auditCommand(tx, {
          action: "erase",
          subject: `merchant ${merchantId}`,
          after: { charges: found.charges, notes: found.notes, refunds: found.refunds },
          merchantId,
          actor,
        });
      });
      await work.catch((error: unknown) => {
        if (!(error instanceof DryRunEnd)) throw error;
      });
      return found;
    },
  );
  if (known === 0) throw new CommandError("this merchant has no charge of that reference");
  const title =
    countErased({ known, ...erased }) === 0
      ? "Nothing was left to empty."
      : dryRun
        ? "This would be emptied; nothing was changed."
        : "Emptied for good.";
  printOne(terminal, options, { title, view: { ...erased, dryRun } });
}

function countErased({ charges, notes, refunds }: Erased): number {
  return charges + notes + refunds;
}
