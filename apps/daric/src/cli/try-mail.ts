import { alertServerOf, type MailSettings, mailServerOf, mailSettings } from "@daric/egress/mail-settings";
import { greetingName, greetMailServer } from "@daric/egress/send-mail";
import type { Trial } from "./config-findings.ts";
import { failureLines } from "./failure.ts";
import { checkMailRecords, type MailDns, systemDns } from "./mail-records.ts";

/** The mail servers that the settings name: that for people, and that for alerts if it is another one. */
export function mailServersIn(config: Parameters<typeof mailServerOf>[0]): MailSettings[] {
  const servers = [mailServerOf(config)];
  if (config.mail.alertSmtpUrl !== undefined) servers.push(alertServerOf(config));
  return servers.filter((server) => server !== undefined);
}

/** A mail server without user and password, such as `mail server mail.example.com:587 of SMTP_URL`. */
export function mailServerLabel({ smtpUrl, urlFrom = mailSettings.smtpUrl.env }: MailSettings): string {
  return `mail server ${new URL(smtpUrl).host} of ${urlFrom}`;
}

/** The records of DNS by which mails arrive. A missing one is only a doubt. */
export async function tryMailRecords(
  values: Parameters<typeof mailServersIn>[0],
  dns: MailDns = systemDns(),
): Promise<Trial[]> {
  const [server] = mailServersIn(values);
  if (server === undefined) return [];
  const records = await checkMailRecords(senderNames(server), dns);
  const missing = records.filter(({ result }) => result === "missing").map(({ reason }) => reason ?? "");
  const trial = `records of DNS for ${server.mailFrom}`;
  return [
    missing.length === 0
      ? { trial, verdict: "OK", words: "none is missing; `daric notify test` lists them" }
      : { trial, verdict: "doubtful", words: missing.join("; ") },
  ];
}

/** The names whose records decide whether a mail arrives: the sender's domain, and the name of EHLO. */
export function senderNames(server: MailSettings): { readonly domain: string; readonly greetedAs: string } {
  return { domain: server.mailFrom.split("@")[1] ?? "", greetedAs: greetingName(server) };
}

/** Connects to each mail server and logs in, without a mail. A fault is only a doubt, because a start needs no mail. */
export function tryMailServers(values: Parameters<typeof mailServersIn>[0]): Promise<Trial[]> {
  return Promise.all(
    mailServersIn(values).map(async (server): Promise<Trial> => {
      const trial = mailServerLabel(server);
      try {
        await greetMailServer(server);
        return { trial, verdict: "OK", words: "takes mails; `daric notify test --to` sends one" };
      } catch (error) {
        return { trial, verdict: "doubtful", words: failureLines(error).join("; ") };
      }
    }),
  );
}
