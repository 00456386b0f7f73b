import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "../../domain/errors.ts";
import type { ApiApp } from "../../http/api-app.ts";
import { apiConnections } from "../../http/connections.ts";
import { addressKey } from "../../http/rate-limit.ts";
import type { httpSettings } from "../../http/settings.ts";
import { routeUpgrades, takeUpgrade, wantsUpgrade } from "../../http/upgrades.ts";
import type { ConfigOf } from "../../runtime/setting.ts";
import { type Notify, type SharedPoller, versionTag } from "./shared-poller.ts";
import { createConnectionLimits, createSockets, type PageSocket, type Sockets } from "./sockets.ts";

/** Of the connections that the API takes; the others are kept for requests. */
const SOCKET_SHARE = 5 / 6;
/** When a page asks again for a socket where there was none for it; meanwhile it polls. */
const RETRY_AFTER_SECONDS = 60;

type Context = {
  readonly config: {
    readonly http: ConfigOf<typeof httpSettings, "api">;
    readonly checkout: { readonly socketsPerToken: number; readonly socketsPerAddress: number };
  };
  readonly metrics: { readonly checkoutSockets: { set(open: number): void } };
};

type LiveParts = {
  readonly poller: SharedPoller;
  /** @throws NOT_FOUND for what is no token of ours */
  readonly refuseJunk: (request: FastifyRequest) => void;
  /** @throws RATE_LIMITED for a token that is read too often */
  readonly countRead: (token: string) => void;
};

/**
 * GET /v1/checkout/:token/live, the websocket on which a page is told what `GET /v1/checkout/:token` would answer: as it is
 * opened, and after every change. A page of another site gets none.
 */
export function liveRoutes(app: ApiApp, context: Context, parts: LiveParts): void {
  const sockets = createSockets({ onCount: (open) => context.metrics.checkoutSockets.set(open) });
  const openSocket = createOpening(context, parts, sockets);
  routeUpgrades(app);
  app.addHook("preClose", async () => {
    parts.poller.stop();
    await sockets.close();
  });
  // In this hook, before any place of a request is taken: a socket is none, and would never give it back.
  const onRequest: Hook = (request, reply, done) => {
    openSocket(request, reply);
    done();
  };
  app.get("/v1/checkout/:token/live", { schema: { hide: true }, onRequest }, async () => {
    throw new ApiError("NOT_FOUND", {
      message: "This path is a websocket: without one ask the path before /live.",
    });
  });
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Makes a socket of a request, unless it asks for none; throws what refuses it. */
function createOpening(
  { config: { checkout, http } }: Context,
  { poller, refuseJunk, countRead }: LiveParts,
  sockets: Sockets,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const takeSlot = createConnectionLimits({
    perToken: checkout.socketsPerToken,
    perAddress: checkout.socketsPerAddress,
    inAll: Math.floor(apiConnections(http.maxConnections).most * SOCKET_SHARE),
  });
  return (request, reply) => {
    refuseJunk(request);
    if (!wantsUpgrade(request.raw)) return;
    refuseForeign(request, http.publicBaseUrl);
    const { token } = request.params as { token: string };
    countRead(token);
    const slot = takeSlot(token, addressKey(request.ip));
    if ("isFull" in slot) throw refusalOf(slot.isFull);
    reply.hijack();
    const onOpen = subscribed(poller, { token, version: versionOf(request), releaseSlot: slot.release });
    if (!sockets.open(takeUpgrade(request.raw), onOpen)) slot.release();
  };
}

type Subscription = {
  readonly token: string;
  readonly version: string | undefined;
  readonly releaseSlot: () => void;
};

/** What is done with a socket as it opens and closes. It knows nothing of the request, which would stay for as long as the socket. */
function subscribed(
  poller: SharedPoller,
  { token, version, releaseSlot }: Subscription,
): (page: PageSocket) => () => void {
  return (page) => {
    const unsubscribe = poller.subscribe(token, notifierOf(page, version));
    return () => {
      unsubscribe();
      releaseSlot();
    };
  };
}

/**
 * Tells a page what it is given. To a page that shows another version the first is told twice, which says that something changed
 * that it does not tell: what came between the page and its socket is not missed.
 */
function notifierOf(page: PageSocket, shownVersion: string | undefined): Notify {
  let isFirst = true;
  return (json, version = "") => {
    if (json === undefined) return page.refuse();
    const message = `{"type":"checkout","data":${json}}`;
    page.push(message);
    if (isFirst && shownVersion !== undefined && shownVersion !== versionTag(version)) page.push(message);
    isFirst = false;
  };
}

/** That of the page which asks; undefined where it names none. */
function versionOf({ query }: FastifyRequest): string | undefined {
  const { version } = query as { version?: unknown };
  return typeof version === "string" ? version : undefined;
}

/** What is of no page of ours: a browser says whose page it is, and whoever says nothing is none. */
function refuseForeign({ headers, host }: FastifyRequest, publicBaseUrl: string | undefined): void {
  const { origin } = headers;
  if (origin === undefined) return;
  const url = URL.canParse(origin) ? new URL(origin) : undefined;
  const isOurs =
    url?.host === host || (publicBaseUrl !== undefined && url?.origin === new URL(publicBaseUrl).origin);
  if (!isOurs) throw new ApiError("NOT_FOUND", { message: "A page of another site is told nothing here." });
}

function refusalOf(full: "token" | "address" | "all"): ApiError {
  if (full === "all") return new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return new ApiError("RATE_LIMITED", {
    message: `There are as many sockets as may be of this ${full}: ask every few seconds instead.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
