import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";

export const CORRELATION_HEADER = "x-correlation-id";
const ACCEPTED = /^[\x20-\x7e]{1,128}$/;

/** The caller's own id of the request when it is up to 128 printable ASCII characters, otherwise a new one. */
export function correlationIdOf(request: IncomingMessage): string {
  const sent = request.headers[CORRELATION_HEADER];
  return typeof sent === "string" && ACCEPTED.test(sent) ? sent : randomUUID();
}

/** The id without the characters that could end a quotation or a tag where a log or a header is shown. */
export function cleanCorrelationId(id: string): string {
  return id.replace(/["'`\\<>]/g, "_");
}
