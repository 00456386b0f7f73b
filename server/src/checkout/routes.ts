import type { FastifyReply, FastifyRequest } from "fastify";
import { getRefByToken } from "../charges/charge.ts";
import { createTokenCheck } from "../charges/checkout-token.ts";
import { requoteCharge } from "../charges/requote-charge.ts";
import { ApiError } from "../domain/errors.ts";
import { type Lookup, type NamedTransaction, readNamedTransaction } from "../domain/lookup.ts";
import type { ApiApp } from "../http/api-app.ts";
import { ok, successOf } from "../http/envelope.ts";
import { apiErrorOf } from "../http/error-translation.ts";
import { etagOf, isNamedBy } from "../http/etag.ts";
import type { HttpMetrics } from "../http/metrics.ts";
import { refusal } from "../http/openapi.ts";
import { addressKey, createRateLimiter, type RateLimiter, takeOrRefuse } from "../http/rate-limit.ts";
import { noteRefusal, reportFault } from "../http/request-log.ts";
import type { httpSettings } from "../http/settings.ts";
import { type ContextOf, forMerchant } from "../runtime/context.ts";
import type { ConfigOf } from "../runtime/setting.ts";
import type { ApiContext as PageContext } from "./context.ts";
import { createCheckoutFinder, type ProjectedCheckout } from "./find-checkout.ts";
import { liveRoutes } from "./live/routes.ts";
import type { SharedLook } from "./live/shared-look.ts";
import { createLookUp } from "./lookup/look-up-payment.ts";
import { lookupRoute } from "./lookup/routes.ts";
import type { Language } from "./messages/languages.ts";
import { pageAnswer } from "./page/answer.ts";
import { type Assets, encodeFor, loadAssets } from "./page/assets.ts";
import { networkLabel } from "./page/network-label.ts";
import { checkoutPage, problemPage, type WebPage } from "./page/page.ts";
import { problemOf } from "./page/problem.ts";
import { pageLanguages } from "./page-languages.ts";
import {
  assetParams,
  checkoutProjection,
  languageQuery,
  pageForm,
  tokenParams,
  unchanged,
} from "./schema.ts";

type ApiContext = PageContext &
  ContextOf<{ readonly http: ConfigOf<typeof httpSettings, "api"> }, Pick<HttpMetrics, "httpRefusals">>;

const SECONDS_PER_MINUTE = 60;
/** Each may cost a question to a node. */
const LOOKUPS_PER_MINUTE = 6;
const CACHE_FOR_EVER = "public, max-age=31536000, immutable";

const requoteRefusals = {
  409: refusal("ORDER_ALREADY_PAID, PAYMENT_IN_PROGRESS while a payment is not final, or ORDER_CLOSED."),
  422: refusal("NOT_FIAT_PRICED, or VALIDATION_ERROR where the sum has too many digits at the rate of now."),
  429: refusal("RATE_LIMITED with `Retry-After` in seconds."),
  503: refusal("RATE_UNAVAILABLE or SERVICE_UNAVAILABLE with `Retry-After` in seconds."),
};

type Find<Found> = (request: FastifyRequest, token: string) => Promise<Found>;
type Finders = Omit<Parts, "lookUp" | "refuseJunk" | "assets">;
type Asked = Exclude<NamedTransaction, "not_an_id">;
type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
/** What the routes share. A requote has a budget of its own, and what it has made is read whatever is left of any. */
type Parts = {
  readonly findJson: Find<string>;
  readonly findCheckout: Find<ProjectedCheckout>;
  readonly findToRequote: Find<ProjectedCheckout>;
  readonly findRequoted: Find<ProjectedCheckout>;
  readonly findToLookUp: Find<ProjectedCheckout>;
  readonly lookUp: (checkout: ProjectedCheckout, asked: Asked) => Promise<Lookup>;
  readonly countRead: (token: string) => void;
  readonly look: SharedLook;
  readonly refuseJunk: Hook;
  readonly assets: Assets;
};

/**
 * GET /v1/checkout/:token, POST /v1/checkout/:token/requote, the hosted page GET /c/:token and the files it loads. Public:
 * the token is the capability.
 */
export function checkoutRoutes(app: ApiApp, context: ApiContext): void {
  const isOurs = createTokenCheck(context.checkoutKey);
  const refuseJunk: Hook = (request, _reply, done) => {
    refuseForgery(isOurs, request);
    done();
  };
  const parts = {
    ...checkoutFinders(context),
    lookUp: chargeLookUp(context),
    refuseJunk,
    assets: loadAssets(),
  };
  projectionRoute(app, parts);
  requoteRoute(app, context, parts);
  lookupRoute(app, {
    onRequest: [allowAnyOrigin, parts.refuseJunk],
    open: async (request, token) => {
      const checkout = await parts.findToLookUp(request, token);
      return (asked) => parts.lookUp(checkout, asked);
    },
  });
  pageRoute(app, context, parts);
  assetRoute(app, parts);
  liveRoutes(app, context, { ...parts, refuseJunk: (request) => refuseForgery(isOurs, request) });
}

