import { roles } from "@daric/runtime/setting";
import { type Command, Option } from "commander";
import { type ConfigReport, checkConfig } from "./check-config.ts";
import type { ConfigVerdict } from "./config-findings.ts";
import type { FilingTerminal } from "./env-file.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printFound, tableOf } from "./print.ts";

const WITH_WARNINGS = 2;

/** `daric config check`: checks the settings before a start. */
export function addConfigCommands(program: Command, terminal: FilingTerminal): void {
  program
    .command("config")
    .description("the settings of this environment")
    .command("check")
    .description(
      "check every setting and its source, and try the database, nodes and ports; exit code 1 if " +
        "something stops a start, 2 if something is doubtful",
    )
    .addOption(new Option("--role <role>", "the role to check").choices([...roles, "all"]).default("all"))
    .option("--quiet", "leave out correct settings")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions & { readonly role: string; readonly quiet?: true }) => {
      const report = await checkConfig(terminal.variables, options.role);
      const shown = {
        ...report,
        settings: pick(report.settings, options),
        trials: pick(report.trials, options),
      };
      printFound(terminal, options, { json: shown, text: () => textOfReport(shown) });
      if (report.verdict === "fault") throw new CommandError(namesOf(report, "fault"));
      if (report.verdict === "doubtful") throw new CommandError(namesOf(report, "doubtful"), WITH_WARNINGS);
    });
}

/** The findings to show: the worst first, otherwise in their order. */
function pick<T extends { readonly verdict: ConfigVerdict }>(
  findings: readonly T[],
  { quiet }: { readonly quiet?: true },
): readonly T[] {
  const order: readonly ConfigVerdict[] = quiet ? ["fault", "doubtful"] : ["fault", "doubtful", "OK"];
  return order.flatMap((verdict) => findings.filter((finding) => finding.verdict === verdict));
}

/** Two tables, with secrets by their fingerprints. */
export function textOfReport({ settings, trials }: ConfigReport): string {
  const rows = settings.map(({ name, source, value, fingerprint, verdict, words }) => ({
    setting: name,
    source,
    value: plain(
      [value, fingerprint && `fingerprint ${fingerprint}`].filter((part) => part).join(", ") || null,
    ),
    verdict,
    why: plain(words),
  }));
  const tried = trials.map(({ trial, verdict, words }) => ({
    tried: plain(trial),
    verdict,
    found: plain(words),
  }));
  if (rows.length + tried.length === 0) return "Nothing to mend.";
  return [
    ...(rows.length === 0 ? [] : [tableOf(rows, ["setting", "source", "value", "verdict", "why"])]),
    ...(tried.length === 0 ? [] : [tableOf(tried, ["tried", "verdict", "found"])]),
  ].join("\n");
}

function namesOf({ settings, trials }: ConfigReport, verdict: ConfigVerdict): string {
  const names = [
    ...settings.filter((setting) => setting.verdict === verdict).map(({ name }) => name),
    ...trials.filter((trial) => trial.verdict === verdict).map(({ trial }) => trial),
  ];
  const means = verdict === "fault" ? "this stops a start" : "doubtful";
  return `${means}: ${plain(names.join(", "))}`;
}

/** A value may be any text, and must not control the terminal. */
function plain<T extends string | null>(text: T): T {
  return (text?.replaceAll(/[\p{Cc}\p{Cf}]/gu, "?") ?? null) as T;
}
