import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
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

/** One style sheet and one script: each more would be a request more before the page is whole. */
const FILES = [
  { name: "checkout.css", type: "text/css; charset=utf-8" },
  { name: "main.js", type: "text/javascript; charset=utf-8" },
];

/**
 * Reads what the checkout workspace was built to.
 *
 * @throws Error when it was not built, so that a service without its page does not start.
 */
export function loadAssets(): Assets {
  const { resolve } = createRequire(import.meta.url);
  const sources = FILES.map((file) => ({
    ...file,
    content: readFileSync(resolve(`@daric/checkout/page/${file.name}`)),
  }));
  const hash = createHash("sha256");
  for (const { name, content } of sources) hash.update(`${name}\n${content.length}\n`).update(content);
  return {
    version: hash.digest("base64url").slice(0, 16),
    files: new Map(sources.map(({ name, type, content }) => [name, compress(type, content)])),
  };
}

/** The best encoding of those that a browser accepts; undefined where it accepts none of ours. */
export function encodingOf(acceptEncoding: string): "br" | "gzip" | undefined {
  if (/\bbr\b/.test(acceptEncoding)) return "br";
  return /\bgzip\b/.test(acceptEncoding) ? "gzip" : undefined;
}

/** The content for a browser that accepts these encodings, and the encoding it is in. */
export function encodeFor(
  asset: Asset,
  acceptEncoding: string,
): { content: Buffer; encoding: string | undefined } {
  const encoding = encodingOf(acceptEncoding);
  const content = encoding === "br" ? asset.brotli : encoding === "gzip" ? asset.gzip : asset.plain;
  return { content, encoding };
}

function compress(type: string, plain: Buffer): Asset {
  return { type, plain, gzip: gzipSync(plain, { level: 9 }), brotli: brotliCompressSync(plain) };
}
