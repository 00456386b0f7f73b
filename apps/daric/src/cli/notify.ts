import { type NetworkAccess, systemAccess } from "@daric/egress/guarded-dial";
import { faultOfMail, type MailSettings, mailAddress } from "@daric/egress/mail-settings";
import { greetingName, greetMailServer, sendMail } from "@daric/egress/send-mail";
import { createTelegram } from "@daric/messages/telegram";
import { ConfigError } from "@daric/runtime/setting";
import { type Command, InvalidArgumentError } from "commander";
import { readSettings, type Settled } from "../process/config.ts";
import { CommandError, failureLines } from "./failure.ts";
import { checkMailRecords, type MailDns, systemDns } from "./mail-records.ts";
import { type OutputOptions, printTable } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { mailServerLabel, mailServersIn, senderNames } from "./try-mail.ts";

/** The settings of `daric notify test`, which needs no database. */
export const NOTICE_SETTINGS = [
  "http.publicBaseUrl",
  "mail.smtpUrl",
  "mail.alertSmtpUrl",
  "mail.mailFrom",
  "mail.greetingName",
  "alerts.telegramToken",
] as const;

type NoticeSettings = Settled<(typeof NOTICE_SETTINGS)[number]>;

/** A trial with its result; `missing` and `unknown` fail no test. */
export type NoticeTrial = {
  readonly what: string;
  readonly result: "ok" | "sent" | "failed" | "missing" | "unknown";
  readonly reason: string | null;
};

/** The network, which tests replace. */
export type Outside = { readonly dns: MailDns; readonly access: NetworkAccess };

/** `daric notify test`. */
export function addNotifyCommands(program: Command, terminal: Terminal): void {
  program
    .command("notify")
    .description("messages to people")
    .command("test")
    .description(
      "try the mail server and the Telegram bot, and look for the records of DNS by which mails arrive; exit code 1 if a trial fails",
    )
    .option("--to <address>", "send a test mail to this address", readAddress)
    .option("--json", "print JSON")
    .action(async ({ to, json }: OutputOptions & { readonly to?: string }) => {
      const settings = readSettings(terminal.variables, NOTICE_SETTINGS);
      const fault = faultOfMail(settings.mail);
      if (fault !== undefined) throw new ConfigError(fault);
      const views = await testNotices(settings, to, { dns: systemDns(), access: systemAccess });
      printTable(terminal, { json }, { views, columns: ["what", "result", "reason"] });
      const failed = views.filter(({ result }) => result === "failed");
      if (failed.length > 0)
        throw new CommandError(failed.map(({ what, reason }) => `${what}: ${reason}`).join("; "));
    });
}

/** Tries each way to people, with a mail if there is a receiver. */
export async function testNotices(
  settings: NoticeSettings,
  to: string | undefined,
  { dns, access }: Outside,
): Promise<NoticeTrial[]> {
  const servers = mailServersIn(settings);
  const { telegramToken } = settings.alerts;
  const [sender] = servers;
  const trials = await Promise.all([
    ...(servers.length === 0 ? [noServer] : servers.map((server) => tryServer(server, to))),
    ...(telegramToken === undefined ? [] : [tryBot(telegramToken, access)]),
  ]);
  return sender === undefined ? trials : [...trials, ...(await checkMailRecords(senderNames(sender), dns))];
}

const noServer: NoticeTrial = {
  what: "mail server",
  result: "failed",
  reason: "none is configured: set SMTP_URL and MAIL_FROM",
};

const TEST_TEXT = "Sent by `daric notify test`. No action is needed.";

function tryServer(server: MailSettings, to: string | undefined): Promise<NoticeTrial> {
  const subject = `Test of mails from ${greetingName(server)}`;
  const work =
    to === undefined ? greetMailServer(server) : sendMail(server, { to: [to], subject, text: TEST_TEXT });
  return tried(
    mailServerLabel(server),
    work.then(() => ({ result: to === undefined ? "ok" : "sent", reason: null })),
  );
}

/** Asks Telegram for the name of the bot. */
function tryBot(token: string, access: NetworkAccess): Promise<NoticeTrial> {
  const name = createTelegram(token, access).getMe();
  return tried(
    "Telegram bot of ALERT_TELEGRAM_TOKEN",
    name.then((found) => ({ result: "ok", reason: `it is @${found}` })),
  );
}

async function tried(
  what: string,
  work: Promise<Pick<NoticeTrial, "result" | "reason">>,
): Promise<NoticeTrial> {
  try {
    return { what, ...(await work) };
  } catch (error) {
    return { what, result: "failed", reason: failureLines(error).join("; ") };
  }
}

function readAddress(text: string): string {
  const { success } = mailAddress.safeParse(text);
  if (!success) throw new InvalidArgumentError("must be a mail address like ada@shop.example");
  return text;
}
