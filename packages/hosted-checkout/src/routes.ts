import { getRefByToken } from "@daric/charges/charge";
import { createTokenCheck } from "@daric/charges/checkout-token";
import { keepCustomerEmail } from "@daric/charges/keep-customer-email";
import { requoteCharge } from "@daric/charges/quote/requote-charge";
import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import type { HttpMetrics } from "@daric/http/metrics";
import { refusal } from "@daric/http/openapi";
import { isNamedBy } from "@daric/http/packed-file";
import {
  addressKey,
  createAddressLimiter,
  createRateLimiter,
  type RateLimiter,
  takeOrRefuse,
} from "@daric/http/rate-limit";
import type { httpSettings } from "@daric/http/settings";
import { tokenParams } from "@daric/http/validate";
import { isMailConfigured } from "@daric/messages/announce";
import { type ContextOf, forMerchant } from "@daric/runtime/context";
import type { ConfigOf } from "@daric/runtime/setting";
import { type SharedPoller, type ShownState, versionTag } from "@daric/runtime/shared-poller";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ApiContext as PageContext } from "./context.ts";
import { embedRoutes } from "./embed/routes.ts";
import { createCheckoutFinder, type ProjectedCheckout } from "./find-checkout.ts";
import { createOperatorOf } from "./find-operator.ts";
import { liveRoutes } from "./live/routes.ts";
import { createPaymentLookup } from "./lookup/look-up-payment.ts";
import { lookupRoute } from "./lookup/routes.ts";
import { loadAssets } from "./page/response.ts";
import { type CheckoutHook, type FindByToken, type PageParts, pageRoutes } from "./page/routes.ts";
import { receiptRoutes } from "./receipt/routes.ts";
import { checkoutProjection, unchanged } from "./schema.ts";

type ApiContext = PageContext &
  ContextOf<{ readonly http: ConfigOf<typeof httpSettings, "api"> }, Pick<HttpMetrics, "httpRefusals">>;

const SECONDS_PER_MINUTE = 60;
/** Each may cost a node query. */
const LOOKUPS_PER_MINUTE = 6;
const EMAILS_PER_MINUTE = 6;

const requoteRefusals = {
  409: refusal("ORDER_ALREADY_PAID, PAYMENT_IN_PROGRESS while a payment is not final, or ORDER_CLOSED."),
  422: refusal("NOT_FIAT_PRICED, or VALIDATION_ERROR if the sum has too many digits at the current rate."),
  429: refusal("RATE_LIMITED with `Retry-After` in seconds."),
  503: refusal("RATE_UNAVAILABLE or SERVICE_UNAVAILABLE with `Retry-After` in seconds."),
};

type Finders = Omit<Parts, "operatorOf" | "lookUp" | "requote" | "refuseJunk" | "assets">;
/** Shared parts of the routes. A requote has a budget of its own; the read of its result has none. */
type Parts = PageParts & {
  readonly findShown: FindByToken<ShownState>;
  readonly findToRequote: FindByToken<ProjectedCheckout>;
  readonly findRequoted: FindByToken<ProjectedCheckout>;
  readonly findForEmail: FindByToken<ProjectedCheckout>;
  readonly countRead: (token: string) => void;
  readonly poller: SharedPoller;
};

/**
 * GET /v1/checkout/:token, POST /v1/checkout/:token/requote, the hosted page GET /c/:token, the files it
 * loads, and the script that opens it in the page of a shop. Public: the token is the capability.
 */
export function checkoutRoutes(app: ApiApp, context: ApiContext): void {
  const isOurs = createTokenCheck(context.checkoutKey);
  const refuseJunk: CheckoutHook = (request, _reply, done) => {
    refuseForgery(isOurs, request);
    done();
  };
  const finders = checkoutFinders(context);
  const parts = {
    ...finders,
    requote: requoteByToken(context, finders.poller),
    lookUp: lookUpForCharge(context),
    operatorOf: createOperatorOf(context),
    refuseJunk,
    assets: loadAssets(),
  };
  projectionRoute(app, parts);
  requoteRoute(app, parts);
  lookupRoute(app, {
    onRequest: [allowAnyOrigin, parts.refuseJunk],
    open: async (request, token) => {
      const checkout = await parts.findForLookup(request, token);
      return (transaction) => parts.lookUp(checkout, transaction, request);
    },
  });
  pageRoutes(app, context, parts);
  if (isMailConfigured(context))
    receiptRoutes(app, {
      ...parts,
      publicBaseUrl: context.config.http.publicBaseUrl,
      keepEmail: async ({ charge: { issuedAs } }, typed) => {
        const { merchantId, chargeId: id } = issuedAs;
        await keepCustomerEmail(forMerchant(context, merchantId), { merchantId, id }, typed);
      },
    });
  embedRoutes(app);
  liveRoutes(app, context, { ...parts, refuseJunk: (request) => refuseForgery(isOurs, request) });
}

