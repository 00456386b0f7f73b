import { checkoutUrl } from "@daric/charges/api/row/schema";
import { createTokenCheck } from "@daric/charges/checkout-token";
import { ApiError } from "@daric/domain/errors";
import { parseAmount } from "@daric/domain/money";
import { loadAssets, sendPage } from "@daric/hosted-checkout/page/response";
import { takeForms } from "@daric/hosted-checkout/page/routes";
import type { ApiApp } from "@daric/http/api-app";
import { created, createdOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { refuseForeignPage } from "@daric/http/own-page";
import { addressKey, createAddressLimiter, takeOrRefuse } from "@daric/http/rate-limit";
import type { httpSettings } from "@daric/http/settings";
import { tokenParams } from "@daric/http/validate";
import type { MailContext } from "@daric/messages/announce";
import { type ContextOf, forMerchant } from "@daric/runtime/context";
import type { ConfigOf } from "@daric/runtime/setting";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ClickedOrder } from "../click-store.ts";
import { createClicks } from "../insert-clicks.ts";
import { type Click, type ClickContext, orderFromLink } from "../order-from-link.ts";
import { createPages } from "./closed-pages.ts";
import { createLinkFinder, type PublicLink } from "./find-public-link.ts";
import type { Closed } from "./link-page.ts";
import { createPageInputs, type PageContext, type Shown } from "./page-input.ts";
import { anyQuery, clickAnswer, clickBody, clickForm, readClick, readQuery } from "./schema.ts";

/** The context of the public routes, which create orders. */
type PublicContext = PageContext &
  MailContext &
  ClickContext &
  ContextOf<{ readonly http: ConfigOf<typeof httpSettings, "api"> }>;

/** Of one client's address in this process. Open orders have a limit of their own. */
const CLICKS_PER_MINUTE = 30;
const SECONDS_PER_MINUTE = 60;

const clickRefusals = {
  403: refusal("CSRF_REFUSED for a browser's request from another site."),
  404: refusal("NOT_FOUND: there is no such link."),
  409: refusal("LINK_CLOSED or LINK_SOLD_OUT."),
  422: refusal("VALIDATION_ERROR with every failing field in `details`, or SETTLEMENT_ACCOUNT_DISABLED."),
  429: refusal(
    "RATE_LIMITED with `Retry-After` in seconds: clicks come too fast, or too many orders are open.",
  ),
  503: refusal("SERVICE_UNAVAILABLE or RATE_UNAVAILABLE with `Retry-After` in seconds."),
};

/** The parts that the routes share. */
type Parts = {
  /** refuses a token that is not ours */
  readonly refuseJunk: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
  /** @throws NOT_FOUND for an unknown token */
  readonly find: (request: FastifyRequest, token: string) => Promise<PublicLink>;
  /** @throws CSRF_REFUSED from another site's page; RATE_LIMITED for clicks too fast; the errors of {@link orderFromLink} */
  readonly order: (
    request: FastifyRequest,
    shown: PublicLink,
    click: Omit<Click, "clientAddress">,
  ) => Promise<ClickedOrder>;
};

/**
 * The public page of payment links, GET and POST /l/:token, and POST /v1/links/:token/orders. The token is the capability. Looking makes
 * no order, and costs one read a second for each link.
 */
export function publicLinkRoutes(app: ApiApp, context: PublicContext): void {
  const parts = partsOf(context);
  pageRoutes(app, context, parts);
  orderRoute(app, context, parts);
}

function partsOf(context: PublicContext): Parts {
  const { clock, config, checkoutKey } = context;
  const isOurs = createTokenCheck(checkoutKey);
  const limiter = (perMinute: number) =>
    createAddressLimiter({ perSecond: perMinute / SECONDS_PER_MINUTE, burst: perMinute, clock });
  const [unknownTokens, clients] = [limiter(config.http.failuresPerMinute), limiter(CLICKS_PER_MINUTE)];
  const findLink = createLinkFinder(context);
  const clicks = createClicks(context);
  return {
    refuseJunk: ({ params }, _reply, done) => {
      if (!isOurs((params as { token: string }).token)) throw new ApiError("NOT_FOUND");
      done();
    },
    find: async ({ ip }, token) => {
      const shown = await findLink(token);
      if (shown !== undefined) return shown;
      takeOrRefuse(unknownTokens, ip);
      throw new ApiError("NOT_FOUND");
    },
    order: async (request, { link }, click) => {
      refuseForeignPage(request, config.http.publicBaseUrl);
      takeOrRefuse(clients, request.ip);
      const merchants = { ...forMerchant(context, link.merchantId), clicks };
      return orderFromLink(merchants, link, { ...click, clientAddress: addressKey(request.ip) });
    },
  };
}

