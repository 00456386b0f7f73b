import type { NetworkSettings } from "@daric/chain/nodes/networks";
import { ApiError } from "@daric/domain/errors";
import { type Lookup, type NamedTransaction, readNamedTransaction } from "@daric/domain/lookup";
import type { ApiApp } from "@daric/http/api-app";
import type { httpSettings } from "@daric/http/settings";
import { tokenParams } from "@daric/http/validate";
import { isMailConfigured, type MailContext } from "@daric/messages/announce";
import type { RefundContext } from "@daric/refunds/change-refund";
import type { ContextOf } from "@daric/runtime/context";
import type { ConfigOf } from "@daric/runtime/setting";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { merchantLanguages } from "../messages/choose-language.ts";
import { frameOf } from "./frame.ts";
import type { Operator } from "./operator.ts";
import { checkoutPage } from "./page.ts";
import { findShownRefunds } from "./refunds.ts";
import { type Assets, encodeFor, sendPage } from "./response.ts";
import {
  networkLabel,
  type PageInput,
  type QrContent,
  type ReadNetwork,
  type ReceiptAnswer,
  receiptAnswers,
} from "./view.ts";

/** The forms of the page: a look-up of any text, or a requote. */
const pageForm = z.object({ txHash: z.string().catch(""), requote: z.string().optional() });

/** In the page's address: its language, its QR code, and the origin of the page that shows it in a frame. `receipt`: what its form says. */
const pageQuery = z.object({
  lang: z.string().optional(),
  qr: z.string().optional(),
  embed: z.string().optional(),
  receipt: z.string().optional(),
});

/** The path of a file of the page, below the version of all files. */
const assetParams = z.object({ version: z.string(), file: z.string() });

const CACHE_FOR_EVER = "public, max-age=31536000, immutable";

type PageContext = ContextOf<{
  readonly http: ConfigOf<typeof httpSettings, "api">;
  readonly chain: NetworkSettings;
}> &
  MailContext &
  RefundContext & {
    /** the chain, once it is verified */
    readonly currentChain: () => { readonly network: ReadNetwork } | undefined;
  };
type FoundCheckout = Pick<PageInput, "charge" | "record" | "projection" | "version">;
/** Finds by token, within the budget of the caller. */
export type FindByToken<Found> = (request: FastifyRequest, token: string) => Promise<Found>;
export type CheckoutHook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
/** The functions behind the page and its forms. */
export type PageParts = {
  readonly findCheckout: FindByToken<FoundCheckout>;
  readonly findForLookup: FindByToken<FoundCheckout>;
  readonly findToRequote: FindByToken<unknown>;
  /** locks the current rate for the order of this token */
  readonly requote: (token: string) => Promise<void>;
  readonly lookUp: (
    checkout: FoundCheckout,
    named: Exclude<NamedTransaction, "not_an_id">,
    request: FastifyRequest,
  ) => Promise<Lookup>;
  /** the operator for the page of a path, on a deployment of several merchants */
  readonly operatorOf: (path: string) => Promise<Operator | undefined>;
  readonly refuseJunk: CheckoutHook;
  readonly assets: Assets;
};

/** The hosted page GET /c/:token, the forms in it, and the files it loads. */
export function pageRoutes(app: ApiApp, context: PageContext, parts: PageParts): void {
  pageRoute(app, context, parts);
  assetRoute(app, parts);
}

/** The facts around a checkout: the network, the page's link, and the languages of its merchant. */
function surroundings(context: PageContext, operatorOf: PageParts["operatorOf"]) {
  const { chain, http } = context.config;
  const { publicBaseUrl } = http;
  const languagesOf = merchantLanguages();
  const hasMail = isMailConfigured(context);
  return async (request: FastifyRequest, { charge, record }: FoundCheckout) => {
    const { of, offered } = languagesOf(record.merchant.languages);
    return {
      network: networkLabel(chain, context.currentChain()?.network),
      language: of(request),
      languages: offered,
      operator: await operatorOf(`c/${charge.checkoutToken}`),
      frame: frameOf(request, record.merchant.embedOrigins),
      pageUrl: publicBaseUrl === undefined ? null : `${publicBaseUrl}/c/${charge.checkoutToken}`,
      isPhone: isPhone(request),
      qr: qrOf(request),
      receipt: hasMail ? receiptOf(request) : undefined,
      refunds: await findShownRefunds(context, { charge, record }),
    };
  };
}

