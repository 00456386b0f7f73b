import { isUrl } from "@daric/domain/url";
import { integerOr, setting } from "@daric/runtime/setting";
import { z } from "zod";

/** Only what needs no quotes in a header, and no encoded word, which ends with `?=`. */
const ADDRESS = /^[^\s@<>,;:"()[\]\\\p{Cc}\p{Cf}]{1,64}@[^\s@<>,;:"()[\]\\?=\p{Cc}\p{Cf}]{1,190}$/u;

export const mailAddress = z
  .string()
  .regex(ADDRESS, "must be a mail address like ada@shop.example, without a name");

export function isMailAddress(text: string): boolean {
  return ADDRESS.test(text);
}

const smtpUrl = z
  .string()
  .refine(
    (text) => /^smtps?:\/\/\S+$/.test(text) && isUrl(text) && new URL(text).hostname !== "",
    "must be a URL like smtps://user:password@mail.example.com or smtp://mail.example.com:587",
  );

const shownHost = (url: string | undefined) => (url === undefined ? "" : new URL(url).host);

/** A full host name, such as DNS may know. */
const HOST_NAME = /^(?=.{4,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** The mail servers, the sender and the pace of mails. */
export const mailSettings = {
  smtpUrl: setting({
    env: "SMTP_URL",
    read: smtpUrl.optional(),
    secret: true,
    shown: shownHost,
    default: "none",
    roles: ["all"],
    meaning:
      "The mail server for invitations, password resets, messages and alerts: `smtps://` speaks TLS from the start (port 465), `smtp://` needs STARTTLS (port 587). `?tls=none` allows a server of this machine without TLS. [Mail](mail.md) says how mails arrive.",
  }),
  alertSmtpUrl: setting({
    env: "ALERT_SMTP_URL",
    read: smtpUrl.optional(),
    secret: true,
    shown: shownHost,
    default: "`SMTP_URL`",
    roles: ["all"],
    meaning:
      "A mail server for the operator's alerts alone, so that they arrive while the other server is away. It is written like `SMTP_URL`.",
  }),
  mailFrom: setting({
    env: "MAIL_FROM",
    read: mailAddress.optional(),
    default: "none",
    roles: ["all"],
    meaning: "The sender of mails. Needed with `SMTP_URL` and `ALERT_SMTP_URL`.",
  }),
  greetingName: setting({
    env: "MAIL_GREETING_NAME",
    read: z.string().regex(HOST_NAME, "must be a full host name like mail.shop.example").optional(),
    default: "host of `PUBLIC_BASE_URL`",
    roles: ["all"],
    meaning:
      "The name by which this machine greets a mail server (EHLO). Strict servers want an A record of it. Without a base URL it is the domain of `MAIL_FROM`.",
  }),
  perMinute: setting({
    env: "MAIL_PER_MINUTE",
    ...integerOr(300, 1, 60_000),
    roles: ["webhooks"],
    meaning: "The most mails that a process sends in a minute. Your mail server or its provider has a limit.",
  }),
};

/** A mail server, and the sender. */
export type MailSettings = {
  readonly smtpUrl: string;
  readonly mailFrom: string;
  /** its host greets the mail server if no name is set */
  readonly publicBaseUrl: string | undefined;
  readonly greetingName?: string | undefined;
  /** the variable that has the URL, for the words of an advice; SMTP_URL by default */
  readonly urlFrom?: string;
};

type MailConfig = {
  readonly mail: {
    readonly smtpUrl?: string | undefined;
    readonly alertSmtpUrl?: string | undefined;
    readonly mailFrom?: string | undefined;
    readonly greetingName?: string | undefined;
  };
  readonly http: { readonly publicBaseUrl: string | undefined };
};

/** The mail server for people; undefined where none is configured. */
export function mailServerOf({ mail, http }: MailConfig): MailSettings | undefined {
  const { smtpUrl, mailFrom, greetingName } = mail;
  if (smtpUrl === undefined || mailFrom === undefined) return undefined;
  return { smtpUrl, mailFrom, greetingName, publicBaseUrl: http.publicBaseUrl };
}

/** The mail server for alerts: that of the operator alone, or else that for people. */
export function alertServerOf({ mail, http }: MailConfig): MailSettings | undefined {
  const own = mail.alertSmtpUrl;
  if (own === undefined) return mailServerOf({ mail, http });
  const server = mailServerOf({ mail: { ...mail, smtpUrl: own }, http });
  return server && { ...server, urlFrom: mailSettings.alertSmtpUrl.env };
}

/** The fault if a mail server has no sender, or a sender no mail server. */
export function faultOfMail(mail: MailConfig["mail"]): string | undefined {
  const { smtpUrl, alertSmtpUrl, mailFrom } = mailSettings;
  const url = [smtpUrl, alertSmtpUrl].find(
    (_, index) => [mail.smtpUrl, mail.alertSmtpUrl][index] !== undefined,
  );
  if ((url === undefined) === (mail.mailFrom === undefined)) return undefined;
  return url === undefined
    ? `${smtpUrl.env} is required with ${mailFrom.env}`
    : `${mailFrom.env} is required with ${url.env}`;
}
