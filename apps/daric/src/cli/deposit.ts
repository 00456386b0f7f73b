import { decideDeposit, NotDecidableError } from "@daric/deposits/rescan/decide-deposit";
import { RescanRefusedError } from "@daric/deposits/rescan/rescan";
import type { DepositDecision } from "@daric/domain/deposit";
import { listMerchants } from "@daric/merchants/store";
import type { Command } from "commander";
import { commandActor } from "./audit-command.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printOne } from "./print.ts";
import { readPhrase } from "./read-option.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

type DecisionOptions = OutputOptions & { readonly reason: string; readonly by: string };

/** `daric deposit accept|reject`: an operator decides about a stuck deposit. */
export function addDepositCommands(program: Command, terminal: Terminal): void {
  const deposit = program.command("deposit").description("decide about a deposit that is STUCK");
  addDecision(deposit, terminal, {
    verdict: "accepted",
    description: "confirm a STUCK deposit once its block is final, or take back a rejection",
    help:
      "\nFirst look the transaction up in an explorer and on a node of another operator. The deposit is confirmed like any other,\n" +
      "and the merchant delivers. A rejected deposit has its block read again first.",
  });
  addDecision(deposit, terminal, {
    verdict: "rejected",
    description: "fail a STUCK deposit",
    help: "\nThe deposit fails, and no block brings it back: only `daric deposit accept` does.",
  });
}

function addDecision(
  deposit: Command,
  terminal: Terminal,
  { verdict, description, help }: { verdict: DepositDecision; description: string; help: string },
): void {
  deposit
    .command(verdict === "accepted" ? "accept" : "reject")
    .description(description)
    .argument("<deposit id>", "its id, as `daric find` and the API show it")
    .requiredOption("--reason <text>", "the reason, for the audit log", readPhrase)
    .option("--by <name>", "who decides", readPhrase, commandActor)
    .option("--json", "print JSON")
    .addHelpText("after", help)
    .action(async (depositId: string, { reason, by: actor, ...options }: DecisionOptions) => {
      const decided = await withDatabase(terminal.variables, [], async ({ db, config }) => {
        const merchantIds = (await listMerchants(db)).map(({ id }) => id);
        const { network } = config.chain;
        return decideDeposit(db, { network, merchantIds, depositId, verdict, actor, reason });
      }).catch((error: unknown) => {
        const isRefused = error instanceof NotDecidableError || error instanceof RescanRefusedError;
        throw isRefused ? new CommandError(error.message) : error;
      });
      const { id, status, decision, blockNumber } = decided;
      printOne(terminal, options, {
        title: `Deposit ${id} is ${verdict}; the watcher acts in its next step.`,
        view: { id, status, decision, blockNumber, reason, decidedBy: actor },
      });
    });
}
