import type { Charge } from "@daric/charges/charge";
import { differenceFromDue } from "@daric/charges/charge-event-data";
import type { OrderFamily } from "@daric/charges/order-family";
import { depositStatuses, stuckReasons } from "@daric/domain/deposit";
import { formatAmountOrNull } from "@daric/domain/money";
import { isPaid } from "@daric/domain/order";
import { differenceOf } from "@daric/domain/rest";
import { timestamp } from "@daric/http/validate";
import { z } from "zod";
import type { PaymentNote } from "../payment-note-store.ts";
import {
  actionsField,
  familySums,
  familySumsOf,
  noteRow,
  shortRow,
  stateAndActions,
  stateField,
  toNoteRow,
  toShortRow,
} from "../schema.ts";

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

export const storyAnswer = z.object({
  state: stateField,
  actions: actionsField,
  ...familySums,
  difference: z.string().nullable().meta({
    pattern: "^-?(0|[1-9][0-9]*)(\\.[0-9]{1,6})?$",
    description:
      "Credited money less the due; negative while money is missing. That of an order counts the money of its rests. Null where any amount will do.",
  }),
  family: z.array(shortRow).meta({
    description: "The order and its rests, the oldest first, once a rest was asked for; else empty.",
  }),
  entries: z.array(storyEntry),
  notes: z.array(noteRow),
});

type Story = {
  readonly family: OrderFamily;
  readonly entries: readonly StoryEntry[];
  readonly notes: readonly PaymentNote[];
};

/** The story of a charge, with its state, its family and the actions that are possible. */
export function toStoryAnswer(
  charge: Charge,
  { family, entries, notes }: Story,
): z.input<typeof storyAnswer> {
  const { first, rests } = family;
  const isWhole = rests.length > 0 && charge.id === first.id;
  const difference = isWhole ? differenceOf(family) : differenceFromDue(charge, charge.confirmed.total);
  return {
    ...stateAndActions(charge, family),
    ...familySumsOf(family),
    difference: formatAmountOrNull(difference),
    family: rests.length === 0 ? [] : [first, ...rests.toReversed()].map(toShortRow),
    entries: entries.map((entry) => toStoryEntry(charge, entry)),
    notes: notes.map(toNoteRow),
  };
}

/** An order whose whole price came after its late window was paid too late. */
function toStoryEntry(charge: Charge, { at, ...detail }: StoryEntry): z.input<typeof storyEntry> {
  const isTooLate =
    detail.kind === "closing" && detail.how === "paid" && !isPaid(charge.terms, charge.confirmed.inWindow);
  return { at: at.toISOString(), ...detail, ...(isTooLate && { how: "too_late" }) };
}
