import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

/** A file that the page loads, in every encoding a browser may ask for. */
export type Asset = {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
};

/** All files of the page. `version` is a hash of their content, so each version may be cached for ever. */
export type Assets = { readonly version: string; readonly files: ReadonlyMap<string, Asset> };

const JAVASCRIPT = "text/javascript; charset=utf-8";
const CSS = "text/css; charset=utf-8";
/** A comment of the style sheets, where no text holds one: it is for us, not for the payer's line. */
const COMMENT = /\/\*.*?\*\/\n*/gs;
/** In the order of the cascade; a page loads them as one file. */
const STYLE_SHEETS = ["base", "frame", "summary", "status", "payment", "exit"];
const SVG = "image/svg+xml";

/** A coin with a check: the page's own sign, drawn for 16 pixels. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="15" fill="#0f766e"/>' +
  '<path d="m9.5 16.5 4.5 4.5 8.5-9.5" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/**
 * Reads what the checkout workspace was built to: the style sheet and every script.
 *
 * @throws Error when it was not built, so that a service without its page does not start.
 */
export function loadAssets(): Assets {
  const { resolve } = createRequire(import.meta.url);
  const scripts = dirname(resolve("@daric/checkout/main.js"));
  const names = readdirSync(scripts).filter((name) => name.endsWith(".js"));
  const sheets = STYLE_SHEETS.map((name) =>
    readFileSync(resolve(`@daric/checkout/${name}.css`), "utf8").replace(COMMENT, ""),
  );
  const sources: [name: string, type: string, content: Buffer][] = [
    ["checkout.css", CSS, Buffer.from(sheets.join(""))],
    ["icon.svg", SVG, Buffer.from(ICON)],
    ...names
      .sort()
      .map((name): [string, string, Buffer] => [name, JAVASCRIPT, readFileSync(join(scripts, name))]),
  ];
  const hash = createHash("sha256");
  for (const [name, , content] of sources) hash.update(`${name}\n${content.length}\n`).update(content);
  return {
    version: hash.digest("base64url").slice(0, 16),
    files: new Map(sources.map(([name, type, content]) => [name, compress(type, content)])),
  };
}

/** The content for a browser that accepts these encodings, and the encoding it is in. */
export function encodeFor(
  asset: Asset,
  acceptEncoding: string,
): { content: Buffer; encoding: string | undefined } {
  if (/\bbr\b/.test(acceptEncoding)) return { content: asset.brotli, encoding: "br" };
  if (/\bgzip\b/.test(acceptEncoding)) return { content: asset.gzip, encoding: "gzip" };
  return { content: asset.plain, encoding: undefined };
}

function compress(type: string, plain: Buffer): Asset {
  return { type, plain, gzip: gzipSync(plain, { level: 9 }), brotli: brotliCompressSync(plain) };
}
