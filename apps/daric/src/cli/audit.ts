import { type AuditedAct, listAudit } from "@daric/runtime/audit-store";
import { parseDurationMs } from "@daric/runtime/duration";
import type { Command } from "commander";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound, tableOf } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

const MAX_LISTED = 1_000;

type AuditOptions = OutputOptions & {
  readonly since: string;
  readonly until?: string;
  readonly by?: string;
  readonly merchant?: string;
};

/** `daric audit`: lists the changes by people and by commands. */
export function addAuditCommand(program: Command, terminal: Terminal): void {
  program
    .command("audit")
    .description("list what people and command lines did: keys, wallets, decisions, pauses; the newest first")
    .option("--since <time>", "a duration like 7d, or a time like 2026-05-01T12:00:00Z", "30d")
    .option("--until <time>", "the same; default: now")
    .option("--by <text>", "only acts whose actor contains this")
    .option("--merchant <id>", "only acts for this merchant")
    .option("--json", "print JSON")
    .action(async (options: AuditOptions) => {
      const now = new Date();
      const range = {
        since: timeOf(options.since, now, "--since"),
        until: options.until === undefined ? now : timeOf(options.until, now, "--until"),
      };
      const { by = null, merchant = null } = options;
      const found = await withDatabase(terminal.variables, [], ({ db }) =>
        listAudit(db, { ...range, by, merchantId: merchant, limit: MAX_LISTED }),
      );
      printFound(terminal, options, {
        json: found.map(({ id, at, ...act }) => ({ id: String(id), at: at.toISOString(), ...act })),
        text: () => textOf(found),
      });
    });
}

function textOf(acts: readonly AuditedAct[]): string {
  if (acts.length === 0) return "No act in this time.\n";
  const views = acts.map(({ at, actor, person, address, action, subject, reason, after }) => ({
    at: at.toISOString(),
    by: person ?? actor,
    from: address ?? "command line",
    action,
    subject,
    change: reason || (after === null ? null : JSON.stringify(after)),
  }));
  return tableOf(views, ["at", "by", "from", "action", "subject", "change"]);
}

function timeOf(text: string, now: Date, option: string): Date {
  const ms = parseDurationMs(text);
  if (ms !== undefined) return new Date(now.getTime() - ms);
  const at = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(at.getTime())) return at;
  throw new CommandError(`${option} must be a duration like 7d, or a time like 2026-05-01T12:00:00Z`, 2);
}
