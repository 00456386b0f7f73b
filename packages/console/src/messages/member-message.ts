import {
  endpointMessage,
  failedChannelMessage,
  hourMessage,
  settlementMessage,
  statementMessage,
  summaryMessage,
  testMessage,
} from "./account-messages.ts";
import type { MailPart } from "./draft.ts";
import type { Letter } from "./letter.ts";
import { ownLook } from "./look.ts";
import { english, type MemberContent, merchantText } from "./member-content.ts";
import type { MemberFacts } from "./member-facts.ts";
import { depositMessage, orderMessage } from "./order-messages.ts";
import { refundMessage } from "./refund-messages.ts";
import { testNotice } from "./test-notice.ts";
import { ltr, type MailValue, say } from "./words.ts";
import { writeLetter } from "./write-letter.ts";

/** The message to a member of a merchant, in English. Texts that payers typed stay in the dashboard. */
export function renderMemberMessage(facts: MemberFacts): Letter {
  const { merchantName, host, network, settingsUrl } = facts;
  const { messages } = english;
  const notice = testNotice(network, messages);
  const merchant = merchantText(merchantName) ?? ltr(host);
  const content = contentOf(facts, merchant);
  return writeLetter({
    language: english,
    subject: [...(notice === null ? [] : [`[${messages.page.test}] `]), ...content.title, ...content.about],
    look: ownLook(content.tone),
    header: say`Daric · ${merchant}`,
    logo: null,
    notice,
    label: null,
    title: content.title,
    parts: partsOf(content, facts),
    footer: [say`You get this by your choice of messages for ${merchant} at ${ltr(host)}.`],
    footerLink: settingsUrl === null ? null : { label: ["Choose your messages"], url: settingsUrl },
    attachments: content.attachments ?? [],
  });
}

function partsOf(
  { lead, facts, page }: MemberContent,
  { dashboardUrl, settingsUrl }: MemberFacts,
): MailPart[] {
  const url = page === null ? settingsUrl : dashboardUrl && `${dashboardUrl}${page.path}`;
  const label = [page?.label ?? "Open your channels"];
  return [
    { is: "paragraph", words: lead },
    ...(url === null ? [] : [{ is: "button", link: { label, url } } as const]),
    ...(facts.length === 0 ? [] : [{ is: "facts", facts } as const]),
  ];
}

function contentOf(facts: MemberFacts, merchant: MailValue): MemberContent {
  switch (facts.kind) {
    case "other_coin":
    case "stuck":
      return depositMessage(facts.kind, facts.deposit);
    case "refund_requested":
    case "refund_ready":
    case "refund_completed":
      return refundMessage(facts.kind, facts.refund);
    case "settlement_completed":
    case "settlement_failed":
      return settlementMessage(facts.kind, facts.settlement);
    case "endpoint_failing":
    case "endpoint_disabled":
      return endpointMessage(facts.kind, facts.endpoint);
    case "paid_hour":
      return hourMessage(facts.hour);
    case "daily_summary":
      return summaryMessage(facts.summary);
    case "monthly_statement":
      return statementMessage(facts.statement);
    case "channel_failed":
      return failedChannelMessage(facts.channel);
    case "channel_test":
      return testMessage(merchant);
    default:
      return orderMessage(facts.kind, facts.order);
  }
}
