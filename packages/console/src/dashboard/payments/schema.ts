import { chargeRow, toChargeRow } from "@daric/charges/api/row/schema";
import { createBody, payerRef } from "@daric/charges/api/schema";
import type { Charge } from "@daric/charges/charge";
import { paymentFilters } from "@daric/charges/list-filter-store";
import type { OrderFamily } from "@daric/charges/order-family";
import { currencies } from "@daric/domain/asset";
import { chargeKinds, chargeStatuses, MAX_LIFE_SECONDS } from "@daric/domain/charge";
import {
  chargeActions,
  chargeStateOf,
  chargeStates,
  possibleActions,
  type StateFacts,
  stateWords,
} from "@daric/domain/charge-state";
import { ruled } from "@daric/domain/field-rule";
import { formatAmount, formatAmountOrNull, zero } from "@daric/domain/money";
import { creditedOf } from "@daric/domain/rest";
import { moment } from "@daric/http/moment";
import { amountText, text, timestamp, uuid } from "@daric/http/validate";
import { z } from "zod";
import type { InboxRow } from "./inbox.ts";
import { inboxReasons } from "./inbox-refunds.ts";
import { decisions, type PaymentNote } from "./payment-note-store.ts";

const id = z.string().meta({ format: "uuid" });
const MAX_NOTE_CHARS = 2_000;
/** The reason of an acceptance, which `/v1` limits. */
const MAX_REASON_CHARS = 500;

const MAX_REFERENCE_CHARS = 120;
const DEFAULT_LIMIT = "50";

export const stateField = z.enum(stateWords).meta({ description: "The state of the payment in one word." });

export const actionsField = z.array(z.enum(chargeActions)).meta({
  description: "The operations that the service would now carry out for a person with the right.",
});

/** The word for the state of a charge. */
function stateWordOf(charge: StateFacts): z.input<typeof stateField> {
  return chargeStates[chargeStateOf(charge)].shown;
}

/** Both fields of a charge in its family. */
export function stateAndActions(...charge: Required<Parameters<typeof possibleActions>>) {
  return { state: stateWordOf(charge[0]), actions: possibleActions(...charge) };
}

/** The query of the list of payments. */
export const paymentsQuery = z.object({
  kind: z.enum(chargeKinds).optional(),
  status: z.enum(chargeStatuses).optional(),
  payment: z.enum(paymentFilters).optional().meta({
    description: "`paid`: paid or accepted. `short`: some money is confirmed, and less than is due.",
  }),
  reference: text(MAX_REFERENCE_CHARS).min(1, "must not be empty").optional().meta({
    description: "How `order_ref` begins, letter by letter.",
  }),
  paymentLinkId: uuid("paymentLink").optional(),
  payerRef: payerRef.optional(),
  from: moment.optional(),
  to: moment.optional(),
  after: uuid("charge").optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, "must be from 1 to 100")
    .transform(Number)
    .prefault(DEFAULT_LIMIT),
});

/** The part of a row of `/v1` that the dashboard shows of a payment in any list, and the state. */
export const shortRow = chargeRow
  .pick({
    id: true,
    kind: true,
    status: true,
    currency: true,
    order_ref: true,
    customer_ref: true,
    label: true,
    expected_amount: true,
    amount_due: true,
    amount_received: true,
    created_at: true,
  })
  .extend({ state: stateField });

export function toShortRow(charge: Charge): z.input<typeof shortRow> {
  const row = toChargeRow(charge, {
    refunded: zero,
    publicBaseUrl: undefined,
    withPaymentStatus: false,
    masterKeys: [],
  });
  return shortRow.parse({ ...row, state: stateWordOf(charge) });
}

export const paymentsAnswer = z.object({
  success: z.literal(true),
  message: z.literal("Success"),
  data: z.array(shortRow),
  meta: z.object({
    total: z.int().nullable().meta({ description: "Null where only reading the whole list would tell." }),
    next: id.nullable().meta({ description: "`after` of the next page; null at the end of the list." }),
  }),
});

/** The body of create, with a lifetime of its own. A standing address does not end. */
export const newPaymentBody = createBody
  .safeExtend({
    lifetimeSeconds: z
      .int()
      .min(60)
      .max(MAX_LIFE_SECONDS)
      .optional()
      .meta({ description: "Seconds until it expires; by default the lifetime of the merchant's settings." }),
  })
  .refine(({ reusable }) => !reusable, { path: ["reusable"], message: "cannot be given here" });

/** The money and the price of an order and its rests. A charge alone is a family too. */
export const familySums = {
  credited_amount: amountText.meta({
    description: "The credited money of the order and its rests, which has no dust.",
  }),
  price_amount: amountText.nullable().meta({
    description: "The amount due of the order; null where any amount will do.",
  }),
};

/** The fields of {@link familySums}. */
export function familySumsOf(family: OrderFamily) {
  return {
    credited_amount: formatAmount(creditedOf(family, "total")),
    price_amount: formatAmountOrNull(family.first.terms.due),
  };
}

export const inboxRow = shortRow.extend({
  ...familySums,
  actions: actionsField,
  reasons: z.array(z.enum(inboxReasons)),
  at: timestamp,
  unmatched_amount: amountText.nullable().meta({
    description:
      "Confirmed money in another currency than was asked for, which no sum counts; null without any.",
  }),
  unmatched_currency: z.enum(currencies).nullable(),
  refunds: z.array(z.object({ amount: amountText, currency: z.enum(currencies) })).meta({
    description:
      "The refunds that the reasons suggest: of the other coin, and of what is too much or else all that came.",
  }),
});

export function toInboxRow(row: InboxRow): z.input<typeof inboxRow> {
  const { charge, family, reasons, at, unmatched, refunds } = row;
  return {
    ...toShortRow(charge),
    ...familySumsOf(family),
    actions: stateAndActions(charge, family).actions,
    reasons: [...reasons],
    at: at.toISOString(),
    unmatched_amount: unmatched === undefined ? null : formatAmount(unmatched.amount),
    unmatched_currency: unmatched?.currency ?? null,
    refunds: refunds.map(({ amount, currency }) => ({ amount: formatAmount(amount), currency })),
  };
}

export const decisionBody = z.object({
  decision: z.enum(decisions),
  note: text(MAX_REASON_CHARS).refine((note) => note.trim() !== "", ruled("must say why", "reason")),
  seconds: z.int().min(1).max(315_360_000).optional(),
});
export const noteBody = z.object({
  text: text(MAX_NOTE_CHARS).refine((note) => note.trim() !== "", ruled("must not be empty", "required")),
});

export const noteRow = z.object({
  id,
  by: id,
  decision: z.enum(decisions).nullable(),
  text: z.string(),
  created_at: timestamp,
});

export function toNoteRow(note: PaymentNote): z.input<typeof noteRow> {
  return {
    id: note.id,
    by: note.personId,
    decision: note.decision,
    text: note.text,
    created_at: note.createdAt.toISOString(),
  };
}
