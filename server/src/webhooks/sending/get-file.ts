import type { Readable } from "node:stream";
import { readAllowedTargets } from "./allowed-targets.ts";
import type { Context } from "./context.ts";
import { WebhookFailure } from "./dial-socket.ts";
import { parseTarget } from "./guard-url.ts";
import { guardedDial, type NetworkAccess, systemAccess } from "./guarded-dial.ts";
import { openOn } from "./open-on.ts";

/** What an address answered, whatever its status. */
export type FetchedFile = {
  readonly statusCode: number;
  /** as it was sent, in small letters and without parameters */
  readonly mediaType: string;
  readonly content: Buffer;
};

type FileRequest = {
  readonly url: string;
  readonly accept: string;
  readonly maxBytes: number;
  readonly timeoutMs: number;
};

/** For headers, and for what an encoding of chunks adds. */
const OVERHEAD_BYTES = 32 * 1024;

/**
 * Gets a small file from an address that an operator named, past the same guard as webhooks: a target that is private by
 * its text or by any address of its name is not dialled. A redirect is an answer like others and not followed.
 *
 * @throws WebhookFailure when it cannot be had whole, within the time and the size.
 */
export async function getFile(
  {
    config,
  }: {
    readonly config: {
      readonly webhooks: Pick<Context["config"]["webhooks"], "allowTargets" | "denyTargets">;
    };
  },
  { url, accept, maxBytes, timeoutMs }: FileRequest,
  access: NetworkAccess = systemAccess,
): Promise<FetchedFile> {
  const allowed = readAllowedTargets(config.webhooks);
  const target = parseTarget(url, allowed);
  if (target === undefined) throw new WebhookFailure("blocked_address");
  const signal = AbortSignal.timeout(timeoutMs);
  const socket = await guardedDial(target, allowed, { ...access, signal });
  const { origin, pathname, search } = new URL(target.href);
  const client = openOn(socket, { origin, maxAnswerBytes: maxBytes + OVERHEAD_BYTES });
  try {
    const headers = { accept, "accept-encoding": "identity" };
    const response = await client.request({ method: "GET", path: pathname + search, headers, signal });
    const type = String(response.headers["content-type"] ?? "");
    return {
      statusCode: response.statusCode,
      mediaType: (type.split(";")[0] ?? "").trim().toLowerCase(),
      content: await readWithin(response.body, maxBytes),
    };
  } catch (error) {
    if (error instanceof WebhookFailure) throw error;
    throw new WebhookFailure(signal.aborted ? "timeout" : "invalid_response", error);
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
    if (length > maxBytes) throw new WebhookFailure("response_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
