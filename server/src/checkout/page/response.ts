import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import type { Language } from "../messages/languages.ts";
import { type Sheet, sheetOf } from "./theme.ts";

/** A whole document and the content security policy that fits it. */
export type WebPage = { readonly markup: string; readonly contentSecurityPolicy: string };

/** A page as it goes over the wire. */
type PageResponse = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
};

/** Beyond this level each per cent costs more time than it saves on the way. */
const LEVEL = 4;
/** What a page that takes no picture, asks no place and has a button that copies needs of its browser. */
const PERMISSIONS =
  "accelerometer=(), autoplay=(), camera=(), display-capture=(), fullscreen=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()";

/**
 * The page in the best encoding that the browser accepts. Compressing tells nobody anything: the page's one secret is the
 * token in its own address, and nothing of a request is repeated in it.
 */
export function pageResponse(page: WebPage, { tag }: Language, acceptEncoding: string): PageResponse {
  const encoding = encodingOf(acceptEncoding);
  return {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-language": tag,
      vary: "accept-encoding, accept-language",
      "content-security-policy": page.contentSecurityPolicy,
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": PERMISSIONS,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex, nofollow",
      ...(encoding && { "content-encoding": encoding }),
    },
    body: encode(page.markup, encoding),
  };
}

function encode(markup: string, encoding: ReturnType<typeof encodingOf>): string | Buffer {
  if (encoding === "br") {
    const params = { [zlib.BROTLI_PARAM_QUALITY]: LEVEL, [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT };
    return brotliCompressSync(markup, { params });
  }
  return encoding === "gzip" ? gzipSync(markup, { level: LEVEL }) : markup;
}

/** A file that the page loads, in every encoding a browser may ask for. */
type Asset = {
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
function encodingOf(acceptEncoding: string): "br" | "gzip" | undefined {
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
