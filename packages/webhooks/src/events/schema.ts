import { type Environment, environments } from "@daric/domain/api-scope";
import { checkEventTypes } from "@daric/domain/check-event-types";
import { type EventId, idOf, isId } from "@daric/domain/ids";
import { webhookEventTypes } from "@daric/domain/webhook-event";
import { pageQuery } from "@daric/http/pagination";
import { timestamp } from "@daric/http/validate";
import { z } from "zod";
import { type FeedEvent, type FeedPage, NO_EVENT } from "./list-events.ts";

/** Far more than there are event types. */
const MAX_TYPES_LENGTH = 2_000;

export const eventsQuery = pageQuery.pick({ limit: true }).extend({
  after: z
    .string()
    .refine((text) => text === "newest" || isId(text), NO_EVENT.message)
    .transform((text): EventId | "newest" => (text === "newest" ? text : idOf("event", text.toLowerCase())))
    .optional()
    .meta({
      description:
        "The id of an event: the page begins with the event after it. `newest` answers an empty page, to read on from now. " +
        "Left out, the page begins with your first event.",
    }),
  types: z
    .string()
    .max(MAX_TYPES_LENGTH, `must have at most ${MAX_TYPES_LENGTH} characters`)
    .optional()
    .meta({ format: "event-types", description: "Only events with these names, with commas between." }),
});

/** @throws INVALID_EVENT_TYPE for a name that is no event. */
export function typesOf(text: string | undefined) {
  return text === undefined
    ? undefined
    : checkEventTypes(
        text.split(",").map((name) => name.trim()),
        "types",
      );
}

/** An event in the feed: the body of its webhook. */
export const feedEvent = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    event: z.enum(webhookEventTypes),
    apiVersion: z.literal("v1"),
    environment: z.enum(environments),
    createdAt: timestamp,
    sequence: z.int().min(1),
    data: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: "EventRow", description: "An event, with the fields of its webhook's body." });

export const feedPage = z.object({
  success: z.literal(true),
  message: z.literal("Success"),
  data: z.array(feedEvent),
  meta: z.object({
    limit: z.int(),
    next: z.string().meta({ format: "uuid" }).nullable(),
    has_more: z.boolean(),
  }),
});

export function toFeedPage(
  { events, next, hasMore }: FeedPage,
  { environment, limit }: { environment: Environment; limit: number },
): z.input<typeof feedPage> {
  return {
    success: true,
    message: "Success",
    data: events.map((event) => toFeedEvent(event, environment)),
    meta: { limit, next: next ?? null, has_more: hasMore },
  };
}

/** The fields in the order of the body, so that their text is the body. */
export function toFeedEvent(
  { id, type, createdAt, sequence, body }: FeedEvent,
  environment: Environment,
): z.input<typeof feedEvent> {
  const row = { id, event: type, apiVersion: "v1" as const, environment, createdAt: createdAt.toISOString() };
  return { ...row, sequence, data: null, ...body };
}
