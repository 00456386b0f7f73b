import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

/**
 * The script that opens the payment page inside a shop's page. The path has this content for ever, and a browser compares
 * the content with the integrity.
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
