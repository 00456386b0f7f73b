import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { apiConnections } from "@daric/http/connections";
import { addressKey } from "@daric/http/rate-limit";
import type { httpSettings } from "@daric/http/settings";
import { createConnectionLimits, createSockets, type PageSocket, type Sockets } from "@daric/http/sockets";
import { refuseForeign, routeUpgrades, takeUpgrade, wantsUpgrade } from "@daric/http/upgrades";
import type { ConfigOf } from "@daric/runtime/setting";
import { type Notify, type SharedPoller, versionTag } from "@daric/runtime/shared-poller";
import type { FastifyReply, FastifyRequest } from "fastify";

/** The share of the API's connections; the rest is kept for requests. */
const SOCKET_SHARE = 5 / 6;
/** The same of one address: many payers of one network stay below it. */
const ADDRESS_SOCKET_SHARE = 1 / 8;
const MAX_SOCKETS_PER_TOKEN = 50;
/** The time after which a refused page tries a socket again; meanwhile it polls. */
const RETRY_AFTER_SECONDS = 60;

type Context = {
  readonly config: { readonly http: ConfigOf<typeof httpSettings, "api"> };
  readonly metrics: { readonly checkoutSockets: { set(open: number): void } };
};

type LiveParts = {
  readonly poller: SharedPoller;
  /** @throws NOT_FOUND for a malformed or forged token */
  readonly refuseJunk: (request: FastifyRequest) => void;
  /** @throws RATE_LIMITED for a token that is read too often */
  readonly countRead: (token: string) => void;
};

/**
 * GET /v1/checkout/:token/live: a websocket that sends the answer of `GET /v1/checkout/:token` when it opens,
 * and after every change. Pages of other sites are refused.
 */
export function liveRoutes(app: ApiApp, context: Context, parts: LiveParts): void {
  const sockets = createSockets({ onCount: (open) => context.metrics.checkoutSockets.set(open) });
  const openSocket = createOpening(context, parts, sockets);
  routeUpgrades(app);
  app.addHook("preClose", async () => {
    parts.poller.stop();
    await sockets.close();
  });
  // This hook runs before a request takes its slot: a socket would never give it back.
  const onRequest: Hook = (request, reply, done) => {
    openSocket(request, reply);
    done();
  };
  app.get("/v1/checkout/:token/live", { schema: { hide: true }, onRequest }, async () => {
    throw new ApiError("NOT_FOUND", {
      message: "This path is a websocket. Without one, use the path before /live.",
    });
  });
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void;

/** Opens the socket of a request that asks for one, or throws the refusal. */
function createOpening(
  { config: { http } }: Context,
  { poller, refuseJunk, countRead }: LiveParts,
  sockets: Sockets,
): (request: FastifyRequest, reply: FastifyReply) => void {
  const { max, perAddress } = apiConnections(http.maxConnections);
  const takeSlot = createConnectionLimits({
    perKey: MAX_SOCKETS_PER_TOKEN,
    perAddress: Math.floor((http.maxConnectionsPerAddress ?? perAddress) * ADDRESS_SOCKET_SHARE),
    inAll: Math.floor(max * SOCKET_SHARE),
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

/**
 * The handlers of a socket. They keep no reference to the request, which would live as long as the socket.
 */
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
 * Sends messages to a page. If the page shows another version, the first message is sent twice, which means a
 * change outside the message. So no change between the page and its socket is missed.
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

/** The version that the page shows; undefined if the request has none. */
function versionOf({ query }: FastifyRequest): string | undefined {
  const { version } = query as { version?: unknown };
  return typeof version === "string" ? version : undefined;
}

function refusalOf(full: "key" | "address" | "all"): ApiError {
  if (full === "all") return new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return new ApiError("RATE_LIMITED", {
    message: `There are as many sockets as may be of this ${full === "key" ? "token" : full}: ask every few seconds instead.`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
