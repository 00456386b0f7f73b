import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { ApiError } from "@daric/domain/errors";
import type { FastifyRequest } from "fastify";
import type { ApiApp } from "./api-app.ts";
import { isAnswering } from "./connections.ts";
import { isOfForeignPage } from "./own-page.ts";

/** The connection of a request for a websocket, and the bytes behind it. */
type Upgrade = {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
};

const waiting = new WeakMap<IncomingMessage, Upgrade & { readonly response: ServerResponse }>();

/**
 * From now on, however often this is called, a request for a websocket goes through routes and hooks like any other; only {@link
 * takeUpgrade} hands over its connection. A request for another protocol, which some clients always send, is
 * served without it. A connection with an unanswered earlier request ends: Node has given up the order of its
 * answers.
 */
export function routeUpgrades(app: ApiApp): void {
  if (app.server.listenerCount("upgrade") > 0) return;
  app.server.on("upgrade", (request, socket, head) => {
    // Always a TCP socket, whatever the type says.
    if (!(socket instanceof Socket) || isAnswering(socket)) return socket.destroy();
    if (!wantsWebsocket(request)) return serveWithoutUpgrade(app.server, { request, socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once("finish", () => socket.destroySoon());
    socket.on("error", () => socket.destroy());
    waiting.set(request, { request, socket, head, response });
    app.server.emit("request", request, response);
  });
}

/** Node keeps at most 1,000 headers and drops the rest, which may include the body's length. */
const MAX_HEADERS = 1_000;

/** Whether this request has a connection to take. */
export function wantsUpgrade(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/**
 * Takes the connection of a request for a websocket; the caller answers it from now on.
 *
 * @throws Error for a request without one.
 */
export function takeUpgrade(request: IncomingMessage): Upgrade {
  const upgrade = waiting.get(request);
  if (upgrade === undefined) throw new Error("the request has no connection to take");
  waiting.delete(request);
  const { response, socket, head } = upgrade;
  response.detachSocket(socket);
  return { request, socket, head };
}

/** @throws NOT_FOUND for a page of another site. */
export function refuseForeign(request: FastifyRequest, publicBaseUrl: string | undefined): void {
  if (isOfForeignPage(request, publicBaseUrl))
    throw new ApiError("NOT_FOUND", { message: "Only pages of this service may open a websocket here." });
}

function wantsWebsocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

/** Node has detached the parser, so the request is put back without that header and parsed again. */
function serveWithoutUpgrade(server: Server, { request, socket, head }: Upgrade): void {
  const { method, url, httpVersion, rawHeaders } = request;
  if (rawHeaders.length >= 2 * MAX_HEADERS) {
    socket.destroy();
    return;
  }
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (name.toLowerCase() !== "upgrade") lines.push(`${name}: ${rawHeaders[at + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), head]));
  server.emit("connection", socket);
}
