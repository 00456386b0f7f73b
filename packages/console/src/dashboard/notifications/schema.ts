import { ruled } from "@daric/domain/field-rule";
import { parseId } from "@daric/domain/ids";
import { type ChannelName, personMessageKinds } from "@daric/domain/message";
import { timestamp } from "@daric/http/validate";
import { type Minute, minuteText, parseMinute } from "@daric/messages/local-time";
import { isTimeZone } from "@daric/runtime/time-zone";
import { z } from "zod";
import type { ChoicesInput } from "./choose-messages.ts";
import type { ListedChannel, Notifications } from "./read-notifications.ts";

const MAX_URL = 2_048;
const MAX_ZONE = 64;
/** More channels of one kind than a member can have. */
const MAX_NAMED = 20;

const kind = z.enum(personMessageKinds);
const channelName = z.string().meta({ description: "`mail`, or the id of a chat." });

export const channelRow = z.object({
  id: channelName,
  kind: z.enum(["mail", "telegram", "url"]),
  name: z.string().nullable().meta({ description: "The address, the chat's title, or the host of the URL." }),
  status: z.enum(["active", "waiting_for_code", "waiting_for_confirmation", "failing"]),
  failure: z.string().nullable(),
  code_expires_at: timestamp.nullable(),
  test: z
    .object({ created_at: timestamp, sent_at: timestamp.nullable(), failure: z.string().nullable() })
    .nullable()
    .meta({ description: "The newest test message, and what became of it." }),
});

export const askedChatRow = channelRow.extend({
  code: z.string().nullable(),
  link: z.string().nullable().meta({ description: "Opens the bot with the code; in this answer alone." }),
  group_link: z
    .string()
    .nullable()
    .meta({ description: "Adds the bot to a group with the code; in this answer alone." }),
});

export const notificationsRow = z.object({
  kinds: z.array(z.object({ kind, channels: z.array(channelName) })),
  every_paid: z.boolean(),
  quiet_from: z
    .string()
    .nullable()
    .meta({ examples: ["22:00"] }),
  quiet_to: z
    .string()
    .nullable()
    .meta({ examples: ["07:00"] }),
  time_zone: z.string(),
  channels: z.array(channelRow),
  mail_configured: z.boolean(),
  telegram_configured: z.boolean(),
  is_default: z
    .boolean()
    .meta({ description: "Nothing was chosen yet: these are the defaults of the role." }),
});

export function toNotificationsRow(read: Notifications): z.input<typeof notificationsRow> {
  const known = new Set<string>(["mail", ...read.channels.map(({ id }) => id)]);
  return {
    kinds: personMessageKinds.map((name) => ({
      kind: name,
      channels: (read.choices[name] ?? []).filter((channel) => known.has(channel)),
    })),
    every_paid: read.everyPaid,
    quiet_from: read.quiet === undefined ? null : minuteText(read.quiet.from),
    quiet_to: read.quiet === undefined ? null : minuteText(read.quiet.to),
    time_zone: read.timeZone,
    channels: [toMailRow(read), ...read.channels.map(toChannelRow)],
    mail_configured: read.isMailConfigured,
    telegram_configured: read.isTelegramConfigured,
    is_default: read.isDefault,
  };
}

function toMailRow({ email, mailRefusal }: Notifications): z.input<typeof channelRow> {
  const status = mailRefusal === undefined ? "active" : "failing";
  const failure = mailRefusal ?? null;
  return { id: "mail", kind: "mail", name: email, status, failure, code_expires_at: null, test: null };
}

export function toChannelRow(
  channel: Omit<ListedChannel, "tested"> & Partial<Pick<ListedChannel, "tested">>,
): z.input<typeof channelRow> {
  const { tested } = channel;
  return {
    id: channel.id,
    kind: channel.kind,
    name: channel.name,
    status: statusOf(channel),
    failure: channel.failure,
    code_expires_at: channel.sealed === null ? (channel.codeExpiresAt?.toISOString() ?? null) : null,
    test:
      tested === undefined
        ? null
        : {
            created_at: tested.createdAt.toISOString(),
            sent_at: tested.sentAt?.toISOString() ?? null,
            failure: tested.lastError,
          },
  };
}

function statusOf({
  failedAt,
  sealed,
  confirmedAt,
}: Pick<ListedChannel, "failedAt" | "sealed" | "confirmedAt">): z.input<typeof channelRow>["status"] {
  if (sealed === null) return "waiting_for_code";
  if (confirmedAt === null) return "waiting_for_confirmation";
  return failedAt === null ? "active" : "failing";
}

const minute = z
  .string()
  .max(5)
  .transform((text, issue): Minute => {
    const found = parseMinute(text);
    if (found !== undefined) return found;
    issue.addIssue({ code: "custom", ...ruled("must be a time of day like 22:00", "invalid") });
    return z.NEVER;
  })
  .nullable()
  .meta({ examples: ["22:00"] });

const chosenChannel = z
  .string()
  .max(MAX_ZONE)
  .transform((text, issue): ChannelName => {
    const found = text === "mail" ? text : parseId("messageChannel", text);
    if (found !== undefined) return found;
    issue.addIssue({ code: "custom", ...ruled("must be mail or the id of a chat", "invalid") });
    return z.NEVER;
  });

/** Every choice: a kind that is left out is not told. */
export const choicesBody = z
  .object({
    kinds: z
      .array(z.object({ kind, channels: z.array(chosenChannel).max(MAX_NAMED) }))
      .max(personMessageKinds.length),
    everyPaid: z.boolean(),
    quietFrom: minute,
    quietTo: minute,
    timeZone: z
      .string()
      .max(MAX_ZONE)
      .regex(/^[A-Za-z][\w+/-]*$/, "must be a time zone like Europe/Berlin")
      .refine(isTimeZone, ruled("must be a time zone like Europe/Berlin", "invalid")),
  })
  .superRefine(({ quietFrom, quietTo }, issue) => {
    if ((quietFrom === null) !== (quietTo === null))
      issue.addIssue({
        code: "custom",
        path: [quietFrom === null ? "quietFrom" : "quietTo"],
        ...ruled("is needed with the other one", "required"),
      });
    else if (quietFrom !== null && quietFrom === quietTo)
      issue.addIssue({
        code: "custom",
        path: ["quietTo"],
        ...ruled("must be another time than quietFrom", "invalid"),
      });
  });

export function toChoicesInput(body: z.output<typeof choicesBody>): ChoicesInput {
  const { kinds, everyPaid, quietFrom: from, quietTo: to, timeZone } = body;
  return { kinds, everyPaid, timeZone, quiet: from === null || to === null ? undefined : { from, to } };
}

/** A Telegram chat that is asked for, or the URL of an incoming webhook. */
export const channelBody = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("telegram") }),
  z.object({ kind: z.literal("url"), url: z.string().max(MAX_URL) }),
]);
