import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { type Sheet, sheetOf } from "./sheet.ts";

/** A file that the page loads, in every encoding a browser may ask for. */
export type Asset = {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
};

/**
 * What the page loads, and its style sheet, which is a part of it: nothing of a page is drawn before its sheet is there, so another
 * request would keep the payer waiting for as long again. `version` is a hash of the files, so each version may be cached for ever.
 */
export type Assets = {
  readonly version: string;
  readonly files: ReadonlyMap<string, Asset>;
  readonly sheet: Sheet;
};

const SCRIPT = "main.js";
const JAVASCRIPT = "text/javascript; charset=utf-8";

/**
 * Reads what the checkout workspace was built to.
 *
 * @throws Error when it was not built, so that a service without its page does not start.
 */
export function loadAssets(): Assets {
  const { resolve } = createRequire(import.meta.url);
  const script = readFileSync(resolve(`@daric/checkout/page/${SCRIPT}`));
  return {
    version: createHash("sha256").update(script).digest("base64url").slice(0, 16),
    files: new Map([[SCRIPT, compress(JAVASCRIPT, script)]]),
    sheet: sheetOf(readFileSync(resolve("@daric/checkout/page/checkout.css"), "utf8")),
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
