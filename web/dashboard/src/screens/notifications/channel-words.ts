import type { Channel, MessageKind } from "../../api/account-operations.ts";
import { words } from "../../words/words.ts";

type KindGroup = {
  readonly title: string;
  readonly kinds: readonly MessageKind[];
  /** the scope without which no message of the group is sent */
  readonly needs?: string;
};

/** The kinds of messages in groups, as the page shows them. */
export function kindGroups(): KindGroup[] {
  const { shell, notifications } = words;
  return [
    {
      title: shell.payments,
      kinds: ["paid", "paid_late", "underpaid", "overpaid", "other_coin", "stuck", "accepted"],
    },
    {
      title: notifications.refunds,
      kinds: ["refund_requested", "refund_ready", "refund_completed"],
      needs: "refunds:read",
    },
    { title: shell.settlement, kinds: ["settlement_completed", "settlement_failed"] },
    { title: shell.webhooks, kinds: ["endpoint_failing", "endpoint_disabled"], needs: "webhooks:read" },
    { title: notifications.summaries, kinds: ["daily_summary", "monthly_statement"] },
  ];
}

/** The name of a kind: what the inbox and the audit log call it, where they know it. */
export function kindText(kind: MessageKind): string {
  const { kinds } = words.notifications;
  const { reasons } = words.work.inbox;
  const texts: Readonly<Record<MessageKind, string>> = {
    paid: kinds.paid,
    paid_late: reasons.late.title,
    underpaid: reasons.underpaid.title,
    overpaid: reasons.overpaid.title,
    other_coin: reasons.unmatched.title,
    stuck: reasons.stuck.title,
    accepted: words.account.audit.actions.paymentAccepted,
    refund_requested: kinds.refundRequested,
    refund_ready: kinds.refundReady,
    refund_completed: kinds.refundCompleted,
    settlement_completed: kinds.settlementCompleted,
    settlement_failed: kinds.settlementFailed,
    endpoint_failing: kinds.endpointFailing,
    endpoint_disabled: kinds.endpointDisabled,
    daily_summary: kinds.dailySummary,
    monthly_statement: kinds.monthlyStatement,
  };
  return texts[kind];
}

/** The names of channels by their ids. Two of the same name get a number. */
export function channelNames(channels: readonly Channel[]): Readonly<Record<string, string>> {
  const nameOf = ({ kind, name }: Channel) =>
    kind === "mail" ? words.common.email : (name ?? words.notifications.chat);
  return Object.fromEntries(
    channels.map((channel, index) => {
      const name = nameOf(channel);
      const before = channels.slice(0, index).filter((other) => nameOf(other) === name).length;
      return [channel.id, before === 0 ? name : `${name} (${before + 1})`];
    }),
  );
}
