import type { ApiApp } from "./api-app.ts";

/** Answers of the API are for programs: nothing may be run, framed, guessed at or passed on because of one. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};
const ONE_YEAR_SECONDS = 365 * 24 * 3600;

/** Sets the headers of every answer; a route that serves a page replaces those that do not fit it. */
export function setSecurityHeaders(app: ApiApp, options: { isHttps: boolean }): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(HEADERS);
    if (options.isHttps) reply.header("strict-transport-security", `max-age=${ONE_YEAR_SECONDS}`);
    if (request.url.startsWith("/v1/")) reply.header("cache-control", "no-store");
  });
}
