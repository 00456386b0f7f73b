import { customerEmail, payerRef } from "@daric/charges/api/schema";
import { isEmail } from "@daric/domain/email";
import { fiats } from "@daric/domain/fiat";
import { type Amount, parseAmount } from "@daric/domain/money";
import { amountOfClick, MAX_PAYER_TEXT } from "@daric/domain/payment-link";
import { type NumberMarks, readingsOf, readTypedAmount } from "@daric/domain/typed-amount";
import { decimal, nullishText } from "@daric/http/validate";
import { z } from "zod";
import type { PaymentLink } from "../payment-link.ts";
import type { ClickFault } from "./fault-text.ts";

/** Names a click. A guessable one would open another payer's order. */
const attempt = z
  .string()
  .regex(/^[A-Za-z0-9_-]{16,64}$/, "must have 16 to 64 characters of A-Z, a-z, 0-9, _ and -")
  .meta({ description: "A random text of your own for this click: sent again, it answers the same order." });

/** The body of an order by a link. */
export const clickBody = z
  .object({
    attempt: attempt.nullish(),
    amount: decimal.nullish(),
    ref: payerRef.nullish(),
    name: nullishText(MAX_PAYER_TEXT).meta({ description: "The payer's name, where the link asks for it." }),
    note: nullishText(MAX_PAYER_TEXT).meta({ description: "The payer's note, where the link asks for one." }),
    email: customerEmail.meta({
      description:
        "The payer's e-mail address, where the link asks for it and the service has a mail server; else it is not kept.",
      examples: ["ada@mail.example"],
    }),
  })
  .meta({
    "x-examples": {
      chosen: { summary: "The payer chose", value: { attempt: "q3Zr8b1Yw5tK7xN2", amount: "10" } },
    },
  });

export const clickAnswer = z
  .object({ checkout_url: z.string().nullable(), order_ref: z.string().nullable() })
  .meta({ id: "LinkOrder", description: "The order of a click, and where to pay it." });

const anyText = z.string().catch("");

/** The form of the page. Whatever a browser sends, a page answers. */
export const clickForm = z.object({
  attempt: attempt.optional().catch(undefined),
  amount: anyText,
  suggested: anyText,
  name: anyText.transform(firstCharacters),
  note: anyText.transform(firstCharacters),
  email: anyText.transform((text) => text.trim()),
});

/** Whatever stands in the address of the page, it never breaks it. */
export const anyQuery = z.looseObject({});

const clickQuery = z.object({
  ref: payerRef.optional().catch(undefined),
  lang: z.string().optional().catch(undefined),
  embed: z.string().optional().catch(undefined),
});

/** The query of a click: the reference, the language, and the origin of the page around it. A faulty or repeated one counts as missing. */
export function readQuery(query: unknown): z.output<typeof clickQuery> {
  return clickQuery.parse(query ?? {});
}

/** The part of a typed text that PostgreSQL can store, up to the limit. */
function firstCharacters(text: string): string {
  return [...text.trim().replace(/[\0\p{Surrogate}]/gu, "")].slice(0, MAX_PAYER_TEXT).join("");
}

type Form = z.output<typeof clickForm>;

/** The click of a form, or what is wrong with it. Amounts are read by the marks of the page's language. */
export function readClick(
  link: PaymentLink,
  form: Form,
  marks: NumberMarks,
): { readonly amount: Amount | null } | { readonly fault: ClickFault } {
  if (link.ask.includes("name") && form.name === "") return { fault: { field: "name", fault: "missing" } };
  const fault = link.ask.includes("email") && faultOfEmail(form.email);
  if (fault) return { fault: { field: "email", fault } };
  if (link.amount !== null) return { amount: null };
  const read = readAmount(form, { link, marks });
  if ("fault" in read) return read;
  const found = amountOfClick(link, read.amount);
  return "fault" in found ? { fault: { field: "amount", fault: found.fault } } : found;
}

function faultOfEmail(email: string): "missing" | "wrong" | undefined {
  if (email === "") return "missing";
  return isEmail(email) ? undefined : "wrong";
}

/** A typed amount counts before a suggested one. In a currency without decimals a mark can only group. */
function readAmount(
  form: Form,
  { link: { pricingCurrency }, marks }: { link: PaymentLink; marks: NumberMarks },
): { readonly amount: Amount | null } | { readonly fault: ClickFault } {
  if (form.amount.trim() === "") return { amount: parseAmount(form.suggested) ?? null };
  const isWhole = pricingCurrency !== null && fiats[pricingCurrency].decimals === 0;
  const typed = isWhole ? undefined : readTypedAmount(form.amount, marks);
  if (typed?.other !== undefined)
    return { fault: { field: "amount", fault: "unclear", readings: [typed.amount, typed.other] } };
  const amount = parseAmount((isWhole ? readingsOf(form.amount)[0] : typed?.amount) ?? "");
  return amount === undefined ? { fault: { field: "amount", fault: "unread" } } : { amount };
}
