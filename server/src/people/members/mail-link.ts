import { sendMail } from "../../egress/send-mail.ts";
import type { LinkContext } from "../context.ts";
import { dashboardUrlOf } from "../settings.ts";
import type { OneTimeLink } from "./link-store.ts";

/**
 * Mails a link to its person, if a mail server and an address of the dashboard are configured. Returns whether the server took it. A failure is no
 * error: the inviter has the link, too.
 */
export async function mailLink(
  config: LinkContext["config"],
  link: OneTimeLink,
  url: string,
): Promise<boolean> {
  const { mail, chain } = config;
  const { smtpUrl, mailFrom } = mail ?? {};
  const origin = dashboardUrlOf(config);
  if (smtpUrl === undefined || mailFrom === undefined || origin === undefined) return false;
  const host = new URL(origin).host;
  const subject =
    link.kind === "reset" ? `Set a new password at ${host}` : `You are invited to the dashboard at ${host}`;
  const text = [
    subject,
    "",
    url,
    "",
    `The link works once, until ${link.expiresAt.toISOString()}. If you did not expect it, ignore this mail.`,
    ...(chain?.network === "mainnet" || chain === undefined ? [] : [`Network: ${chain.network}, for tests.`]),
  ].join("\n");
  try {
    await sendMail({ smtpUrl, mailFrom }, { to: [link.email], subject, text });
    return true;
  } catch {
    return false;
  }
}
