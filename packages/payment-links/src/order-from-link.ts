import { createHash, createHmac, randomInt } from "node:crypto";
import { tooFine } from "@daric/charges/api/schema";
import type { LinkClick } from "@daric/charges/create/charge-request";
import { createUnderTerms } from "@daric/charges/create/create-charge";
import { type IssuingContext, refusalError } from "@daric/charges/create/write-charge";
import { emailSealer } from "@daric/charges/customer-email";
import { type PayerTexts, sealPayer } from "@daric/charges/payer";
import { ApiError, type ErrorDetail } from "@daric/domain/errors";
import { type Amount, formatAmount } from "@daric/domain/money";
import { type AmountFault, amountOfClick, STOCK_ORDER_SECONDS } from "@daric/domain/payment-link";
import { type ClickedOrder, findClickedOrder } from "./click-store.ts";
import type { Clicks } from "./insert-clicks.ts";
import type { PaymentLink } from "./payment-link.ts";

/** Without letters and digits that are mistaken for others. */
const REF_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const REF_CHARS = 8;
/** Open orders expire within minutes. */
const BUSY_SECONDS = 60;
/** Another process gave the click its order a moment ago. */
const SAME_CLICK_SECONDS = 1;

/** A click on a link. */
export type Click = {
  /** the typed amount; null where the link has one */
  readonly amount: Amount | null;
  readonly payerRef: string | null;
  readonly payer: PayerTexts;
  readonly email: string | null;
  /** of the page on which the email was typed */
  readonly language: string | null;
  /** names the click, so that repeating it makes no other order */
  readonly attempt: string | null;
  /** the network of the client, see `addressKey` */
  readonly clientAddress: string;
};

export type ClickContext = IssuingContext & {
  readonly config: { readonly webhooks: { readonly masterKey: Buffer } };
};

/**
 * The order of a click: a new one, or the one that the same click made while that can be paid or is. Its terms are those of the link and
 * of the merchant at this moment. An order of a limited stock lives 15 minutes.
 *
 * @throws VALIDATION_ERROR for an amount out of bounds; LINK_CLOSED, also of a suspended merchant; LINK_SOLD_OUT; RATE_LIMITED where a
 * limit of open orders is reached. SETTLEMENT_ACCOUNT_DISABLED, RATE_UNAVAILABLE or SERVICE_UNAVAILABLE as `createCharge`.
 */
export async function orderFromLink(
  context: ClickContext & { readonly clicks: Clicks },
  link: PaymentLink,
  click: Click,
): Promise<ClickedOrder> {
  const attempt = attemptOf(link, click);
  const { email, ...payer } = answersOf(link, click);
  const find = async () =>
    attempt === null ? undefined : findClickedOrder(context.db, link.merchantId, attempt);
  const known = await find();
  if (known !== undefined) return known;
  const request = requestOf(context, link, { ...click, email, attempt });
  const refusal = context.clicks.refusing.of(link.id);
  const written =
    refusal === undefined
      ? await createUnderTerms(insertingBy(context, payer), request).catch(asClosed)
      : { refusal };
  if (written.refusal === null) return written.charge;
  if (written.refusal === "LINK_BUSY") throw busy();
  if (written.refusal !== "SAME_CLICK") throw refusalError(written.refusal);
  const order = await find();
  if (order === undefined)
    throw new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: SAME_CLICK_SECONDS });
  return order;
}

/** The name of a click with its link and what was typed: another amount or answer is another click. */
function attemptOf({ id }: PaymentLink, { attempt, amount, payerRef, payer, email }: Click): string | null {
  if (attempt === null) return null;
  const typed = [id, attempt, String(amount), payerRef, payer.name, payer.note, email];
  return createHash("sha256").update(JSON.stringify(typed)).digest("base64url");
}

/**
 * The answers to what the link asks; it keeps nothing else of its payer.
 *
 * @throws VALIDATION_ERROR without the name or the address that it asks for.
 */
function answersOf({ ask }: PaymentLink, { payer, email }: Click): PayerTexts & Pick<Click, "email"> {
  const answers = { ...payer, email };
  const missing = (["name", "email"] as const).filter(
    (question) => ask.includes(question) && (answers[question] ?? "").trim() === "",
  );
  if (missing.length > 0)
    throw new ApiError("VALIDATION_ERROR", {
      details: missing.map((path) => ({ path, message: "is needed: this link asks for it" })),
    });
  const asked = (question: keyof typeof answers) => (ask.includes(question) ? answers[question] : null);
  return { name: asked("name"), note: asked("note"), email: asked("email") };
}

