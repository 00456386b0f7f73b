/** Answers of the API are for programs: nothing may be run, framed, guessed at, kept or passed on because of one. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cache-control": "no-store",
};
const ONE_YEAR_SECONDS = 365 * 24 * 3600;

/** The headers of every answer, whatever was asked for; a route replaces those that do not fit what it serves. */
export function securityHeaders({ isHttps }: { isHttps: boolean }): Record<string, string> {
  return isHttps ? { ...HEADERS, "strict-transport-security": `max-age=${ONE_YEAR_SECONDS}` } : HEADERS;
}
