import { mailAddress } from "@daric/egress/mail-settings";
import { type DailySpan, parseMinute, parseSpan } from "@daric/messages/local-time";
import { httpUrl, list, setting } from "@daric/runtime/setting";
import { isTimeZone } from "@daric/runtime/time-zone";
import { z } from "zod";

const anyUrl = z.string().refine((text) => httpUrl(text.split("?")[0] ?? ""), "must be an http or https URL");
const shownHost = (url: string | undefined) => (url === undefined ? "" : new URL(url).host);

/** The settings of alerts: the channels, quiet hours and the digest. */
export const alertSettings = {
  webhookUrl: setting({
    env: "ALERT_WEBHOOK_URL",
    read: anyUrl.optional(),
    secret: true,
    shown: shownHost,
    default: "none",
    roles: ["all"],
    meaning:
      "A URL that gets each alert as a POST of JSON. Its field `text` is what chat programs show. The host may be a private one.",
  }),
  mailTo: setting({
    env: "ALERT_MAIL_TO",
    read: list.pipe(z.array(mailAddress)).prefault(""),
    default: "none",
    roles: ["all"],
    meaning: "Mail addresses that get each alert, with commas between. Needs `SMTP_URL` or `ALERT_SMTP_URL`.",
  }),
  telegramToken: setting({
    env: "ALERT_TELEGRAM_TOKEN",
    read: z
      .string()
      .regex(/^\d{1,20}:[\w-]{20,100}$/, "must be a bot's token like 123456789:AA…, as @BotFather shows it")
      .optional(),
    secret: true,
    default: "none",
    roles: ["all"],
    meaning:
      "The token of the Telegram bot of the deployment. It writes to the chats that people link in the dashboard, and sends alerts to `ALERT_TELEGRAM_CHAT`.",
  }),
  telegramChat: setting({
    env: "ALERT_TELEGRAM_CHAT",
    read: z
      .string()
      .regex(/^(-?\d{1,20}|@\w{3,64})$/, "must be the number of a chat, or @name of a channel")
      .optional(),
    default: "none",
    roles: ["all"],
    meaning: "The Telegram chat that gets alerts. Needs `ALERT_TELEGRAM_TOKEN`.",
  }),
  heartbeatUrl: setting({
    env: "ALERT_HEARTBEAT_URL",
    read: anyUrl.optional(),
    secret: true,
    shown: shownHost,
    default: "none",
    roles: ["all"],
    meaning:
      "A URL that gets a GET each minute while the database answers and alerts are evaluated. Let a service outside this machine tell you when it stops.",
  }),
  timeZone: setting({
    env: "ALERT_TIME_ZONE",
    read: z.string().refine(isTimeZone, "must be a time zone like Europe/Berlin").prefault("UTC"),
    default: "UTC",
    roles: ["all"],
    meaning: "The time zone of the two settings below.",
  }),
  quietHours: setting({
    env: "ALERT_QUIET_HOURS",
    read: z
      .string()
      .transform((text, issue): DailySpan => {
        const span = parseSpan(text);
        if (span !== undefined) return span;
        issue.addIssue({ code: "custom", message: "must be two times of day like 22:00-07:00" });
        return z.NEVER;
      })
      .optional(),
    default: "none",
    roles: ["all"],
    meaning:
      "Hours like `22:00-07:00` in which only critical alerts are sent. The others are sent at their end.",
  }),
  digestAt: setting({
    env: "ALERT_DIGEST_AT",
    read: z
      .string()
      .transform((text, issue): number | "off" => {
        const minute = text === "off" ? "off" : parseMinute(text);
        if (minute !== undefined) return minute;
        issue.addIssue({ code: "custom", message: "must be a time of day like 08:00, or off" });
        return z.NEVER;
      })
      .prefault("08:00"),
    default: "08:00",
    roles: ["all"],
    meaning:
      "When the daily digest is sent: the alerts of a day, those that are open, and how the service is. `off` sends none.",
  }),
};

type AlertMail = { readonly mailTo: readonly string[] };

/** Faults of settings that need each other. */
export function faultsOfAlerts(
  alerts: Partial<AlertMail & { telegramToken: string | undefined; telegramChat: string | undefined }>,
  mail: { readonly smtpUrl?: string | undefined; readonly alertSmtpUrl?: string | undefined },
): string[] {
  const { mailTo, telegramToken, telegramChat } = alertSettings;
  const faults = [];
  if ((alerts.mailTo ?? []).length > 0 && (mail.alertSmtpUrl ?? mail.smtpUrl) === undefined)
    faults.push(`SMTP_URL is required with ${mailTo.env}`);
  if (alerts.telegramToken === undefined && alerts.telegramChat !== undefined)
    faults.push(`${telegramToken.env} is required with ${telegramChat.env}`);
  return faults;
}
