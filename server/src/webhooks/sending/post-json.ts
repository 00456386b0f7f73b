import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import { isAccepted, type WebhookError } from "../../domain/webhook-delivery.ts";
import { readAllowedTargets } from "../../egress/allowed-targets.ts";
import { parseTarget } from "../../egress/guard-url.ts";
import { EgressFailure, guardedDial, type NetworkAccess, systemAccess } from "../../egress/guarded-dial.ts";
import { openOn } from "../../egress/open-on.ts";
import type { Context } from "./context.ts";

/** How much of a receiver's answer is kept, in bytes of UTF-8. */
export const SNIPPET_BYTES = 2_048;
export type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** What one attempt came to. `error` is null exactly where the receiver accepted. */
export type PostResult = {
  /** null where no answer began */
  readonly statusCode: number | null;
  readonly snippet: string | null;
  readonly error: WebhookError | null;
  readonly durationMs: number;
  readonly attemptedAt: Date;
  /** what lies behind the error; for the operator's log only */
  readonly cause?: unknown;
};

/** Sends one request; never throws and never takes longer than the deadline. */
export type Post = (request: PostRequest) => Promise<PostResult>;

/** A body is read to this length and then cut off. */
const MAX_READ_BYTES = 64 * 1024;
/**
 * The most bytes of an answer: the parser limits neither the status line, nor 1xx answers, nor chunk
 * extensions.
 */
const MAX_ANSWER_BYTES = 128 * 1024;

/**
 * Makes the function that posts to receivers. One deadline (`timeoutMs`) holds from the look-up to the end of the
 * answer. Once the headers are complete the status decides, whatever becomes of the body: a receiver that said 2xx has
 * the event. It is given the time to finish, because a connection that closes stops some receivers in their work.
 * Redirects are answers like others and not followed.
 * A connection serves one attempt: no kept-alive socket can go stale under one, and each try meets the guard.
 */
export function createPost(
  context: Pick<Context, "config" | "clock">,
  access: NetworkAccess = systemAccess,
): Post {
  const allowed = readAllowedTargets(context.config.egress);
  return async (request) => {
    const attemptedAt = context.clock.now();
    const startMs = context.clock.monotonicMs();
    const signal = AbortSignal.timeout(context.config.webhooks.timeoutMs);
    const answer: Answer = { statusCode: null, snippet: null };
    let failure: Failure | undefined;
    try {
      const target = parseTarget(request.url, allowed);
      if (target === undefined) throw new EgressFailure("blocked_address");
      const socket = await guardedDial(target, allowed, { ...access, signal });
      await exchange(socket, { ...request, url: target.href, signal }, answer);
    } catch (error) {
      failure = { error: signal.aborted ? "timeout" : errorCodeOf(error), cause: error };
    }
    const durationMs = Math.round(context.clock.monotonicMs() - startMs);
    return { ...answer, ...classify(answer, failure), durationMs, attemptedAt };
  };
}

/** Filled in as the answer comes, so that a broken one leaves what there was of it. */
type Answer = { statusCode: number | null; snippet: string | null };

type Failure = { readonly error: WebhookError; readonly cause?: unknown };

/** How the attempt ended: by the status where there is one, else by what went wrong. */
function classify({ statusCode }: Answer, failure: Failure | undefined): Failure | { error: null } {
  if (statusCode === null) return failure ?? { error: "invalid_response" };
  return { error: isAccepted(statusCode) ? null : "http_status" };
}

async function exchange(
  socket: Socket,
  request: PostRequest & { signal: AbortSignal },
  answer: Answer,
): Promise<void> {
  const url = new URL(request.url);
  const client = openOn(socket, { origin: url.origin, maxAnswerBytes: MAX_ANSWER_BYTES });
  try {
    const path = `${url.pathname}${url.search}`;
    const { headers, body, signal } = request;
    const response = await client.request({ method: "POST", path, headers, body, signal });
    answer.statusCode = response.statusCode;
    answer.snippet = "";
    await readStart(response.body, (start) => {
      answer.snippet = cleanSnippet(start);
    });
  } finally {
    socket.destroy();
    await client.destroy().catch(() => {});
  }
}

/** Reads to the end or to MAX_READ_BYTES, and shows what is kept of it as it grows. */
async function readStart(body: Readable, show: (start: Buffer) => void): Promise<void> {
  let start = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (start.length < SNIPPET_BYTES) {
      start = Buffer.concat([start, chunk.subarray(0, SNIPPET_BYTES - start.length)]);
      show(start);
    }
    if (length > MAX_READ_BYTES) return;
  }
}

const RESET_CODES = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"]);

function errorCodeOf(error: unknown): WebhookError {
  if (error instanceof EgressFailure) return error.code;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "UND_ERR_HEADERS_OVERFLOW") return "response_too_large";
  return RESET_CODES.has(code) ? "reset" : "invalid_response";
}

/**
 * The start of an answer as text that is safe to store, log and show. It is valid UTF-8 without control
 * characters (PostgreSQL's text cannot hold NUL) and without marks that reorder the display.
 */
export function cleanSnippet(bytes: Buffer): string {
  const cleaned = decodeStart(bytes)
    .replaceAll(/(?![\t\n])\p{Cc}/gu, "")
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "");
  return decodeStart(Buffer.from(cleaned));
}

/** Invalid bytes become U+FFFD; a character that the cut splits is left out. */
function decodeStart(bytes: Buffer): string {
  return new TextDecoder().decode(bytes.subarray(0, SNIPPET_BYTES), { stream: true });
}