/**
 * What fails the check of our tokens is answered like a token of no charge, before anything else is done for it:
 * without a statement, and without a budget, since it costs no more than a path that does not exist.
 */
function refuseForgery(isOurs: (token: string) => boolean, { params }: FastifyRequest): void {
  const { token } = params as { token: string };
  if (!isOurs(token)) throw new ApiError("NOT_FOUND");
}

/**
 * A token with a charge has a budget of its own; those that are ours and have none (made by another copy of this database) are
 * counted per address.
 */
function checkoutFinders(context: ApiContext): Finders {
  const { config, clock } = context;
  const { readsPerMinute, requotesPerMinute } = config.checkout;
  const unknownTokens = perMinute(config.http.failuresPerMinute);
  const [reads, requotes] = [perMinute(readsPerMinute), perMinute(requotesPerMinute)];
  const finder = createCheckoutFinder(context, config.http.publicBaseUrl);

  function perMinute(count: number) {
    return createRateLimiter({ perSecond: count / SECONDS_PER_MINUTE, burst: count, clock });
  }

  const within =
    <Found>(find: (token: string) => Promise<Found | undefined>, perToken?: RateLimiter): Find<Found> =>
    async (request, token) => {
      const found = await find(token);
      if (found === undefined) {
        takeOrRefuse(unknownTokens, addressKey(request.ip));
        throw new ApiError("NOT_FOUND");
      }
      if (perToken) takeOrRefuse(perToken, token);
      return found;
    };
  return {
    findJson: within(finder.findJson, reads),
    findCheckout: within(finder.find, reads),
    findToRequote: within(finder.find, requotes),
    findRequoted: within(finder.find),
    findToLookUp: within(finder.find, perMinute(LOOKUPS_PER_MINUTE)),
    countRead: (token) => takeOrRefuse(reads, token),
    look: finder.look,
  };
}

/** What becomes of a transaction, for who was found by a token. */
function chargeLookUp(context: ApiContext): Parts["lookUp"] {
  const lookUp = createLookUp(context);
  return async ({ charge: { address, currency, checkoutToken } }, asked) => {
    const ref = await getRefByToken(context.db, checkoutToken);
    return lookUp({ ...ref, address, currency }, asked);
  };
}

function projectionRoute(app: ApiApp, { findJson, refuseJunk }: Parts): void {
  const schema = {
    operationId: "retrieveCheckout",
    summary: "Retrieve what a payer may see",
    description:
      "What the hosted page shows, not older than a second. No key: the token is the capability. Ask every few seconds at " +
      "most, with the ETag of the last answer in If-None-Match; or open a websocket at this path with /live behind it, which " +
      'sends `{ "type": "checkout", "data": … }` at once and after every change.',
    tags: ["checkout"],
    params: tokenParams,
    response: {
      200: successOf(checkoutProjection),
      304: unchanged,
    },
  };
  const options = { schema, onRequest: [allowAnyOrigin, refuseJunk], attachValidation: true };
  app.get("/v1/checkout/:token", options, async (request, reply) => {
    const json = await findJson(request, request.params.token);
    // A token of no charge is told before a query that is not valid.
    if (request.validationError) throw request.validationError;
    return sendOnce(`{"success":true,"message":"Success","data":${json}}`, request, reply);
  });
}

/** Not again to whoever names it as the last answer he has. */
function sendOnce(body: string, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const etag = etagOf(body);
  reply.header("etag", etag);
  if (isNamedBy(headers["if-none-match"], etag)) return reply.code(304).send();
  return reply.type("application/json; charset=utf-8").serializer(String).send(body);
}

function requoteRoute(
  app: ApiApp,
  context: ApiContext,
  { findToRequote, findRequoted, refuseJunk, look }: Parts,
): void {
  const schema = {
    operationId: "requoteCheckout",
    summary: "Lock a fresh rate for an order priced in USD",
    description:
      "While the last quote holds it stays; once it has lapsed there is a new one. Answers what a payer may see.",
    tags: ["checkout"],
    params: tokenParams,
    response: { 200: successOf(checkoutProjection), ...requoteRefusals },
  };
  const options = { schema, onRequest: [allowAnyOrigin, refuseJunk], attachValidation: true };
  app.post("/v1/checkout/:token/requote", options, async (request) => {
    const { token } = request.params;
    await findToRequote(request, token);
    if (request.validationError) throw request.validationError;
    const ref = await getRefByToken(context.db, token);
    await requoteCharge(forMerchant(context, ref.merchantId), ref);
    look.forget(token);
    return ok((await findRequoted(request, token)).projection);
  });
}

