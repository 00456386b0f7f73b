import type { FastifyRequest } from "fastify";
import { ApiError } from "../domain/errors.ts";
import type { ApiApp } from "./api-app.ts";

/**
 * Refuses before a body is read: an unknown path is 404, and a known path under another method is 405 with the
 * methods it takes in Allow.
 */
export function refuseUnknownRoutes(app: ApiApp): void {
  const methodsByPath = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ method, url }) => {
    const known = methodsByPath.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    methodsByPath.set(url, known);
    for (const name of [method].flat()) known.methods.add(name);
  });

  function allowedMethods(request: FastifyRequest): string[] {
    const [path = ""] = request.raw.url?.split("?") ?? [];
    return [...methodsByPath.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ methods }) => [...methods]);
  }

  app.addHook("onRequest", (request, reply, done) => {
    if (!request.is404) return done();
    const allowed = allowedMethods(request);
    if (allowed.length === 0) return done(new ApiError("NOT_FOUND"));
    reply.header("allow", allowed.join(", "));
    done(new ApiError("METHOD_NOT_ALLOWED"));
  });
}

/** `/v1/deposits/:id` as an expression; a `*` at the end matches the rest of the path. */
function patternOf(url: string): RegExp {
  const source = url
    .split("/")
    .map((part) => {
      if (part.startsWith(":")) return "[^/]+";
      return part === "*" ? ".*" : part.replace(/[^\w-]/g, "\\$&");
    })
    .join("/");
  return new RegExp(`^${source}$`);
}
