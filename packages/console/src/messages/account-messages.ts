import { MAX_PAID_A_DAY } from "@daric/domain/message";
import { unlinked } from "./clean.ts";
import { fact } from "./draft.ts";
import { coinSums, countText, type MemberContent, merchantText, moneyOf } from "./member-content.ts";
import type {
  DailySummary,
  FailedChannel,
  MemberEndpoint,
  MemberEvent,
  MemberSettlement,
  MonthlyStatement,
  PaidHour,
} from "./member-facts.ts";
import { ltr, type MailValue, say } from "./words.ts";

type SettlementKind = Extract<MemberEvent, { readonly settlement: unknown }>["kind"];
type EndpointKind = Extract<MemberEvent, { readonly endpoint: unknown }>["kind"];

const MAX_REASON = 200;
const SETTLEMENT = { label: "Open settlement", path: "/settlement" };

export function settlementMessage(kind: SettlementKind, settlement: MemberSettlement): MemberContent {
  const { settlementId, currency, amount, address, feesPaid, failureReason } = settlement;
  const money = moneyOf(amount, currency);
  const reason = unlinked(failureReason ?? "", MAX_REASON);
  const said =
    kind === "settlement_completed"
      ? {
          tone: "good" as const,
          title: say`Settled: ${money}`,
          lead: say`The money has reached your wallet. There is nothing to do.`,
        }
      : {
          tone: "bad" as const,
          title: say`Settlement failed`,
          lead: say`A part could not be sent to your wallet. It is still yours: ask the operator.`,
        };
  return {
    ...said,
    about: kind === "settlement_failed" ? say`, ${money} arrived` : [],
    facts: [
      ...fact("Reached your wallet", money),
      ...fact("Wallet", ltr(address)),
      ...fact("Fees", feesPaid === "0" ? null : moneyOf(feesPaid, currency)),
      ...fact("Reason", reason === "" ? null : [reason]),
    ],
    page: { label: "Open the settlement", path: `/settlements/${settlementId}` },
  };
}

export function endpointMessage(kind: EndpointKind, { host, why }: MemberEndpoint): MemberContent {
  const endpoint = ltr(unlinked(host, MAX_REASON));
  const reason = unlinked(why ?? "", MAX_REASON);
  const said =
    kind === "endpoint_failing"
      ? {
          tone: "attention" as const,
          title: say`Webhooks fail: ${endpoint}`,
          lead: say`Each attempt has failed for 15 minutes. Check your server. One event is tried a minute, and the others wait, until your server takes one.`,
        }
      : {
          tone: "bad" as const,
          title: say`Webhook endpoint disabled: ${endpoint}`,
          lead: say`It took nothing for five days, or answered 410 for a day. It gets no attempt until you enable it again in the dashboard. Events younger than three days then go out.`,
        };
  return {
    ...said,
    about: [],
    facts: [...fact("Endpoint", endpoint), ...fact("Last failure", reason === "" ? null : [reason])],
    page: { label: "Open webhooks", path: "/webhooks" },
  };
}

export function hourMessage({ from, until, timeZone, orders, sums }: PaidHour): MemberContent {
  const clock = new Intl.DateTimeFormat("en", {
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  });
  return {
    tone: "good",
    title: say`${countText(orders, "order")} paid: ${coinSums(sums)}`,
    about: [],
    lead: [
      `All paid orders of the shop in this hour. After ${MAX_PAID_A_DAY} paid orders in a day there is one message an hour.`,
    ],
    facts: fact("Time", [ltr(`${clock.format(from)}–${clock.format(until)} ${timeZone}`)]),
    page: { label: "Open payments", path: "/payments" },
  };
}

export function summaryMessage({ day, timeZone, orders, sums, waiting }: DailySummary): MemberContent {
  const date = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(new Date(day));
  return {
    tone: waiting > 0 ? "attention" : "neutral",
    title: say`${[date]}: ${countText(orders, "order")} paid`,
    about: sums.length === 0 ? [] : say`, ${coinSums(sums)}`,
    lead:
      waiting > 0
        ? say`Waiting for your decision: ${countText(waiting, "payment")}.`
        : say`No payment waits for your decision.`,
    facts: [
      ...fact("Day", [ltr(`${date}, ${timeZone}`)]),
      ...fact("Paid orders", countText(orders, "order")),
      ...fact("Received", sums.length === 0 ? ["nothing"] : coinSums(sums)),
      ...fact("In the inbox", countText(waiting, "payment")),
    ],
    page:
      waiting > 0 ? { label: "Open the inbox", path: "/inbox" } : { label: "Open the dashboard", path: "/" },
  };
}

export function statementMessage({ month, attachments }: MonthlyStatement): MemberContent {
  const format = new Intl.DateTimeFormat("en", { month: "long", year: "numeric", timeZone: "UTC" });
  const files = attachments.map(({ filename }) => filename).join(", ");
  return {
    tone: "neutral",
    title: say`Statement of ${[format.format(new Date(month))]}`,
    about: [],
    lead:
      files === ""
        ? say`The statement of the month is in the dashboard.`
        : say`The statement of the month is attached. You find it in the dashboard too.`,
    facts: fact("Attached", files === "" ? null : [files]),
    page: SETTLEMENT,
    attachments,
  };
}

export function failedChannelMessage({ kind, name, why }: FailedChannel): MemberContent {
  const kinds = { mail: "E-mail", telegram: "Telegram", url: "Chat" };
  return {
    tone: "bad",
    title: say`${[kinds[kind]]} refused a message`,
    about: [],
    lead:
      kind === "mail"
        ? say`No mail is tried for a week. Check the address of your account, or choose another channel.`
        : say`Each later message is tried there again. Check the chat, or choose another channel.`,
    facts: [...fact("Channel", merchantText(name)), ...fact("Reason", [unlinked(why, MAX_REASON)])],
    page: null,
  };
}

export function testMessage(merchant: MailValue): MemberContent {
  return {
    tone: "neutral",
    title: say`Test: messages arrive here`,
    about: [],
    lead: say`You asked for this test of a channel for ${merchant}. There is nothing to do.`,
    facts: [],
    page: null,
  };
}
