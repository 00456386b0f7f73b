import { isUrl } from "@daric/domain/url";
import { setting } from "@daric/runtime/setting";
import { z } from "zod";

const ADDRESS = /^[^\s@<>,]{1,64}@[^\s@<>,]{1,190}$/;

export const mailAddress = z
  .string()
  .regex(ADDRESS, "must be a mail address like ada@shop.example, without a name");

const smtpUrl = z
  .string()
  .refine(
    (text) => /^smtps?:\/\/\S+$/.test(text) && isUrl(text) && new URL(text).hostname !== "",
    "must be a URL like smtps://user:password@mail.example.com or smtp://mail.example.com:587",
  );

/** The operator's mail server: invitations, resets and alerts. */
export const mailSettings = {
  smtpUrl: setting({
    env: "SMTP_URL",
    read: smtpUrl.optional(),
    secret: true,
    shown: (url) => (url === undefined ? "" : new URL(url).host),
    default: "none",
    roles: ["all"],
    meaning:
      "The mail server for invitations, password resets and alerts: `smtps://` speaks TLS from the start (port 465), `smtp://` needs STARTTLS (port 587). `?tls=none` allows a server of this machine without TLS.",
  }),
  mailFrom: setting({
    env: "MAIL_FROM",
    read: mailAddress.optional(),
    default: "none",
    roles: ["all"],
    meaning: "The sender of mails. Needed with `SMTP_URL`.",
  }),
};

/** The fault if one of the two settings is set without the other. */
export function faultOfMail(mail: {
  smtpUrl?: string | undefined;
  mailFrom?: string | undefined;
}): string | undefined {
  if ((mail.smtpUrl === undefined) === (mail.mailFrom === undefined)) return undefined;
  const [has, lacks] =
    mail.mailFrom === undefined
      ? [mailSettings.smtpUrl.env, mailSettings.mailFrom.env]
      : [mailSettings.mailFrom.env, mailSettings.smtpUrl.env];
  return `${lacks} is required with ${has}`;
}
