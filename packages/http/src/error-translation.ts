import type { Socket } from "node:net";
import { docPathOf } from "@daric/domain/error-guide";
import { ApiError, type ApiErrorCode, errorCatalog, type SpentLimit } from "@daric/domain/errors";
import { CommitUnknownError, isDatabaseUnavailable, isHeldUp } from "@daric/postgres/errors";
import type { ConnectionError, FastifyReply, FastifyRequest } from "fastify";
import { isOfPerson } from "./authenticate.ts";
import type { Context } from "./context.ts";
import { refused } from "./envelope.ts";
import { sendQuotaHeaders } from "./rate-limit.ts";
import { CORRELATION_HEADER, cleanCorrelationId, reportFault, setRefusal } from "./request-log.ts";

const DATABASE_RETRY_AFTER_SECONDS = 5;
/** Row locks last moments as a rule. */
const HELD_RETRY_AFTER_SECONDS = 2;

/** The message of an unknown outcome. A blind retry could repeat the operation, for example create a second order. */
const OUTCOME_UNKNOWN =
  "The database did not confirm in time, so this may have been done. " +
  "Before sending it again, look whether it is there, for example with GET /v1/deposit-addresses?orderRef=….";

/** Fastify's own refusals as codes of our catalogue. A path that cannot be decoded names no route. */
const FASTIFY_CODES: Record<string, ApiErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: "PAYLOAD_TOO_LARGE",
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "UNSUPPORTED_MEDIA_TYPE",
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: "INVALID_JSON",
  FST_ERR_BAD_URL: "NOT_FOUND",
  FST_ERR_MAX_PARAM_LENGTH: "NOT_FOUND",
};

/**
 * Creates the one function that turns errors into answers. A refusal keeps its code. An unreachable database
 * is 503, and so is a row lock held too long; the message says if the operation may have happened. A body
 * that the caller cuts off is no fault. Any other error is a bare 500 whose text stays in the log. Each
 * answer links to the page that explains it.
 */
export function errorSender(
  { metrics, databaseOutage }: Pick<Context, "metrics" | "databaseOutage">,
  publicBaseUrl: string | undefined,
  answerBrowser: AnswerBrowser = () => false,
): SendError {
  return (error, request, reply) => {
    const refusal =
      error === request.raw.errored ? new ApiError("INVALID_JSON") : named(apiErrorOf(error), request);
    const { status, code, retryAfterSeconds, spent } = refusal;
    setRefusal(request, code);
    const isOurFault = status >= 500 && !(error instanceof ApiError);
    metrics.httpRefusals.inc({ code });
    if (isOurFault && !databaseOutage.report(error))
      reportFault(request, { err: error, code }, "a request failed unexpectedly and got 500");
    if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
    if (spent !== undefined) sendSpentHeaders(reply, spent);
    if (answerBrowser(refusal, request, reply)) return;
    const docUrl = (publicBaseUrl ?? "") + docPathOf(code);
    reply
      .code(status)
      .header(CORRELATION_HEADER, cleanCorrelationId(request.id))
      .type("application/json; charset=utf-8")
      .serializer(JSON.stringify)
      .send(refused(refusal, { docUrl, correlationId: request.id, isOfPerson: isOfPerson(request) }));
  };
}

/** Names the kind of the missing row. A malformed id, an unknown one and another merchant's get the same text. */
function named(refusal: ApiError, { routeOptions }: FastifyRequest): ApiError {
  const { pathRow } = routeOptions.config;
  if (pathRow === undefined || refusal.message !== errorCatalog.NOT_FOUND.message) return refusal;
  return new ApiError("NOT_FOUND", { message: `No ${pathRow.name} with this id belongs to this key.` });
}

/** Answers the browser of a person with a page instead of JSON. Returns whether it did. */
export type AnswerBrowser = (refusal: ApiError, request: FastifyRequest, reply: FastifyReply) => boolean;

type SendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => void;

/** The refusing limit replaces an earlier limit that let the request pass. */
function sendSpentHeaders(reply: FastifyReply, { limit, resetSeconds }: SpentLimit): void {
  sendQuotaHeaders(reply, limit, { remaining: 0, resetSeconds });
}

/** The refusal that the caller gets for an error. */
export function apiErrorOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CommitUnknownError) {
    return new ApiError("SERVICE_UNAVAILABLE", {
      message: OUTCOME_UNKNOWN,
      retryAfterSeconds: DATABASE_RETRY_AFTER_SECONDS,
    });
  }
  if (isHeldUp(error)) {
    return new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: HELD_RETRY_AFTER_SECONDS });
  }
  if (isDatabaseUnavailable(error)) {
    return new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: DATABASE_RETRY_AFTER_SECONDS });
  }
  return new ApiError(FASTIFY_CODES[codeOf(error)] ?? "INTERNAL_ERROR");
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

const CONNECTION_STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Bytes that are not HTTP never become a request: there is no correlation id, so there is no envelope. */
export function answerConnectionFault(error: ConnectionError, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = CONNECTION_STATUS[error.code] ?? "400 Bad Request";
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