/**
 * A forged token gets the answer of an unknown one before all other work. It needs no statement and no
 * budget, since it costs no more than an unknown path.
 */
function refuseForgery(isOurs: (token: string) => boolean, { params }: FastifyRequest): void {
  const { token } = params as { token: string };
  if (!isOurs(token)) throw new ApiError("NOT_FOUND");
}

/**
 * A token with a charge has a budget of its own. Genuine tokens without one (from another copy of this
 * database) are counted per address.
 */
function checkoutFinders(context: ApiContext): Finders {
  const { config, clock } = context;
  const { readsPerMinute, requotesPerMinute } = config.checkout;
  const unknownTokens = createAddressLimiter(paceOf(config.http.failuresPerMinute));
  const [reads, requotes] = [perMinute(readsPerMinute), perMinute(requotesPerMinute)];
  const finder = createCheckoutFinder(context, config.http.publicBaseUrl);

  function paceOf(perMinute: number) {
    return { perSecond: perMinute / SECONDS_PER_MINUTE, burst: perMinute, clock };
  }
  function perMinute(count: number) {
    return createRateLimiter(paceOf(count));
  }

  const within =
    <Found>(
      find: (token: string) => Promise<Found | undefined>,
      perToken?: RateLimiter,
    ): FindByToken<Found> =>
    async (request, token) => {
      // Before any query: the checksum has shown that the token is ours.
      if (perToken) takeOrRefuse(perToken, token);
      const found = await find(token);
      if (found !== undefined) return found;
      takeOrRefuse(unknownTokens, request.ip);
      throw new ApiError("NOT_FOUND");
    };
  return {
    findShown: within(finder.findShown, reads),
    findCheckout: within(finder.find, reads),
    findToRequote: within(finder.find, requotes),
    findRequoted: within(finder.find),
    findForLookup: within(finder.find, perMinute(LOOKUPS_PER_MINUTE)),
    findForEmail: within(finder.find, perMinute(EMAILS_PER_MINUTE)),
    countRead: (token) => takeOrRefuse(reads, token),
    poller: finder.poller,
  };
}

/** The look-up for the charge of a token. */
function lookUpForCharge(context: ApiContext): Parts["lookUp"] {
  const lookUp = createPaymentLookup(context);
  return async ({ charge: { currency, terms, checkoutToken } }, transaction, { ip }) => {
    const ref = await getRefByToken(context.db, checkoutToken);
    return lookUp({ ...ref, currency, due: terms.due, clientAddress: addressKey(ip) }, transaction);
  };
}

function projectionRoute(app: ApiApp, { findShown, refuseJunk }: Parts): void {
  const schema = {
    operationId: "retrieveCheckout",
    summary: "Retrieve what a payer may see",
    description:
      "The content of the hosted page, not older than a second. No key: the token is the capability. Ask every few seconds at " +
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
    const shown = await findShown(request, request.params.token);
    // An unknown token is reported before an invalid query.
    if (request.validationError) throw request.validationError;
    return sendOnce(shown, request, reply);
  });
}

/** Sends 304 if the caller's ETag is that of this answer: the version of the page, so that another page has another one. */
function sendOnce(
  { json, version }: ShownState,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const etag = `"${versionTag(version)}"`;
  reply.header("etag", etag);
  if (isNamedBy(headers["if-none-match"], etag)) return reply.code(304).send();
  const body = `{"success":true,"message":"Success","data":${json}}`;
  return reply.type("application/json; charset=utf-8").serializer(String).send(body);
}

/** Offers the order of a token a fresh quote, and drops its cached state. */
function requoteByToken(context: ApiContext, poller: SharedPoller): Parts["requote"] {
  return async (token) => {
    const ref = await getRefByToken(context.db, token);
    await requoteCharge(forMerchant(context, ref.merchantId), ref);
    poller.forget(token);
  };
}

function requoteRoute(app: ApiApp, { findToRequote, requote, findRequoted, refuseJunk }: Parts): void {
  const schema = {
    operationId: "requoteCheckout",
    summary: "Lock a fresh rate for an order priced in fiat",
    description:
      "While the last quote holds it stays; once it has lapsed there is a new one. Returns what a payer may see.",
    tags: ["checkout"],
    params: tokenParams,
    response: { 200: successOf(checkoutProjection), ...requoteRefusals },
  };
  const options = { schema, onRequest: [allowAnyOrigin, refuseJunk], attachValidation: true };
  app.post("/v1/checkout/:token/requote", options, async (request) => {
    const { token } = request.params;
    await findToRequote(request, token);
    if (request.validationError) throw request.validationError;
    await requote(token);
    return ok((await findRequoted(request, token)).projection);
  });
}

/** The token is the only credential, so any site may read; cookies are ignored. */
const allowAnyOrigin: CheckoutHook = (_request, reply, done) => {
  reply.header("access-control-allow-origin", "*");
  done();
};
