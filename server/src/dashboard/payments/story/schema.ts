import { z } from "zod";
import { depositStatuses, stuckReasons } from "../../../domain/deposit.ts";
import { timestamp } from "../../../http/validate.ts";

/** `id` is that of a quote, a deposit, an event, a delivery or the payment itself. */
const moment = { at: timestamp, id: z.string().meta({ format: "uuid" }) };

/** A moment in the life of a payment: what happened, to which row, and how it looked then. */
export const storyEntry = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("quote"), ...moment, source: z.string() }),
  z.object({
    kind: z.literal("deposit"),
    ...moment,
    status: z.enum(depositStatuses),
    block_number: z.int(),
    tx_hash: z.string(),
  }),
  z.object({
    kind: z.literal("check").meta({
      description: "Of a deposit that is not final: `at` is since when the result is this one.",
    }),
    ...moment,
    name: z.enum(stuckReasons).meta({
      description: "Its block is final; the nodes agree about it; its address holds the money.",
    }),
    result: z.enum(["passed", "waiting"]),
  }),
  z.object({ kind: z.literal("dust"), ...moment, count: z.int() }),
  z.object({
    kind: z.literal("closing"),
    ...moment,
    how: z.enum(["paid", "too_late", "expired", "late_over", "closed"]),
  }),
  z.object({ kind: z.literal("event"), ...moment, type: z.string() }),
  z.object({
    kind: z.literal("attempt"),
    ...moment,
    type: z.string().meta({ description: "Of the event." }),
    status_code: z.int().nullable(),
    error: z.string().nullable(),
    endpoint: z.string().meta({ description: "The URL of its endpoint, as it is now." }),
  }),
]);

type DetailOf<Entry> = Entry extends { readonly at: string } ? Omit<Entry, "at"> : never;

/** A moment without its time, as the store reads it. */
export type StoryDetail = DetailOf<z.input<typeof storyEntry>>;
export type StoryEntry = { readonly at: Date } & StoryDetail;
