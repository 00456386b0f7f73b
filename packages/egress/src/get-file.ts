import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { readAllowedTargets, type TargetSettings } from "./allowed-targets.ts";
import { parseTarget } from "./guard-url.ts";
import { EgressFailure, guardedDial, type NetworkAccess, systemAccess } from "./guarded-dial.ts";
import { openOn } from "./open-on.ts";

/** The answer of a URL, with any status. */
export type FetchedFile = {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly content: Buffer;
};

type FileRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  /** ends the request, at the latest at its deadline */
  readonly signal: AbortSignal;
};

/** A request with a body. */
type PostedRequest = FileRequest & { readonly body: string };

/** Bytes for headers and for the overhead of chunked encoding. */
const OVERHEAD_BYTES = 32 * 1024;

/**
 * Gets a small file through the guard. A target that is private by its text or by any address of its name is
 * dialled only if the settings allow it. Redirects are not followed.
 *
 * @throws EgressFailure if the file does not arrive completely within the size and the deadline.
 */
export async function getFile(
  settings: TargetSettings,
  request: FileRequest,
  access: NetworkAccess = systemAccess,
): Promise<FetchedFile> {
  return exchange(settings, request, access);
}

/** Posts a body through the guard, and reads a small answer. @throws EgressFailure as {@link getFile} does. */
export async function postText(
  settings: TargetSettings,
  request: PostedRequest,
  access: NetworkAccess = systemAccess,
): Promise<FetchedFile> {
  return exchange(settings, request, access);
}

async function exchange(
  settings: TargetSettings,
  { url, headers, maxBytes, signal, ...posted }: FileRequest | PostedRequest,
  access: NetworkAccess,
): Promise<FetchedFile> {
  const allowed = readAllowedTargets(settings);
  const target = parseTarget(url, allowed);
  if (target === undefined) throw new EgressFailure("blocked_address");
  const socket = await guardedDial(target, allowed, { ...access, signal });
  const { origin, pathname, search } = new URL(target.href);
  const client = openOn(socket, { origin, maxAnswerBytes: maxBytes + OVERHEAD_BYTES });
  try {
    const response = await client.request({
      ...("body" in posted ? { method: "POST", body: posted.body } : { method: "GET" }),
      path: pathname + search,
      headers: { ...headers, "accept-encoding": "identity" },
      signal,
    });
    const content = await readWithin(response.body, maxBytes);
    return { statusCode: response.statusCode, headers: response.headers, content };
  } catch (error) {
    if (error instanceof EgressFailure) throw error;
    throw new EgressFailure(signal.aborted ? "timeout" : "invalid_response", error);
  } finally {
    socket.destroy();
    await client.destroy().catch(() => {});
  }
}

async function readWithin(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new EgressFailure("response_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
