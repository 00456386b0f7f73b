import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { refusal } from "@daric/http/openapi";
import { refuseForeignPage } from "@daric/http/own-page";
import { addressKey, createAddressLimiter, createRateLimiter, takeOrRefuse } from "@daric/http/rate-limit";
import { tokenParams } from "@daric/http/validate";
import { readClaim, requireOpenClaim } from "@daric/refunds/claim-refund";
import { readClaimToken } from "@daric/refunds/claim-token";
import { payeeFaultText } from "@daric/refunds/vet-address";
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { takeForms } from "../page/routes.ts";
import { type AddressNaming, type ClaimingContext, type ClaimParts, createClaimParts } from "./parts.ts";
import { claimAnswer, claimBody, claimForm, isOver, type ShownClaim, toClaimAnswer } from "./schema.ts";
import { createShowPage } from "./show-page.ts";
import { submitForm } from "./submit-form.ts";

const SECONDS_PER_MINUTE = 60;
/** Of one link. Each may cost queries of nodes. */
const POSTS_PER_MINUTE = 6;
const CLOSED = 409;
/** The page's language; whatever else stands in its address never breaks it. */
const anyQuery = z.looseObject({});

/** The parts, within the limits of callers. */
type LimitedParts = Pick<ClaimParts, "shown" | "hasPaid"> & {
  /** refuses a token that we did not make, before all other work */
  readonly refuseJunk: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;
  /** @throws NOT_FOUND; RATE_LIMITED */
  readonly read: (request: FastifyRequest, token: string) => Promise<ShownClaim>;
  /** @throws CSRF_REFUSED from another site's page; RATE_LIMITED; the errors of {@link ClaimParts} */
  readonly nameOf: (request: FastifyRequest) => ClaimParts["name"];
};

/**
 * The public side of refunds: the page GET and POST /r/:token, and GET and POST /v1/refund-claims/:token. The token is the capability. Looking
 * changes nothing.
 */
export function claimRoutes(app: ApiApp, context: ClaimingContext): void {
  const parts = limited(context);
  pageRoutes(app, context, parts);
  readRoute(app, parts);
  nameRoute(app, parts);
}

function limited(context: ClaimingContext): LimitedParts {
  const { clock, config } = context;
  const { name, shown, hasPaid } = createClaimParts(context);
  const paceOf = (perMinute: number) => ({
    perSecond: perMinute / SECONDS_PER_MINUTE,
    burst: perMinute,
    clock,
  });
  const reads = createRateLimiter(paceOf(config.checkout.readsPerMinute));
  const posts = createRateLimiter(paceOf(POSTS_PER_MINUTE));
  const unknown = createAddressLimiter(paceOf(config.http.failuresPerMinute));
  return {
    shown,
    hasPaid,
    refuseJunk: ({ params }, _reply, done) => {
      if (readClaimToken(context, (params as { token: string }).token) === undefined)
        throw new ApiError("NOT_FOUND");
      done();
    },
    read: async ({ ip }, token) => {
      takeOrRefuse(reads, token);
      // A token of another copy of this database has no refund here: it counts for its sender.
      const claim = await readClaim(context, token).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === "NOT_FOUND") takeOrRefuse(unknown, ip);
        throw error;
      });
      return shown(claim);
    },
    nameOf: (request) => async (naming) => {
      refuseForeignPage(request, config.http.publicBaseUrl);
      takeOrRefuse(posts, naming.token);
      return name(naming);
    },
  };
}

function namingOf({ ip }: FastifyRequest, named: Omit<AddressNaming, "clientAddress">): AddressNaming {
  return { ...named, clientAddress: addressKey(ip) };
}

/**
 * The page of a claim link. Its form has two steps, so that a payer compares the address before the link takes it. A link that has ended
 * answers 409 with its reason.
 */
function pageRoutes(app: ApiApp, context: ClaimingContext, parts: LimitedParts): void {
  const { refuseJunk, read, nameOf, hasPaid } = parts;
  const show = createShowPage(context);
  const options = {
    onRequest: refuseJunk,
    attachValidation: true,
    schema: { hide: true, params: tokenParams, querystring: anyQuery },
  };
  app.get("/r/:token", options, async (request, reply) => {
    const claim = await read(request, request.params.token);
    return show(isOver(claim) ? reply.code(CLOSED) : reply, claim);
  });
  takeForms(app, (forms) => {
    const schema = { ...options.schema, body: claimForm };
    forms.post("/r/:token", { ...options, schema }, async (request, reply) => {
      const { token } = request.params;
      const { address, confirmed } = request.body;
      const naming = namingOf(request, { token, address, isSure: confirmed !== undefined });
      const submitted = await submitForm({ name: nameOf(request), hasPaid }, naming);
      if ("isTaken" in submitted) return reply.redirect(`${token}${languageOf(request)}`, 303);
      const { status, retryAfterSeconds, ...answer } = submitted;
      if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
      return show(reply.code(status), await read(request, token), answer);
    });
  });
}

function languageOf({ query }: FastifyRequest): string {
  const { lang } = query as { readonly lang?: unknown };
  return typeof lang === "string" ? `?${new URLSearchParams({ lang })}` : "";
}

const claimRefusals = {
  404: refusal("NOT_FOUND: there is no such link."),
  409: refusal("REFUND_CLOSED: the message says why the link takes no address."),
  429: refusal("RATE_LIMITED with `Retry-After` in seconds."),
};

function readRoute(app: ApiApp, { read, refuseJunk }: LimitedParts): void {
  app.get(
    "/v1/refund-claims/:token",
    {
      onRequest: refuseJunk,
      schema: {
        operationId: "retrieveRefundClaim",
        summary: "Retrieve a refund as its payer sees it",
        description:
          "No key: the token at the end of `claim_url` is the capability. Once the link took an address it shows that one.",
        tags: ["refunds"],
        params: tokenParams,
        response: { 200: successOf(claimAnswer), ...claimRefusals },
      },
    },
    async (request) => {
      const claim = await read(request, request.params.token);
      if (isOver(claim)) requireOpenClaim(claim);
      return ok(toClaimAnswer(claim));
    },
  );
}

function nameRoute(app: ApiApp, { nameOf, shown, refuseJunk }: LimitedParts): void {
  app.post(
    "/v1/refund-claims/:token",
    {
      onRequest: refuseJunk,
      schema: {
        operationId: "claimRefund",
        summary: "Name the address that gets a refund",
        description:
          "No key: the token is the capability. A link takes one address, once; the same one again answers the same. Ten refused addresses close the link. At most six requests a minute for a link.",
        tags: ["refunds"],
        params: tokenParams,
        body: claimBody,
        response: {
          200: successOf(claimAnswer),
          403: refusal("CSRF_REFUSED for a browser's request from another site."),
          ...claimRefusals,
          422: refusal("VALIDATION_ERROR: the address cannot get this refund."),
          503: refusal("SERVICE_UNAVAILABLE with `Retry-After` in seconds: the address was not checked."),
        },
      },
    },
    async (request) => {
      const { token } = request.params;
      const naming = namingOf(request, { token, address: request.body.address, isSure: true });
      const named = await nameOf(request)(naming);
      if (named.fault !== undefined)
        throw new ApiError("VALIDATION_ERROR", {
          details: [{ path: "address", message: payeeFaultText(named.fault) }],
        });
      return ok(toClaimAnswer(await shown(named)));
    },
  );
}
