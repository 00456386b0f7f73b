import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { apiConnections } from "@daric/http/connections";
import { addressKey, type RateLimiter, takeOrRefuse } from "@daric/http/rate-limit";
import type { SessionGuard } from "@daric/http/session";
import type { httpSettings } from "@daric/http/settings";
import { createConnectionLimits, createSockets, type PageSocket } from "@daric/http/sockets";
import { refuseForeign, routeUpgrades, takeUpgrade, wantsUpgrade } from "@daric/http/upgrades";
import type { ConfigOf } from "@daric/runtime/setting";
import type { WakeUps } from "@daric/runtime/wake-ups";
import type { FastifyReply, FastifyRequest } from "fastify";
import { dashboardUrlOf } from "../../people/context.ts";
import type { Watched } from "../../people/entitled-store.ts";
import { createChangeWatch, keyOfWatched, type WatchContext } from "./watch.ts";

/** A session has a socket for each open tab. */
const MAX_PER_SESSION = 20;
const MAX_PER_ADDRESS = 200;
/** The share of the API's connections. Payers have 5/6, and the rest is kept for requests. */
const SOCKET_SHARE = 1 / 12;
/** The time after which a refused page tries a socket again; meanwhile it polls. */
const RETRY_AFTER_SECONDS = 60;

type Context = WatchContext & {
  readonly config: {
    readonly http: ConfigOf<typeof httpSettings, "api">;
    readonly people: { readonly baseUrl: string | undefined };
  };
};
type Parts = {
  readonly guard: SessionGuard;
  readonly perSession: RateLimiter;
  readonly wakeUps: Pick<WakeUps, "onWakeUp"> | undefined;
};

/**
 * GET /dashboard/v1/live: a websocket that says what changed, for one merchant of the session, or for operators the service. Its
 * messages are `{ "type": "changed", "data": { part: tag } }`: one when it opens, and one after every change within a second. It ends
 * with 1008 once the session has ended or the right is gone. Pages of other sites are refused.
 */
export function dashboardLiveRoute(app: ApiApp, context: Context, parts: Parts): void {
  const { http } = context.config;
  const poller = createChangeWatch(context, parts.wakeUps);
  const sockets = createSockets({ onCount: () => undefined });
  const takeSlot = createConnectionLimits({
    perKey: MAX_PER_SESSION,
    perAddress: MAX_PER_ADDRESS,
    inAll: Math.floor(apiConnections(http.maxConnections).max * SOCKET_SHARE),
  });
  routeUpgrades(app);
  app.addHook("preClose", async () => {
    poller.stop();
    await sockets.close();
  });

  async function open(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (!wantsUpgrade(request.raw)) return void (await parts.guard.read(request));
    refuseForeign(request, dashboardUrlOf(context.config));
    const watched = await watchedOf(request, parts.guard);
    takeOrRefuse(parts.perSession, watched.sessionId);
    const slot = takeSlot(watched.sessionId, addressKey(request.ip));
    if ("isFull" in slot) throw tooMany();
    reply.hijack();
    const onOpen = (page: PageSocket) => {
      const leave = poller.subscribe(keyOfWatched(watched), (json) =>
        json === undefined ? page.refuse() : page.push(`{"type":"changed","data":${json}}`),
      );
      return () => {
        leave();
        slot.release();
      };
    };
    if (!sockets.open(takeUpgrade(request.raw), onOpen)) slot.release();
  }

  app.get("/dashboard/v1/live", { schema: { hide: true }, onRequest: open }, async () => {
    throw new ApiError("NOT_FOUND", { message: "This path is a websocket. Without one, read again." });
  });
}

/** @throws SESSION_ENDED; NOT_FOUND for a merchant that the person is no member of; INSUFFICIENT_SCOPE without one. */
async function watchedOf(request: FastifyRequest, guard: SessionGuard): Promise<Watched> {
  const { merchantId } = request.query as { merchantId?: unknown };
  if (merchantId !== undefined) {
    const { session, merchantId: own } = await guard.readCaller(request);
    if (session === undefined) throw new ApiError("SESSION_ENDED");
    return { sessionId: session.id, merchantId: own };
  }
  return { sessionId: (await guard.readOperator(request)).id, merchantId: undefined };
}

function tooMany(): ApiError {
  return new ApiError("RATE_LIMITED", {
    message: "There are as many sockets as may be open: read again every few seconds instead.",
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
