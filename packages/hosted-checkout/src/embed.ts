import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { ApiApp } from "@daric/http/api-app";
import { packFile, sendPacked } from "@daric/http/packed-file";

/**
 * The script that opens the payment page inside a shop's page: its content, the path that has this content for ever, and
 * what a browser compares the content with.
 *
 * @throws Error if it was not built, so that a service without its script does not start.
 */
export function loadEmbedScript(): { content: string; path: string; integrity: string } {
  const { resolve } = createRequire(import.meta.url);
  const content = readFileSync(resolve("@daric/embed/page/embed.js"), "utf8");
  const digest = createHash("sha384").update(content).digest("base64");
  return {
    path: `/embed-${digest.replace(/\W/g, "").slice(0, 16)}.js`,
    integrity: `sha384-${digest}`,
    content,
  };
}

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
