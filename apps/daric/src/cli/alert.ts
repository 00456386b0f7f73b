import { channelsOf } from "@daric/console/alerts/channels";
import { plainMessage, runbookLink } from "@daric/console/alerts/message";
import { listOpen } from "@daric/console/alerts/occurrence-store";
import { faultsOfAlerts } from "@daric/console/alerts/settings";
import { faultOfMail } from "@daric/egress/mail-settings";
import { reasonOf } from "@daric/messages/send-messages";
import { ConfigError } from "@daric/runtime/setting";
import type { Command } from "commander";
import { readSettings } from "../process/config.ts";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printTable, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

/** The settings of `daric alert test`, which needs no database. */
const NEEDED = [
  "chain.network",
  "http.publicBaseUrl",
  "alerts.webhookUrl",
  "alerts.mailTo",
  "alerts.telegramToken",
  "alerts.telegramChat",
  "mail.smtpUrl",
  "mail.alertSmtpUrl",
  "mail.mailFrom",
  "mail.greetingName",
] as const;

/** `daric alert test|list`. */
export function addAlertCommands(program: Command, terminal: Terminal): void {
  const alert = program.command("alert").description("the alerts of the service");
  alert
    .command("test")
    .description("send a test through each configured channel; exit code 1 if one fails")
    .option("--json", "print JSON")
    .action((options: OutputOptions) => runTest(terminal, options));
  alert
    .command("list")
    .description("list the alerts that are open now")
    .option("--json", "print JSON")
    .action(async (options: OutputOptions) => {
      const { http } = readSettings(terminal.variables, ["http.publicBaseUrl"]);
      const open = await withDatabase(terminal.variables, [], ({ db }) => listOpen(db));
      const views = open.map(({ labels, startedAt, pendingSince, ...each }) => ({
        alert: each.alert,
        severity: each.severity,
        state: startedAt === null ? "pending" : "open",
        since: pendingSince.toISOString(),
        summary: each.summary,
        runbook: runbookLink(each.runbook, JSON.parse(labels), http.publicBaseUrl),
      }));
      printTable(terminal, options, {
        views,
        columns: ["alert", "severity", "state", "since", "summary", "runbook"],
      });
    });
}

async function runTest(terminal: Terminal, options: OutputOptions): Promise<void> {
  const { chain, http, alerts, mail } = readSettings(terminal.variables, NEEDED);
  const faults = [faultOfMail(mail), ...faultsOfAlerts(alerts, mail)].filter((fault) => fault !== undefined);
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));
  const channels = channelsOf({ alerts, mail, http });
  if (channels.length === 0)
    throw new CommandError(
      "no channel is configured: set ALERT_WEBHOOK_URL, ALERT_MAIL_TO with SMTP_URL, or ALERT_TELEGRAM_TOKEN with ALERT_TELEGRAM_CHAT",
    );
  const lines = ["Sent by `daric alert test`. No action is needed."];
  const message = plainMessage("test", { summary: "Test of the alerts", lines }, chain);
  const views: View[] = await Promise.all(
    channels.map(({ name, send }) =>
      send(message).then(
        () => ({ channel: name, result: "sent", reason: null }),
        (error: unknown) => ({ channel: name, result: "failed", reason: reasonOf(error) }),
      ),
    ),
  );
  printTable(terminal, options, { views, columns: ["channel", "result", "reason"] });
  const failed = views.filter(({ result }) => result === "failed");
  if (failed.length > 0)
    throw new CommandError(failed.map(({ channel, reason }) => `${channel}: ${reason}`).join("; "));
}
