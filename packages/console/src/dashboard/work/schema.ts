import { type Currency, currencies, perCurrency } from "@daric/domain/asset";
import { amountFromUnits, formatAmount } from "@daric/domain/money";
import { amountText, timestamp, uuid } from "@daric/http/validate";
import { statementQuery } from "@daric/ledger/schema";
import { inCents, inHundredths } from "@daric/settlement/plan/small-sums";
import type { FoundTerms, SmallSum } from "@daric/settlement/plan/terms-store";
import type { AttemptLogRow, DeliveryLogRow } from "@daric/webhooks/deliveries/delivery-log-store";
import { signedSeconds, unsignedHeaders } from "@daric/webhooks/sending/attempt-headers";
import { signatureHeaders } from "@daric/webhooks/sending/signature";
import { z } from "zod";
import { datesOf, type HomeQuestion, type readOrders, type readVolumes } from "./home-store.ts";
import type { SentWebhook } from "./sent-store.ts";

export const merchantQuery = z.object({ merchantId: uuid("merchant").optional() });
const volume = z.object(perCurrency(() => amountText));
const figures = z.object({ volume, orders_created: z.int(), orders_paid: z.int() });

export const homeRow = z.object({
  as_of: timestamp,
  today: figures,
  week: figures,
  month: figures,
  open: z.int(),
  abandoned: z.int(),
  attention: z.int(),
  seconds_to_pay: z.number().nullable(),
  seconds_to_confirm: z.number().nullable(),
  mail_configured: z.boolean().meta({ description: "Whether the service has a mail server." }),
  days: z.array(figures.extend({ date: z.string().meta({ format: "date" }) })),
});

type DayFigures = z.input<typeof homeRow>["days"][number];

/** The last 30 calendar days, the oldest first, days without money too. */
export function toDays(
  question: HomeQuestion,
  volumes: Awaited<ReturnType<typeof readVolumes>>,
  orders: Awaited<ReturnType<typeof readOrders>>,
): DayFigures[] {
  return datesOf(question).map((date) => {
    const order = orders.find((row) => row.date === date);
    const unitsOf = (currency: Currency) =>
      volumes.find((row) => row.date === date && row.currency === currency)?.units ?? "0";
    return {
      date,
      volume: toVolume(unitsOf),
      orders_created: order?.created ?? 0,
      orders_paid: order?.paid ?? 0,
    };
  });
}

/** The sum of the last `count` days. */
export function sumOfDays(days: readonly DayFigures[], volumes: readonly UnitsOfDay[], count: number) {
  const last = days.slice(-count);
  const dates = new Set(last.map(({ date }) => date));
  const unitsOf = (currency: Currency) =>
    String(
      volumes
        .filter((row) => row.currency === currency && dates.has(row.date))
        .reduce((sum, { units }) => sum + BigInt(units), 0n),
    );
  return {
    volume: toVolume(unitsOf),
    orders_created: last.reduce((sum, day) => sum + day.orders_created, 0),
    orders_paid: last.reduce((sum, day) => sum + day.orders_paid, 0),
  };
}

type UnitsOfDay = Awaited<ReturnType<typeof readVolumes>>[number];

function toVolume(unitsOf: (currency: Currency) => string): Readonly<Record<Currency, string>> {
  return perCurrency((currency) => formatAmount(amountFromUnits(BigInt(unitsOf(currency)))));
}

export const statementExportQuery = merchantQuery.extend(
  statementQuery.pick({
    month: true,
    format: true,
    language: true,
    bom: true,
    separator: true,
    decimal: true,
  }).shape,
);

const sentAttempt = z.object({
  number: z.int(),
  url: z.string().nullable().meta({ description: "Null where nothing was sent." }),
  headers: z.record(z.string(), z.string()),
  response_headers: z
    .string()
    .nullable()
    .meta({ description: "Lines `name: value`, 1 kB at most, without cookies." }),
});
export const sentRow = z.object({
  url: z.string().meta({ description: "Where the next attempt goes." }),
  attempts: z.array(sentAttempt),
  body: z
    .string()
    .nullable()
    .meta({ description: "The bytes as UTF-8; null once they are not kept any more." }),
});

/** Every attempt as it was sent and answered. */
export function toSentRow(
  { url, body }: SentWebhook,
  delivery: Pick<DeliveryLogRow, "id" | "eventId" | "eventType">,
  attempts: readonly AttemptLogRow[],
): z.input<typeof sentRow> {
  return {
    url,
    body: body?.toString("utf8") ?? null,
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      url: attempt.url,
      headers: attempt.signatures === null ? {} : headersOf(delivery, attempt, attempt.signatures),
      response_headers: attempt.responseHeaders,
    })),
  };
}

function headersOf(
  { id: deliveryId, eventId, eventType }: Pick<DeliveryLogRow, "id" | "eventId" | "eventType">,
  { number: attempt, attemptedAt }: AttemptLogRow,
  signatures: Buffer,
): Record<string, string> {
  return {
    ...unsignedHeaders({ deliveryId, attempt }, eventType),
    ...signatureHeaders(signatures, { eventId, timestampSeconds: signedSeconds(attemptedAt) }),
  };
}

export const smallSumRow = z.object({
  currency: z.enum(currencies),
  amount: amountText,
  addresses: z.int(),
  since: timestamp.nullable(),
  cost_trx: amountText.meta({ description: "The price of sweeping all of it now, at most." }),
  cost_usd: z.string().nullable(),
  swept_from: amountText
    .nullable()
    .meta({ description: "The least that is swept at once; null without a rate." }),
  old_swept_from: amountText.nullable().meta({ description: "The same after `old_after_seconds`." }),
  old_after_seconds: z.int(),
  found_at: timestamp.meta({ description: "When the settlement role found prices and rates." }),
});

/** Money that waits because a sweep of it does not pay, and the terms by which it would. */
export function toSmallSumRow(terms: FoundTerms, sum: SmallSum): z.input<typeof smallSumRow> {
  const { paysFrom, oldPaysFrom, priceUsdE8 } = terms;
  const count = BigInt(sum.addresses);
  return {
    currency: terms.currency,
    amount: formatAmount(sum.units),
    addresses: sum.addresses,
    since: sum.oldestAt?.toISOString() ?? null,
    cost_trx: formatAmount(amountFromUnits(terms.price * count)),
    cost_usd: priceUsdE8 === undefined ? null : inCents(priceUsdE8 * count),
    swept_from: paysFrom === undefined ? null : inHundredths(paysFrom),
    old_swept_from: oldPaysFrom === undefined ? null : inHundredths(oldPaysFrom),
    old_after_seconds: Math.round(terms.oldAfterMs / 1_000),
    found_at: terms.foundAt.toISOString(),
  };
}