function pageRoute(app: ApiApp, context: PageContext, parts: PageParts): void {
  const { findCheckout, findForLookup, findToRequote, requote, lookUp, refuseJunk, assets } = parts;
  const shownTo = surroundings(context, parts.operatorOf);
  const options = {
    onRequest: refuseJunk,
    // Tracking parameters of a shop, even repeated ones, never break the page.
    attachValidation: true,
    schema: { hide: true, params: tokenParams, querystring: pageQuery },
  };
  app.get("/c/:token", options, async (request, reply) => {
    const checkout = await findCheckout(request, request.params.token);
    const { otherPage } = checkout.record;
    // A script that reads its own page stays on it, and shows the way.
    if (otherPage?.takesPlace && isNavigation(request))
      return reply.redirect(`${otherPage.token}${queryOf(request)}`, 303);
    const shown = await shownTo(request, checkout);
    return sendPage(reply, shown.language, checkoutPage({ ...checkout, ...shown }, assets));
  });
  // Forms of a browser without scripts: a look-up answers with the page and the result, a requote with a
  // redirect to the page.
  takeForms(app, (forms) => {
    const schema = { ...options.schema, body: pageForm };
    forms.post("/c/:token", { ...options, schema }, async (request, reply) => {
      const { token } = request.params;
      if (request.body.requote !== undefined) {
        await findToRequote(request, token);
        await requote(token).catch(passRefusal);
        return reply.redirect(`${token}${queryOf(request)}`, 303);
      }
      const checkout = await findForLookup(request, token);
      const transaction = readNamedTransaction(request.body.txHash);
      const lookup =
        transaction === "not_an_id" ? { result: transaction } : await lookUp(checkout, transaction, request);
      const shown = await shownTo(request, checkout);
      return sendPage(reply, shown.language, checkoutPage({ ...checkout, ...shown, lookup }, assets));
    });
  });
}

/** If the order changed meanwhile, the page itself shows its new state. */
function passRefusal(error: unknown): void {
  const isOfOrder = error instanceof ApiError && (error.status === 409 || error.status === 422);
  if (!isOfOrder) throw error;
}

/** Tablets are phones here: they too have wallets, and no second screen to be scanned from. */
function isPhone({ headers }: FastifyRequest): boolean {
  return /Mobi|Android|iPhone/.test(headers["user-agent"] ?? "");
}

function qrOf({ query }: FastifyRequest): QrContent | undefined {
  const { qr } = query as { readonly qr?: unknown };
  return qr === "address" || qr === "uri" ? qr : undefined;
}

function receiptOf({ query }: FastifyRequest): ReceiptAnswer {
  const { receipt } = query as { readonly receipt?: unknown };
  return receiptAnswers.find((answer) => answer === receipt) ?? "asks";
}

/** Whether the browser shows the answer, rather than a script of the page. */
function isNavigation({ headers }: FastifyRequest): boolean {
  return headers["sec-fetch-dest"] !== "empty";
}

/** The query of the request with its question mark: it keeps the language. */
function queryOf({ url }: FastifyRequest): string {
  const start = url.indexOf("?");
  return start === -1 ? "" : url.slice(start);
}

/** Our forms are shorter; the rest of a longer body is ignored. */
const MAX_FORM_CHARS = 4_096;

/** A scope with a parser for form bodies: pairs of texts. */
export function takeForms(app: ApiApp, addRoutes: (forms: ApiApp) => void): void {
  app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser<string>(/^/, { parseAs: "string" }, ({ headers }, text, done) => {
      const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "");
      if (!isForm) return done(new ApiError("UNSUPPORTED_MEDIA_TYPE"));
      done(null, Object.fromEntries(new URLSearchParams(text.slice(0, MAX_FORM_CHARS))));
    });
    addRoutes(forms);
  });
}

function assetRoute(app: ApiApp, { assets }: PageParts): void {
  const schema = { hide: true, params: assetParams };
  app.get("/checkout/:version/:file", { schema }, async (request, reply) => {
    const asset = assets.files.get(request.params.file);
    if (asset === undefined) throw new ApiError("NOT_FOUND");
    const { content, encoding } = encodeFor(asset, request.headers["accept-encoding"] ?? "");
    if (encoding !== undefined) reply.header("content-encoding", encoding);
    // Another version is requested while two releases run side by side: it is served, but not cached.
    const isCurrent = request.params.version === assets.version;
    return reply
      .type(asset.type)
      .header("vary", "accept-encoding")
      .header("cache-control", isCurrent ? CACHE_FOR_EVER : "no-store")
      .send(content);
  });
}
