import type { ApiApp } from "@daric/http/api-app";
import { packFile, sendPacked } from "@daric/http/packed-file";
import { loadEmbedScript } from "./load-script.ts";

/**
 * GET /embed.js and the same file by the hash of its content. Any page may run it. A browser compares an integrity only
 * with an answer that the page may read.
 */
export function embedRoutes(app: ApiApp): void {
  const { path, content } = loadEmbedScript();
  const file = packFile("text/javascript; charset=utf-8", content);
  const serve = (url: string, cacheControl: string) =>
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      reply.headers({
        "access-control-allow-origin": "*",
        "cross-origin-resource-policy": "cross-origin",
        "cache-control": cacheControl,
      });
      return sendPacked(request, reply, file);
    });
  serve("/embed.js", "public, max-age=3600");
  serve(path, "public, max-age=31536000, immutable");
}
