import { isAccepted, type WebhookError } from "@daric/domain/webhook-delivery";
import { readAllowedTargets } from "@daric/egress/allowed-targets";
import { parseTarget } from "@daric/egress/guard-url";
import { EgressFailure, guardedDial, type NetworkAccess, systemAccess } from "@daric/egress/guarded-dial";
import { retryAfterMs } from "@daric/egress/retry-after";
import { closeConnection, createConnections, type VettedConnection } from "./connections.ts";
import type { Context } from "./context.ts";

/** How much of a receiver's answer is kept, in bytes of UTF-8. */
export const SNIPPET_BYTES = 2_048;
/** How much of its headers is. */
const HEADER_BYTES = 1_024;
/** The longest pause that a receiver may ask for. */
const MAX_PAUSE_MS = 3_600_000;
export type PostRequest = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Requests with the same key and URL share kept connections; without it the connection closes afterwards. */
  readonly key?: string;
};

/** The outcome of one attempt. `error` is null exactly where the receiver accepted. */
export type PostResult = {
  /** null where no answer began */
  readonly statusCode: number | null;
  readonly snippet: string | null;
  /** of the answer, as lines `name: value`; without cookies, which may be secrets */
  readonly answerHeaders?: string | undefined;
  readonly error: WebhookError | null;
  /** how long a receiver that did not accept asks to be left alone */
  readonly pauseMs?: number | undefined;
  readonly durationMs: number;
  readonly attemptedAt: Date;
  /** the cause of the error; for the operator's log only */
  readonly cause?: unknown;
};

/** Sends one request; never throws and never takes longer than the deadline. */
export type Post = {
  (request: PostRequest): Promise<PostResult>;
  /** Closes the connections that wait for a next request. */
  close(): void;
};

/** A body is read to this length and then cut off. */
const MAX_READ_BYTES = 64 * 1024;

/**
 * Makes the function that posts to receivers. One deadline (`timeoutMs`) holds from the look-up to the end of the
 * answer. Once the headers are complete the status decides, whatever becomes of the body: a receiver that said 2xx has
 * the event. It is given the time to finish, because a connection that closes stops some receivers in their work.
 * Redirects are answers like others and not followed.
 * The guard vets each connection when it is dialled. A kept connection that breaks before the first byte of an answer
 * had gone stale: the request is made once more, on a new one.
 */
export function createPost(
  context: Pick<Context, "config" | "clock">,
  access: NetworkAccess = systemAccess,
): Post {
  const { clock } = context;
  const allowed = readAllowedTargets(context.config.egress);
  const connections = createConnections(clock);

  async function dial(url: string, deadline: Deadline): Promise<VettedConnection> {
    const target = parseTarget(url, allowed);
    if (target === undefined) throw new EgressFailure("blocked_address");
    const dialling = new AbortController();
    deadline.onOver = () => dialling.abort();
    const socket = await guardedDial(target, allowed, { ...access, signal: dialling.signal });
    return connections.open(socket, target.href);
  }

  async function send(request: PostRequest, deadline: Deadline): Promise<Answer> {
    const key = request.key === undefined ? undefined : `${request.key} ${request.url}`;
    const on = async (connection: VettedConnection): Promise<Answer> => {
      const answer = await exchange(connection, request, deadline);
      if (key !== undefined && answer.isComplete) connections.keep(key, connection);
      else closeConnection(connection);
      return answer;
    };
    const kept = key === undefined ? undefined : connections.take(key);
    if (kept !== undefined) {
      const answer = await on(kept);
      if (answer.isComplete || !wasStale(kept, deadline)) return answer;
    }
    return on(await dial(request.url, deadline));
  }

  async function post(request: PostRequest): Promise<PostResult> {
    const attemptedAt = clock.now();
    const startMs = clock.monotonicMs();
    const deadline = startDeadline(context.config.webhooks.timeoutMs);
    let answer: Answer = { statusCode: null, snippet: null, isComplete: false };
    try {
      answer = await send(request, deadline);
    } catch (error) {
      answer.failure = error;
    } finally {
      deadline.end();
    }
    const { statusCode, snippet, answerHeaders, pauseMs } = answer;
    const durationMs = Math.round(clock.monotonicMs() - startMs);
    const { error, cause } = classify(answer, deadline);
    return { statusCode, snippet, answerHeaders, error, pauseMs, durationMs, attemptedAt, cause };
  }
  return Object.assign(post, { close: connections.close });
}

/** Other than an AbortSignal this costs one timer. `onOver` is what ends the present step. */
type Deadline = { isOver: boolean; onOver: () => void; end(): void };

