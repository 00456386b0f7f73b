import { setTimeout as delay } from "node:timers/promises";
import type { SenderNames } from "@daric/domain/mail-refusal";
import type { SMTPPoolOptions } from "nodemailer";
import { type Mail, mailContent } from "./mail-content.ts";
import { MailFailure, mailFailureOf } from "./mail-failure.ts";
import { isMailAddress, type MailSettings, mailSettings } from "./mail-settings.ts";

/** The longest waits. */
export type MailLimits = {
  /** to connect, up to the greeting and TLS */
  readonly connectMs: number;
  /** for each answer of the server */
  readonly answerMs: number;
  /** for a whole mail */
  readonly mailMs: number;
};

const LIMITS: MailLimits = { connectMs: 5_000, answerMs: 10_000, mailMs: 30_000 };
const MINUTE_MS = 60_000;

export type Mailer = {
  /** Resolves when the server has taken the mail for every receiver. @throws MailFailure if it has not. */
  send(mail: Mail): Promise<void>;
  /** Ends the connection; a mail that is on its way or waits for its turn fails. */
  close(): void;
};

/**
 * Sends mails one after another on one kept connection, at the pace of `perMinute`. A closed connection is opened again by the next mail.
 * Certificates are verified. The operator named the server, so it may be a private one.
 */
export function createMailer(
  settings: MailSettings & { readonly perMinute: number },
  limits: MailLimits = LIMITS,
): Mailer {
  const { mailFrom, perMinute } = settings;
  const names = senderNames(settings);
  const closing = new AbortController();
  let opened: Promise<Transport> | undefined;
  let last: Promise<void> = Promise.resolve();
  let nextAtMs = 0;

  async function sendNext(mail: Mail): Promise<void> {
    const content = mailContent(checked(mail), mailFrom);
    await delay(Math.max(0, nextAtMs - performance.now()), undefined, { signal: closing.signal });
    nextAtMs = performance.now() + MINUTE_MS / perMinute;
    opened ??= openTransport(settings, limits);
    const transport = await opened;
    const signal = AbortSignal.timeout(limits.mailMs);
    const { rejectedErrors = [] } = await transport.sendMail({ ...content, signal });
    const [refusal] = rejectedErrors;
    if (refusal !== undefined) {
      const at = mail.to.indexOf(refusal.recipient ?? "") + 1;
      throw mailFailureOf(refusal, names, `receiver ${at} of ${mail.to.length}, and took it for others`);
    }
  }

  return {
    send(mail) {
      const sent = last
        .then(() => sendNext(mail))
        .catch((error: unknown) => Promise.reject(failureOf(error, names, limits)));
      last = sent.catch(() => undefined);
      return sent;
    },
    close() {
      closing.abort();
      void opened?.then((transport) => transport.close({ force: true }));
    },
  };
}

/** Sends one mail, on a connection of its own. @throws MailFailure if the server does not take it for every receiver. */
export async function sendMail(settings: MailSettings, mail: Mail): Promise<void> {
  const mailer = createMailer({ ...settings, perMinute: MINUTE_MS });
  try {
    await mailer.send(mail);
  } finally {
    mailer.close();
  }
}

/** Connects, greets, and logs in, without a mail. @throws MailFailure if the server refuses. */
export async function greetMailServer(settings: MailSettings, limits: MailLimits = LIMITS): Promise<void> {
  const transport = await openTransport(settings, limits);
  const names = senderNames(settings);
  const limit = new AbortController();
  try {
    await Promise.race([
      transport.verify(),
      delay(limits.mailMs, undefined, { signal: limit.signal }).then(() => Promise.reject(tooLong(limits))),
    ]);
  } catch (error) {
    throw failureOf(error, names, limits);
  } finally {
    limit.abort();
    transport.close();
  }
}

type Transport = Awaited<ReturnType<typeof openTransport>>;

async function openTransport(settings: MailSettings, { connectMs, answerMs }: MailLimits) {
  // Loaded here, because most processes send no mail.
  const { createTransport } = await import("nodemailer");
  const { protocol, hostname, port, username, password, searchParams } = new URL(settings.smtpUrl);
  const secure = protocol === "smtps:";
  const options: SMTPPoolOptions & { pool: true } = {
    pool: true,
    maxConnections: 1,
    // A kept connection may be found closed: its mail goes over a new one, once.
    maxRequeues: 1,
    // An idle connection ends by QUIT before the limit of an answer, which counts for it too.
    idleTimeout: answerMs * 0.8,
    name: greetingName(settings),
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    // A server without TLS is in the operator's own network; `?tls=none` allows it.
    requireTLS: !secure && searchParams.get("tls") !== "none",
    ignoreTLS: searchParams.get("tls") === "none",
    ...(username === ""
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return createTransport(options);
}

/** @throws MailFailure if a receiver's address is none. */
function checked(mail: Mail): Mail {
  if (mail.to.length > 0 && mail.to.every(isMailAddress)) return mail;
  throw new MailFailure("a receiver has no mail address", { of: "receiver" });
}

function tooLong({ mailMs }: MailLimits): MailFailure {
  return new MailFailure(`the mail server took longer than ${mailMs / 1_000} s`, { of: "server" });
}

function failureOf(error: unknown, names: SenderNames, limits: MailLimits): MailFailure {
  if (error instanceof MailFailure) return error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EABORT") return tooLong(limits);
  return mailFailureOf(error, names);
}

function senderNames(settings: MailSettings): SenderNames {
  return {
    domain: domainOf(settings),
    greetedAs: greetingName(settings),
    setting: settings.urlFrom ?? mailSettings.smtpUrl.env,
  };
}

function domainOf({ mailFrom }: MailSettings): string {
  return mailFrom.split("@")[1] ?? "localhost";
}

/**
 * The name of this host for EHLO: a name that DNS may know, because strict servers refuse an address. It is the host of
 * the base URL, or else the domain of the sender.
 */
export function greetingName(settings: MailSettings): string {
  const { greetingName: name, publicBaseUrl } = settings;
  if (name !== undefined) return name;
  const host = publicBaseUrl === undefined ? "" : new URL(publicBaseUrl).hostname;
  const isName = host.includes(".") && !host.startsWith("[") && !/^[\d.]+$/.test(host);
  return isName ? host : domainOf(settings);
}
