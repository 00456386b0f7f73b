import type { ErrorBody } from "./contract.ts";
import { DaricError } from "./daric-error.ts";
import type { AnyOperation, DownloadedFile } from "./operation.ts";
import type { Settings } from "./settings.ts";
import { TimeoutReached } from "./timeout.ts";
import { parses } from "./url.ts";

/** The result of a successful call. */
export type ReadAnswer = {
  readonly envelope: { readonly data: unknown; readonly meta?: unknown };
  /** the header `x-ignored-fields` */
  readonly unknownFields: string | null;
};

/** An answer, with the operation that it answers. */
export type Answered = Pick<Settings, "environment" | "baseUrl"> & {
  readonly operation: AnyOperation;
  readonly response: Response;
  readonly content: Uint8Array<ArrayBuffer>;
};

/** Node's errors of failed connections: an unsent call was not carried out. */
const NEVER_SENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];

/** The result of an answer: the envelope of a success, or an error. */
export function readAnswer(answered: Answered): ReadAnswer | DaricError {
  const { response, content } = answered;
  const body = parsed(content);
  if (response.ok && body?.success === true && "data" in body) {
    return {
      envelope: { data: body.data, meta: body.meta },
      unknownFields: response.headers.get("x-ignored-fields"),
    };
  }
  return isRefusal(body) ? refusalOf(answered, body) : invalidAnswer(answered);
}

/** The file of an answer, which has no envelope, or an error: a page of a proxy is no file. */
export function readDownload(answered: Answered): DownloadedFile | DaricError {
  const { response, content } = answered;
  const disposition = response.headers.get("content-disposition") ?? "";
  if (!response.ok || !/^attachment\b/i.test(disposition)) {
    const refusal = readAnswer(answered);
    return refusal instanceof DaricError ? refusal : invalidAnswer(answered);
  }
  const [, name] = /\bfilename="([^"/\\]+)"/.exec(disposition) ?? [];
  return { content, type: response.headers.get("content-type") ?? "", name };
}

/** The error of a call without an answer. */
export function unreachable(call: {
  operation: AnyOperation;
  baseUrl: URL;
  timeoutMs: number;
  cause: unknown;
}): DaricError {
  const { operation, baseUrl, timeoutMs, cause } = call;
  const isWrite = !operation.startsWith("GET ");
  if (cause instanceof TimeoutReached) {
    const message = `${baseUrl.origin} did not answer ${operation} within ${timeoutMs} ms.`;
    return new DaricError(message, { code: "TIMEOUT", operation, isOutcomeUnknown: isWrite });
  }
  const reason = reasonOf(cause);
  return new DaricError(`${baseUrl.origin} could not be reached for ${operation}: ${reason.text}.`, {
    code: "CONNECTION",
    operation,
    isOutcomeUnknown: isWrite && !NEVER_SENT.includes(reason.code),
    cause,
  });
}

function refusalOf({ operation, response, environment, baseUrl }: Answered, body: ErrorBody): DaricError {
  const { code, details } = body.error;
  const { docUrl } = body.error as { docUrl?: unknown };
  const hint =
    code === "WRONG_ENVIRONMENT"
      ? ` The key of this client is a ${environment} key, and ${baseUrl.origin} is a deployment of the other environment: change the key or the baseUrl.`
      : "";
  return new DaricError(`${body.message}${hint}`, {
    code,
    operation,
    status: response.status,
    details,
    correlationId: body.correlationId,
    retryAfter: retryAfterOf(response),
    docUrl:
      typeof docUrl === "string" && parses(docUrl, baseUrl.href) ? new URL(docUrl, baseUrl).href : undefined,
    // RATE_UNAVAILABLE is the only 5xx code that means that nothing was done.
    isOutcomeUnknown: isUnknown({ operation, response }) && code !== "RATE_UNAVAILABLE",
  });
}

/** The error for an answer of a proxy or another server. */
function invalidAnswer({ operation, response, baseUrl }: Answered): DaricError {
  const type = response.headers.get("content-type") ?? "no content type";
  const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  const message = isRedirect
    ? `${baseUrl.origin} redirects ${operation}, and a key is not sent after a redirect: set baseUrl to the target of the redirect.`
    : `${baseUrl.origin} answered ${operation} with ${response.status} and ${type}, not as Daric does: is the baseUrl right, or is a proxy in between down?`;
  return new DaricError(message, {
    code: "UNEXPECTED_ANSWER",
    operation,
    status: response.status,
    correlationId: response.headers.get("x-correlation-id") ?? undefined,
    retryAfter: retryAfterOf(response),
    isOutcomeUnknown: isUnknown({ operation, response }),
  });
}

function isUnknown({ operation, response }: Pick<Answered, "operation" | "response">): boolean {
  return !operation.startsWith("GET ") && (response.ok || response.status >= 500);
}

/** The seconds of Retry-After, which has seconds or an HTTP date. */
function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
  const at = Date.parse(text);
  return /GMT$/.test(text) && !Number.isNaN(at)
    ? Math.max(0, Math.ceil((at - Date.now()) / 1_000))
    : undefined;
}

function isRefusal(body: Record<string, unknown> | undefined): body is ErrorBody {
  const { success, message, error } = body ?? {};
  return (
    success === false &&
    typeof message === "string" &&
    typeof (error as { code?: unknown } | null)?.code === "string"
  );
}

function parsed(content: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(content));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The message `fetch failed` gives no reason; its cause does. */
function reasonOf(error: unknown): { code: string; text: string } {
  const { cause, message } = (error ?? {}) as { cause?: unknown; message?: unknown };
  const { code, message: inner } = (cause ?? {}) as { code?: unknown; message?: unknown };
  const errorCode = typeof code === "string" ? code : "";
  return { code: errorCode, text: errorCode || String(inner || message || error) };
}