/** The payer's texts are sealed once the order has its token. */
function insertingBy(context: Parameters<typeof orderFromLink>[0], payer: PayerTexts): ClickContext {
  const { masterKey } = context.config.webhooks;
  const hasPayer = payer.name !== null || payer.note !== null;
  return {
    ...context,
    insertDraft: ({ click, ...draft }, requestedAt) => {
      if (click === undefined) throw new Error("an order of a link without its click");
      const sealedPayer = hasPayer ? sealPayer(masterKey, draft, payer) : null;
      return context.clicks.insert(
        draft.merchantId,
        { ...draft, click: { ...click, sealedPayer } },
        requestedAt,
      );
    },
  };
}

function requestOf({ config }: ClickContext, link: PaymentLink, click: Click) {
  const amount = amountFor(link, click.amount);
  const {
    merchantId,
    createdBy,
    currency,
    pricingCurrency: fiatCurrency,
    successUrl,
    cancelUrl,
    settlementAccountId,
    metadata,
  } = link;
  const linkClick: LinkClick = {
    linkId: link.id,
    payerRef: click.payerRef,
    sealedPayer: null,
    attempt: click.attempt,
    client: clientOf(config.webhooks.masterKey, link, click.clientAddress),
  };
  return {
    merchantId,
    apiKeyId: null,
    createdBy,
    currency,
    amount,
    fiatCurrency,
    fiatAmount: fiatCurrency && formatAmount(amount),
    customerRef: null,
    orderRef: `${link.orderRefPrefix ?? ""}${randomRef()}`,
    label: link.title,
    successUrl,
    cancelUrl,
    settlementAccountId,
    metadata,
    click: linkClick,
    sealEmail: sealerOf(config.webhooks.masterKey, click),
    ...(link.maxPayments !== null && { lifetimeSeconds: STOCK_ORDER_SECONDS }),
  };
}

function sealerOf(masterKey: Buffer, { email, language }: Click) {
  return email === null ? undefined : emailSealer(masterKey, { email, source: "link", language });
}

/** @throws VALIDATION_ERROR that names the bound. */
function amountFor(link: PaymentLink, chosen: Amount | null): Amount {
  const found = amountOfClick(link, chosen);
  if ("amount" in found) return found.amount;
  throw new ApiError("VALIDATION_ERROR", { details: [faultOfAmount(found.fault, link)] });
}

function faultOfAmount(fault: AmountFault, link: PaymentLink): ErrorDetail {
  const { minAmount, maxAmount, pricingCurrency } = link;
  const messages: Record<AmountFault, string> = {
    missing: "is needed: this link leaves it to the payer",
    tooSmall: minAmount === null ? "must be above 0" : `must be at least ${formatAmount(minAmount)}`,
    tooLarge: maxAmount === null ? "is too large" : `must be at most ${formatAmount(maxAmount)}`,
    tooManyDecimals: pricingCurrency === null ? "has too many decimals" : tooFine(pricingCurrency).message,
  };
  return { path: "amount", message: messages[fault] };
}

/** Random, because a counter would tell rivals the sales. */
function randomRef(): string {
  return Array.from({ length: REF_CHARS }, () => REF_ALPHABET[randomInt(REF_ALPHABET.length)]).join("");
}

/** One merchant's hash of an address says nothing about another's, and without the key it is no address. */
function clientOf(masterKey: Buffer, { merchantId }: PaymentLink, address: string): Buffer {
  return createHmac("sha256", masterKey)
    .update(`daric client of a click|${merchantId}|${address}`)
    .digest()
    .subarray(0, 16);
}

/** A payer learns that the link is closed, and nothing of its merchant's account. */
function asClosed(error: unknown): never {
  if (error instanceof ApiError && error.code === "MERCHANT_SUSPENDED") throw new ApiError("LINK_CLOSED");
  throw error;
}

function busy(): ApiError {
  return new ApiError("RATE_LIMITED", {
    message: "Too many orders of this link are open: pay one of yours, or try again later.",
    retryAfterSeconds: BUSY_SECONDS,
  });
}
