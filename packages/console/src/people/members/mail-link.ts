import { mailServerOf } from "@daric/egress/mail-settings";
import { sendMail } from "@daric/egress/send-mail";
import { dashboardUrlOf, type LinkContext } from "../context.ts";
import type { OneTimeLink } from "./link-store.ts";

/** Like "Saturday, 5 December 2026 at 20:23". */
const EXPIRY = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeStyle: "short", timeZone: "UTC" });

/** The facts of a link that its mail names. */
export type LinkFacts = {
  readonly url: string;
  /** of an invitation to a merchant */
  readonly merchantName: string | undefined;
  /** the person who made the link; undefined at the command line */
  readonly sender: string | undefined;
};

/**
 * Mails a link to its person, if a mail server and an address of the dashboard are configured. Returns whether the server took it. A failure is no
 * error, because the inviter has the link too; it leaves a line in the log.
 */
export async function mailLink(
  { config, log }: Pick<LinkContext, "config" | "log">,
  link: OneTimeLink,
  { url, merchantName, sender }: LinkFacts,
): Promise<boolean> {
  const { mail, chain, http } = config;
  const server = mailServerOf({ mail: mail ?? {}, http });
  const origin = dashboardUrlOf(config);
  if (server === undefined || origin === undefined) return false;
  const host = new URL(origin).host;
  const place = merchantName === undefined ? `the dashboard at ${host}` : `${merchantName} at ${host}`;
  const subject = link.kind === "reset" ? `Set a new password at ${host}` : `You are invited to ${place}`;
  const text = [
    sender === undefined ? subject : `${subject}, by ${sender}`,
    "",
    url,
    "",
    `The link works once, until ${EXPIRY.format(link.expiresAt)} (UTC). If you did not expect it, ignore this mail.`,
    ...(chain?.network === "mainnet" || chain === undefined ? [] : [`Network: ${chain.network}, for tests.`]),
  ].join("\n");
  try {
    await sendMail(server, { to: [link.email], subject, text });
    return true;
  } catch (error) {
    log?.warn({ event: "mail_not_sent", link: link.id, err: error }, "a link could not be mailed");
    return false;
  }
}