function pageRoutes(app: ApiApp, context: PublicContext, { refuseJunk, find, order }: Parts): void {
  const inputOf = createPageInputs(context);
  const pageOf = createPages(loadAssets());
  const show = async (reply: FastifyReply, page: Shown) => {
    const input = await inputOf(reply.request, page);
    return sendPage(reply, input.language, pageOf(page.shown, input, reply.request.url));
  };
  const options = {
    onRequest: refuseJunk,
    attachValidation: true,
    schema: { hide: true, params: tokenParams, querystring: anyQuery },
  };
  app.get("/l/:token", options, async (request, reply) => {
    const shown = await find(request, request.params.token);
    return show(reply, { shown });
  });
  takeForms(app, (forms) => {
    const schema = { ...options.schema, body: clickForm };
    forms.post("/l/:token", { ...options, schema }, async (request, reply) => {
      const { body, params } = request;
      const query = readQuery(request.query);
      const shown = await find(request, params.token);
      const page = { shown, typed: body, attempt: body.attempt };
      const { language } = await inputOf(request, page);
      const click = readClick(shown.link, body, language.figures.marks());
      if ("fault" in click) return show(reply.code(422), { ...page, fault: click.fault });
      const payer = { name: body.name || null, note: body.note || null };
      const { attempt = null } = body;
      try {
        const typed = { payer, email: body.email || null, language: language.tag };
        const made = { amount: click.amount, payerRef: query.ref ?? null, attempt, ...typed };
        const { checkoutToken } = await order(request, shown, made);
        return reply.redirect(`../c/${checkoutToken}${onwards(query)}`, 303);
      } catch (error) {
        return show(answerTo(error, reply), { ...page, closed: closedBy(error) });
      }
    });
  });
}

/** The part of the link's address that the page of the order needs. */
function onwards(query: { readonly lang?: string | undefined; readonly embed?: string | undefined }): string {
  const { lang, embed } = query;
  const kept = new URLSearchParams({
    ...(lang !== undefined && { lang }),
    ...(embed !== undefined && { embed }),
  });
  return kept.size === 0 ? "" : `?${kept}`;
}

const CLOSED: Readonly<Partial<Record<ApiError["code"], Closed>>> = {
  LINK_CLOSED: "closed",
  SETTLEMENT_ACCOUNT_DISABLED: "closed",
  LINK_SOLD_OUT: "soldOut",
  RATE_LIMITED: "busy",
};

/** @throws the error if the link's page has no text for it */
function closedBy(error: unknown): Closed {
  const closed = error instanceof ApiError ? CLOSED[error.code] : undefined;
  if (closed === undefined) throw error;
  return closed;
}

function answerTo(error: unknown, reply: FastifyReply): FastifyReply {
  if (!(error instanceof ApiError)) return reply;
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", String(error.retryAfterSeconds));
  return reply.code(error.status);
}

function orderRoute(app: ApiApp, { config }: PublicContext, { refuseJunk, find, order }: Parts): void {
  app.post(
    "/v1/links/:token/orders",
    {
      onRequest: refuseJunk,
      schema: {
        operationId: "createLinkOrder",
        summary: "Create an order by a payment link",
        description:
          "The same as a click on the page of a link. No key: the token is the capability. With the same `attempt` the answer is the same order, while that can be paid or is paid. A browser's request must come from a page of this service.",
        tags: ["payment links"],
        params: tokenParams,
        body: clickBody,
        response: { 201: createdOf(clickAnswer), ...clickRefusals },
      },
    },
    async (request, reply) => {
      const { attempt, amount, ref, name, note, email } = request.body;
      const shown = await find(request, request.params.token);
      const { checkoutToken, orderRef } = await order(request, shown, {
        amount: (amount && parseAmount(amount)) || null,
        payerRef: ref ?? null,
        payer: { name, note },
        ...{ email, language: null },
        attempt: attempt ?? null,
      });
      const url = checkoutUrl(config.http.publicBaseUrl, checkoutToken);
      return reply.code(201).send(created({ checkout_url: url, order_ref: orderRef }));
    },
  );
}
