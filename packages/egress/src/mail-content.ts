import type { SendMailOptions } from "nodemailer";
import { isMailAddress } from "./mail-settings.ts";

/** A file that goes with a mail. */
export type MailAttachment = {
  readonly filename: string;
  readonly content: Buffer;
  readonly contentType: string;
  /** the HTML shows it as `cid:` and this name */
  readonly cid?: string;
};

export type Mail = {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  /** the name beside the sender's address */
  readonly fromName?: string | undefined;
  /** left out if it is no address */
  readonly replyTo?: string | undefined;
  /** a POST there ends mails like this one */
  readonly unsubscribeUrl?: string | undefined;
  readonly attachments?: readonly MailAttachment[] | undefined;
  /** names the mail: one that is sent again has the same Message-ID, so that a reader can drop it */
  readonly id?: string | undefined;
};

/** Marks that turn the direction of a text, and so show another text than the one that is there. */
const DIRECTION_MARKS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** The text as one line of a header: line ends, control characters and broken ones become a blank, and marks of direction go. */
export function headerText(text: string): string {
  return text
    .replaceAll(DIRECTION_MARKS, "")
    .replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
}

/** The mail for nodemailer, which adds Date, and a Message-ID where there is none. Addresses are given as parts, so none is read as several. */
export function mailContent(mail: Mail, mailFrom: string): SendMailOptions {
  const { to, subject, text, html, fromName, replyTo, unsubscribeUrl, attachments = [], id } = mail;
  const domain = mailFrom.split("@")[1];
  return {
    from: { name: headerText(fromName ?? ""), address: mailFrom },
    to: to.map((address) => ({ name: "", address })),
    ...(replyTo !== undefined && isMailAddress(replyTo) ? { replyTo: { name: "", address: replyTo } } : {}),
    envelope: { from: mailFrom, to: [...to] },
    subject: headerText(subject),
    ...(id === undefined ? {} : { messageId: `<${headerText(id)}@${domain}>` }),
    text: withLineFeeds(text),
    ...(html === undefined ? {} : { html: withLineFeeds(html) }),
    headers: {
      "Auto-Submitted": "auto-generated",
      ...(unsubscribeUrl === undefined ? {} : unsubscribeHeaders(unsubscribeUrl)),
    },
    attachments: attachments.map(({ filename, content, contentType, cid }) => ({
      filename: headerText(filename),
      content,
      contentType: headerText(contentType),
      ...(cid === undefined ? {} : { cid: headerText(cid), contentDisposition: "inline" as const }),
    })),
  };
}

/** A bare CR could end the mail early for a server that reads it as a line end. */
function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n");
}

/** The URL parser takes line ends out. */
function unsubscribeHeaders(url: string): Record<string, string> {
  return {
    "List-Unsubscribe": `<${new URL(url).href}>`,
    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
  };
}
