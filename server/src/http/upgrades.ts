import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { ApiApp } from "./api-app.ts";
import { isAnswering } from "./connections.ts";

/** A connection whose request asks for a websocket, and the bytes that came behind it. */
type Upgrade = {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
};

const waiting = new WeakMap<IncomingMessage, Upgrade & { readonly response: ServerResponse }>();

/**
 * From now on a request for a websocket goes the way of every other, to its route and through its hooks, and is refused like
 * every other; only a route that calls {@link takeUpgrade} gets the connection. What asks for any other protocol, as some
 * clients do with each request, is served as if it had not. A connection on which an earlier request is not answered yet ends:
 * Node has already given up the order of its answers.
 */
export function routeUpgrades(app: ApiApp): void {
  app.server.on("upgrade", (request, socket, head) => {
    // Of a listener of TCP, whatever the type says: there is no other.
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

/** Node hands on 1,000 headers at most, and drops the rest, which may say how long the body is. */
const MOST_HEADERS = 1_000;

/** Whether there is a connection to take from this request. */
export function wantsUpgrade(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/**
 * The connection of a request that asks for a websocket; nobody else answers it from now on.
 *
 * @throws Error for a request that has none to take.
 */
export function takeUpgrade(request: IncomingMessage): Upgrade {
  const upgrade = waiting.get(request);
  if (upgrade === undefined) throw new Error("the request has no connection to take");
  waiting.delete(request);
  const { response, socket, head } = upgrade;
  response.detachSocket(socket);
  return { request, socket, head };
}

function wantsWebsocket({ method, headers }: IncomingMessage): boolean {
  return method === "GET" && headers.upgrade?.toLowerCase() === "websocket";
}

/** Node has taken the connection from its parser, so that the request is put back without that one header, and read again. */
function serveWithoutUpgrade(server: Server, { request, socket, head }: Upgrade): void {
  const { method, url, httpVersion, rawHeaders } = request;
  if (rawHeaders.length >= 2 * MOST_HEADERS) {
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
