import { currencies } from "@daric/domain/asset";
import { localCurrencies } from "@daric/domain/fiat";
import { importRates, pricedOf } from "@daric/rates/import-rates";
import type { Priced } from "@daric/rates/sources";
import { systemClock } from "@daric/runtime/clock";
import { type Command, InvalidArgumentError } from "commander";
import { auditCommand } from "./audit-command.ts";
import { type OutputOptions, printOne } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

type ImportOptions = OutputOptions & { readonly currency: Priced; readonly file: string };

/** `daric rates import`: rates of the past, for values in books that are unknown. */
export function addImportCommand(rates: Command, terminal: Terminal): void {
  rates
    .command("import")
    .description(
      "store rates of past minutes where none is known, so that payments of then have a value in books",
    )
    .requiredOption(
      "--currency <code>",
      "a coin (its prices are in USD), or a currency (of 1 USDT)",
      readCurrency,
    )
    .requiredOption(
      "--file <path>",
      "CSV with the columns minute (like 2026-11-03T12:34Z) and price, and perhaps source and currency",
    )
    .option("--json", "print JSON")
    .action(async ({ currency, file, json }: ImportOptions) => {
      const result = await withDatabase(terminal.variables, [], async ({ db }) => {
        const imported = await importRates(db, { priced: currency, path: file, now: systemClock.now() });
        await auditCommand(db, {
          action: "rates import",
          subject: `rates of ${currency}`,
          after: { file, ...imported },
        });
        return imported;
      });
      printOne(terminal, { json }, { title: "Rates imported.", view: { currency, ...result } });
    });
}

function readCurrency(text: string): Priced {
  const priced = pricedOf(text);
  if (priced !== undefined) return priced;
  throw new InvalidArgumentError(`It must be one of ${[...currencies, ...localCurrencies].join(", ")}.`);
}
