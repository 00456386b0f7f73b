import type { ApiApp } from "@daric/http/api-app";
import { type PackedFile, packFile, sendPacked } from "@daric/http/packed-file";
import { loadSite } from "./site.ts";

const CACHE_BRIEFLY = "public, max-age=300";

/** Serves a built OpenAPI document, the file `built` of the site, at these paths. */
export function serveOpenApi(app: ApiApp, paths: readonly string[], built: string): void {
  let made: PackedFile | undefined;
  for (const path of paths) {
    app.get(path, { config: { access: "public" }, schema: { hide: true } }, async (request, reply) => {
      const { type = "", text = "" } = loadSite().get(built) ?? {};
      made ??= packFile(type, text);
      return sendPacked(request, reply.header("cache-control", CACHE_BRIEFLY), made);
    });
  }
}