/** Whoever has the token may read, so any site may; no cookie is ever looked at. */
const allowAnyOrigin: Hook = (_request, reply, done) => {
  reply.header("access-control-allow-origin", "*");
  done();
};

function pageRoute(app: ApiApp, context: ApiContext, parts: Parts): void {
  const { findCheckout, findToLookUp, lookUp, refuseJunk, assets } = parts;
  const network = networkLabel(context.config.chain);
  const languages = pageLanguages(context.config.checkout.languages);
  const { publicBaseUrl } = context.config.http;
  const shownTo = (request: FastifyRequest, { charge }: ProjectedCheckout) => ({
    network,
    language: languages.of(request),
    languages: languages.offered,
    pageUrl: publicBaseUrl === undefined ? null : `${publicBaseUrl}/c/${charge.checkoutToken}`,
  });
  const notFound = problemOf(new ApiError("NOT_FOUND"));
  const notFoundPages = new Map(languages.offered.map((each) => [each, problemPage(notFound, assets, each)]));
  const options = {
    onRequest: refuseJunk,
    // A shop's tracking parameters, also repeated ones, are no reason to show a payer nothing.
    attachValidation: true,
    schema: { hide: true, params: tokenParams, querystring: languageQuery },
    errorHandler(error: unknown, request: FastifyRequest, reply: FastifyReply) {
      const problem = problemOf(error);
      const { status, retryAfterSeconds } = problem;
      const { code } = apiErrorOf(error);
      noteRefusal(request, code);
      context.metrics.httpRefusals.inc({ code });
      // A refusal of ours is no fault, and a database that is away has lines of its own.
      if (status >= 500 && !(error instanceof ApiError) && !context.databaseOutage.tells(error))
        reportFault(request, { err: error }, "checkout page failed");
      if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
      const language = languages.of(request);
      const page = status === 404 ? notFoundPages.get(language) : undefined;
      sendPage(reply.code(status), language, page ?? problemPage(problem, assets, language));
    },
  };
  app.get("/c/:token", options, async (request, reply) => {
    const checkout = await findCheckout(request, request.params.token);
    const shown = shownTo(request, checkout);
    return sendPage(reply, shown.language, checkoutPage({ ...checkout, ...shown }, assets));
  });
  // The look-up of a browser without scripts: the same address answers the page with what was found in it.
  takeForms(app, (forms) => {
    const schema = { ...options.schema, body: pageForm };
    forms.post("/c/:token", { ...options, schema }, async (request, reply) => {
      const checkout = await findToLookUp(request, request.params.token);
      const asked = readNamedTransaction(request.body.txHash);
      const lookup = asked === "not_an_id" ? { result: asked } : await lookUp(checkout, asked);
      const shown = shownTo(request, checkout);
      return sendPage(reply, shown.language, checkoutPage({ ...checkout, ...shown, lookup }, assets));
    });
  });
}

/** A scope in which a body is what a form sends: pairs of texts. */
function takeForms(app: ApiApp, addRoutes: (forms: ApiApp) => void): void {
  app.register(async (forms) => {
    forms.removeAllContentTypeParsers();
    forms.addContentTypeParser<string>(/^/, { parseAs: "string" }, ({ headers }, text, done) => {
      const isForm = /^application\/x-www-form-urlencoded\b/i.test(headers["content-type"] ?? "");
      if (!isForm) return done(new ApiError("UNSUPPORTED_MEDIA_TYPE"));
      done(null, Object.fromEntries(new URLSearchParams(text)));
    });
    addRoutes(forms);
  });
}

function assetRoute(app: ApiApp, { assets }: Parts): void {
  const schema = { hide: true, params: assetParams };
  app.get("/checkout/:version/:file", { schema }, async (request, reply) => {
    const asset = assets.files.get(request.params.file);
    if (asset === undefined) throw new ApiError("NOT_FOUND");
    const { content, encoding } = encodeFor(asset, request.headers["accept-encoding"] ?? "");
    if (encoding !== undefined) reply.header("content-encoding", encoding);
    // Another version is asked for while processes of two releases answer side by side: served, but not kept.
    const isCurrent = request.params.version === assets.version;
    return reply
      .type(asset.type)
      .header("vary", "accept-encoding")
      .header("cache-control", isCurrent ? CACHE_FOR_EVER : "no-store")
      .send(content);
  });
}

function sendPage(reply: FastifyReply, language: Language, page: WebPage): FastifyReply {
  const { headers, body } = pageAnswer(page, language, reply.request.headers["accept-encoding"] ?? "");
  return reply.headers(headers).send(body);
}
