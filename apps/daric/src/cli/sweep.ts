import { formatAmount } from "@daric/domain/money";
import { getControl, pauseSettlement, requestPlan, resumeSettlement } from "@daric/settlement/control-store";
import { describeUnrated } from "@daric/settlement/plan/small-sums";
import { findSignerState } from "@daric/settlement/signer-store";
import { countExports } from "@daric/settlement/sweeps/exported-store";
import { countOpenSweeps, listHeldSweeps } from "@daric/settlement/worker/watch-store";
import type { Command } from "commander";
import { auditCommand } from "./audit-command.ts";
import { type OutputOptions, printFound, printOne, tableOf } from "./print.ts";
import { addOfflineCommands } from "./sweep-offline.ts";
import { addPlanCommand } from "./sweep-plan.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase, withOwnersDatabase } from "./with-database.ts";

const MAX_HELD = 50;

/** `daric sweep plan|run|status|pause|resume|export|import`: pays confirmed money out to the merchants' wallets. */
export function addSweepCommands(program: Command, terminal: Terminal): void {
  const sweep = program.command("sweep").description("send confirmed money to the merchants' wallets");
  addPlanCommand(sweep, terminal);
  addRun(sweep, terminal);
  addStatus(sweep, terminal);
  addPause(sweep, terminal);
  addOfflineCommands(sweep, terminal);
}

function addRun(sweep: Command, terminal: Terminal): void {
  sweep
    .command("run")
    .description("have the settlement role plan now, instead of within half a minute")
    .option("--all", "sweep everything that is confirmed now and worth more than its price")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions & { all?: true }) => {
      const isAll = options.all === true;
      await withOwnersDatabase(terminal.variables, [], async ({ db }) => {
        await requestPlan(db, { isAll });
        await auditCommand(db, { action: "sweep run", subject: "settlement", after: { isAll } });
      });
      const title = "The settlement role plans with its next step; `daric sweep status` follows it.";
      printOne(terminal, options, { title, view: { isAll } });
    });
}

function addStatus(sweep: Command, terminal: Terminal): void {
  sweep
    .command("status")
    .description("show the open sweeps, and why any wait or are frozen")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      const { counts, held, control, signer, exported, withoutRate } = await withDatabase(
        terminal.variables,
        [],
        async ({ db }) => ({
          counts: (await countOpenSweeps(db)).filter(({ count }) => count > 0),
          held: await listHeldSweeps(db, MAX_HELD),
          control: await getControl(db),
          signer: await findSignerState(db),
          exported: await countExports(db),
          withoutRate: await describeUnrated({ db }),
        }),
      );
      const views = held.map(({ units, updatedAt, ...row }) => ({
        ...row,
        amount: formatAmount(units),
        since: updatedAt.toISOString(),
      }));
      const paused =
        control.pauseReason === null
          ? null
          : `${control.pauseReason} (since ${control.pausedAt?.toISOString()})`;
      const seen = signer?.seenAt?.toISOString() ?? null;
      const away = exported && { sweeps: exported.count, until: exported.until.toISOString() };
      const json = {
        paused,
        signerSeenAt: seen,
        exported: away ?? null,
        withoutRate,
        open: counts,
        held: views,
      };
      printFound(terminal, options, {
        json,
        text: () =>
          [
            paused === null ? "" : `PAUSED: ${paused}\n`,
            seen === null ? "The signer has never run on this database.\n" : `Signer seen at ${seen}.\n`,
            away ? `${away.sweeps} sweeps are exported, and are dropped from ${away.until} on.\n` : "",
            ...withoutRate.map((line) => `${line}\n`),
            counts.length === 0 ? "No sweep is open.\n" : countsText(counts),
            views.length === 0
              ? ""
              : `\n${tableOf(views, ["status", "address", "currency", "amount", "since", "reason"])}`,
          ].join(""),
      });
    });
}

function countsText(counts: Awaited<ReturnType<typeof countOpenSweeps>>): string {
  const views = counts.map(({ status, count, oldestSeconds }) => ({
    status,
    count,
    oldestSeconds: Math.round(oldestSeconds),
  }));
  return tableOf(views, ["status", "count", "oldestSeconds"]);
}

function addPause(sweep: Command, terminal: Terminal): void {
  sweep
    .command("pause")
    .description("make no new transaction; sent ones are followed to their end")
    .requiredOption("--reason <text>", "why, for the next operator")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions & { reason: string }) => {
      await withOwnersDatabase(terminal.variables, [], async ({ db }) => {
        await pauseSettlement(db, options.reason);
        await auditCommand(db, { action: "sweep pause", subject: "settlement", reason: options.reason });
      });
      printOne(terminal, options, { title: "Settlement is paused.", view: { reason: options.reason } });
    });
  sweep
    .command("resume")
    .description("go on after a pause")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      await withOwnersDatabase(terminal.variables, [], async ({ db }) => {
        await resumeSettlement(db);
        await auditCommand(db, { action: "sweep resume", subject: "settlement" });
      });
      printOne(terminal, options, { title: "Settlement goes on.", view: { isPaused: false } });
    });
}
