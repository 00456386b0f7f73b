import type { Input } from "../api/operations.ts";
import { priceUnit } from "./price-currency.ts";

type NewBody = Input<"POST /v1/payment-links">["body"];
type ChangeBody = Input<"PATCH /v1/payment-links/{id}">["body"];
type Texts = Readonly<Record<string, string>>;

/** The fields of the form for suggested amounts. */
export const suggestionNames = ["suggested1", "suggested2", "suggested3", "suggested4"] as const;

/** The request of the form. An empty field is left out; a fixed price without an amount is refused. */
export function newLinkBody(texts: Texts, ask: NonNullable<NewBody["ask"]>): NewBody {
  const { title = "", priceBy, price, maxPayments, expiresAt, amount = "" } = texts;
  const suggestedAmounts = suggestionNames.flatMap((name) => texts[name] ?? []);
  const own = ["description", "thanks", "orderRefPrefix", "successUrl", "cancelUrl", "settlementAccountId"];
  const free = { ...given(texts, ["minAmount", "maxAmount"]), suggestedAmounts };
  return {
    title,
    ...given(texts, own),
    ...priceUnit(price),
    ...(priceBy === "fixed" ? { amount } : free),
    ...(maxPayments && { maxPayments: sentCount(maxPayments) }),
    ...(expiresAt && { expiresAt: new Date(expiresAt).toISOString() }),
    ask,
  };
}

/** The changed fields; an empty one is emptied. */
export function linkChangeBody({ title, description, maxPayments, expiresAt }: Texts): ChangeBody {
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description: description || null }),
    ...(maxPayments !== undefined && { maxPayments: maxPayments === "" ? null : sentCount(maxPayments) }),
    ...(expiresAt !== undefined && {
      expiresAt: expiresAt === "" ? null : new Date(expiresAt).toISOString(),
    }),
  };
}

function given(texts: Texts, names: readonly string[]): Texts {
  return Object.fromEntries(names.flatMap((name) => (texts[name] ? [[name, texts[name]]] : [])));
}

/** A text that is no number goes as it is: the service names the fault. */
function sentCount(text: string): number {
  const count = Number(text);
  return Number.isNaN(count) ? (text as never) : count;
}