function startDeadline(ms: number): Deadline {
  const timer = setTimeout(() => {
    deadline.isOver = true;
    deadline.onOver();
  }, ms);
  const deadline: Deadline = { isOver: false, onOver: () => {}, end: () => clearTimeout(timer) };
  return deadline;
}

type Answer = {
  statusCode: number | null;
  snippet: string | null;
  answerHeaders?: string;
  pauseMs?: number | undefined;
  /** it came to its end, so that the connection may carry another request */
  isComplete: boolean;
  failure?: unknown;
};

/** Whether no byte of an answer came, and time is left for another connection. */
function wasStale({ socket, readBefore }: VettedConnection, deadline: Deadline): boolean {
  return socket.bytesRead === readBefore && !deadline.isOver;
}

/** How the attempt ended: by the status where there is one, else by what went wrong. */
function classify({ statusCode, failure }: Answer, deadline: Deadline): Pick<PostResult, "error" | "cause"> {
  if (statusCode !== null) return { error: isAccepted(statusCode) ? null : "http_status" };
  if (deadline.isOver) return { error: "timeout", cause: failure };
  return { error: errorCodeOf(failure), cause: failure };
}

/** Makes the request and reads the answer to its end or to MAX_READ_BYTES. Never rejects. */
function exchange(connection: VettedConnection, request: PostRequest, deadline: Deadline): Promise<Answer> {
  const { client, socket, path } = connection;
  const { headers, body } = request;
  connection.readBefore = socket.bytesRead;
  deadline.onOver = () => void socket.destroy(new EgressFailure("timeout"));
  return new Promise((resolve) => {
    const answer: Answer = { statusCode: null, snippet: null, isComplete: false };
    const start: Buffer[] = [];
    let length = 0;
    const end = (ending: Partial<Answer>) => {
      if (answer.statusCode !== null) answer.snippet = cleanSnippet(Buffer.concat(start));
      resolve(Object.assign(answer, ending));
    };
    client.dispatch(
      { method: "POST", path, headers, body, reset: request.key === undefined },
      {
        onRequestStart: () => {},
        onResponseStart: (_controller, statusCode, answered) => {
          if (statusCode < 200) return;
          answer.statusCode = statusCode;
          answer.answerHeaders = linesOf(answered);
          if (!isAccepted(statusCode))
            answer.pauseMs = retryAfterMs(answered["retry-after"], MAX_PAUSE_MS) || undefined;
        },
        onResponseData: (controller, chunk) => {
          if (length < SNIPPET_BYTES) start.push(chunk.subarray(0, SNIPPET_BYTES - length));
          length += chunk.length;
          if (length > MAX_READ_BYTES) controller.abort(new EgressFailure("response_too_large"));
        },
        onResponseEnd: () => end({ isComplete: true }),
        onResponseError: (_controller, failure) => end({ failure }),
      },
    );
    if (deadline.isOver) deadline.onOver();
  });
}

const RESET_CODES = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE", "UND_ERR_RES_CONTENT_LENGTH_MISMATCH"]);

function errorCodeOf(error: unknown): WebhookError {
  if (error instanceof EgressFailure) return error.code;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "UND_ERR_HEADERS_OVERFLOW") return "response_too_large";
  // The client's word for `100 Continue` and `101 Switching Protocols`, which were not asked for.
  if (error instanceof Error && /^bad (response|upgrade)$/.test(error.message)) return "invalid_response";
  return RESET_CODES.has(code) ? "reset" : "invalid_response";
}

/**
 * The start of an answer as text that is safe to store, log and show. It is valid UTF-8 without control
 * characters (PostgreSQL's text cannot hold NUL) and without marks that reorder the display.
 */
export function cleanSnippet(bytes: Buffer, limit = SNIPPET_BYTES): string {
  const text = bytes.toString("latin1", 0, limit);
  if (/^[\t\n -~]*$/.test(text)) return text;
  const cleaned = decodeStart(bytes, limit)
    .replaceAll(/(?![\t\n])\p{Cc}/gu, "")
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "");
  return decodeStart(Buffer.from(cleaned), limit);
}

/** Invalid bytes become U+FFFD; a character that the cut splits is left out. */
function decodeStart(bytes: Buffer, limit: number): string {
  return new TextDecoder().decode(bytes.subarray(0, limit), { stream: true });
}

function linesOf(headers: Readonly<Record<string, string | string[] | undefined>>): string {
  let lines = "";
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? "";
    if (name !== "set-cookie")
      lines += `${lines && "\n"}${name}: ${typeof value === "string" ? value : value.join(", ")}`;
  }
  return cleanSnippet(Buffer.from(lines), HEADER_BYTES);
}
