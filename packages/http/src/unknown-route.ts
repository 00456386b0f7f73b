import { ApiError } from "@daric/domain/errors";
import type { FastifyRequest } from "fastify";
import type { ApiApp } from "./api-app.ts";

/** Longer paths are cut in messages. */
const SHOWN_CHARS = 100;
const TRAILING_SLASHES = /(?<!\/)\/+$/;

/**
 * Refuses before a body is read. An unknown path is 404, with a hint for a trailing slash. A known path under
 * another method is 405 with the known methods in Allow.
 */
export function refuseUnknownRoutes(app: ApiApp): void {
  const methodsByPath = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook("onRoute", ({ method, url }) => {
    const known = methodsByPath.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    methodsByPath.set(url, known);
    for (const name of [method].flat()) known.methods.add(name);
  });

  function methodsOf(path: string): string[] {
    return [...methodsByPath.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap(({ methods }) => [...methods]);
  }

  function refusalOf({ method }: FastifyRequest, path: string): ApiError {
    const hint = hintOf(method, path);
    const message = `No route ${method} ${shownOf(path)}.${hint} All paths of the API begin with /v1: see /docs.`;
    return new ApiError("NOT_FOUND", { message });
  }

  function hintOf(method: string, path: string): string {
    const bare = path.replace(TRAILING_SLASHES, "");
    const meant = [bare, `/v1${bare}`].find(
      (candidate) => candidate !== path && methodsOf(candidate).includes(method),
    );
    if (meant === undefined) return "";
    const slash = bare === path ? "" : ", without the slash at its end";
    return ` Did you mean ${method} ${shownOf(meant)}${slash}?`;
  }

  /** An empty id would match the routes of ids. */
  function isUnknown(request: FastifyRequest, path: string): boolean {
    if (request.is404 || !path.endsWith("/")) return request.is404;
    return methodsOf(path).length === 0 && hintOf(request.method, path) !== "";
  }

  app.addHook("onRequest", (request, reply, done) => {
    const [path = ""] = request.raw.url?.split("?", 1) ?? [];
    if (!isUnknown(request, path)) return done();
    const allowed = methodsOf(path);
    if (allowed.length === 0) return done(refusalOf(request, path));
    reply.header("allow", allowed.join(", "));
    const message = `This path does not take ${request.method}. It takes ${allowed.join(", ")}.`;
    done(new ApiError("METHOD_NOT_ALLOWED", { message }));
  });
}

function shownOf(path: string): string {
  return path.length > SHOWN_CHARS ? `${path.slice(0, SHOWN_CHARS)}…` : path;
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
