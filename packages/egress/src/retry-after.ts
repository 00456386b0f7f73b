/**
 * The pause that the header Retry-After of an answer asks for, in milliseconds from now: seconds or an HTTP date (RFC 9110, section
 * 10.2.3). It is at most `maxMs`, and 0 for a date that has passed. Undefined without the header, and for any other text.
 */
export function retryAfterMs(header: string | string[] | undefined, maxMs: number): number | undefined {
  const text = typeof header === "string" ? header.trim() : "";
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : msUntil(text);
  return ms === undefined ? undefined : Math.min(Math.max(ms, 0), maxMs);
}

/** Milliseconds until an HTTP date, which ends with GMT. */
function msUntil(text: string): number | undefined {
  const ms = / GMT$/.test(text) ? Date.parse(text) - Date.now() : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
