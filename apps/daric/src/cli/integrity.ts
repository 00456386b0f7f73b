import { sealAddresses } from "@daric/addresses/seal-addresses";
import { type SealedPerson, sealPeople } from "@daric/console/people/rights";
import { systemClock } from "@daric/runtime/clock";
import type { Command } from "commander";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { throttleProgress } from "./throttle-progress.ts";
import { withOwnersDatabase } from "./with-database.ts";

const needed = ["integrity.key", "addresses.accountXpub"] as const;

/** `daric integrity`: the row MACs of addresses, events and people's rights. */
export function addIntegrityCommands(program: Command, terminal: Terminal): void {
  program
    .command("integrity")
    .description(
      "the codes under DARIC_INTEGRITY_KEY, which authenticate addresses, events and people's rights",
    )
    .command("seal")
    .description(
      "write the code of every address and person without one, as after a lost integrity key; harmless when all have one",
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nOnce after `daric migrate`, as the owner of the tables (DATABASE_DIRECT_URL), also beside a service that runs.\n" +
        "After an interruption it continues. Exit code 1: some addresses do not match their index, or are\n" +
        "another charge's. They are named, stay without a code and are never shown. Or the rights of a person\n" +
        "were written by another program: that person stays refused. Review the people that it lists: they are believed now.",
    )
    .action(async (options: OutputOptions) => {
      const print = throttleProgress(systemClock, (line) => terminal.writeError(`daric: ${line}\n`));
      const found = await withOwnersDatabase(terminal.variables, needed, async (context) => ({
        ...(await sealAddresses(context, (sealed) => print(`${sealed} addresses are sealed`))),
        people: await sealPeople(context.db, context.config.integrity.key),
      }));
      const { sealed, refused, named, people } = found;
      printFound(terminal, options, {
        json: found,
        text: () =>
          [
            `${sealed} addresses were sealed; from now on one without a code is not shown.`,
            ...named.map(({ chargeId, address, fault }) => `  refused: ${address} of ${chargeId}: ${fault}`),
            ...(refused > named.length ? [`  and ${refused - named.length} more`] : []),
            `${people.sealed.length} people were sealed.`,
            ...people.sealed.map((person) => `  ${textOf(person)}`),
            ...people.refused.map(
              (email) => `  refused: ${email}: these rights were written by another program`,
            ),
            "",
          ].join("\n"),
      });
      if (people.refused.length > 0)
        throw new CommandError(
          `${people.refused.length} people stay refused: compare them with the audit log`,
        );
      if (refused > 0) throw new CommandError(`${refused} addresses were refused; they are never shown`);
    });
}

function textOf({ email, isOperator, memberships, secondFactors }: SealedPerson): string {
  const places = memberships.map(({ merchantId, role }) => `${role} of ${merchantId}`);
  const rights = [...(isOperator ? ["operator"] : []), ...places];
  return `${email}: ${rights.join(", ") || "no rights"}; second factors: ${secondFactors}`;
}
