import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import { htmlCacheControl } from "@daric/runtime/html";
import type { FastifyReply } from "fastify";
import type { Language } from "../messages/languages.ts";
import { type Sheet, sheetOf } from "./theme.ts";

/** A document with its content security policy. */
export type WebPage = {
  readonly markup: string;
  readonly contentSecurityPolicy: string;
  /** in place of those of a page with an address */
  readonly headers?: Readonly<Record<string, string>>;
};

/** A page as an HTTP answer. */
type PageResponse = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
};

/** Higher levels cost more time than they save in transfer. */
const LEVEL = 6;
/** The page uses no camera, no location and no other device; only its copy buttons need a permission. */
const PERMISSIONS =
  "accelerometer=(), autoplay=(), camera=(), display-capture=(), fullscreen=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()";

/**
 * Encodes the page for the browser. Compression leaks nothing (as BREACH would): the page's one secret is the
 * token in its own address, and it repeats nothing of a request.
 */
export function pageResponse(page: WebPage, { tag }: Language, acceptEncoding: string): PageResponse {
  const encoding = encodingOf(acceptEncoding);
  return {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-language": tag,
      vary: "accept-encoding, accept-language, user-agent",
      "content-security-policy": page.contentSecurityPolicy,
      "cache-control": htmlCacheControl("no-store"),
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": PERMISSIONS,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex, nofollow",
      ...page.headers,
      ...(encoding && { "content-encoding": encoding }),
    },
    body: bodyOf(page, encoding),
  };
}

/** Sends the page, encoded for the browser that asks. */
export function sendPage(reply: FastifyReply, language: Language, page: WebPage): FastifyReply {
  const { headers, body } = pageResponse(page, language, reply.request.headers["accept-encoding"] ?? "");
  return reply.headers(headers).send(body);
}

type Body = string | Buffer;

/** The bodies of pages: one that is sent again, as those of refusals in floods, is encoded once. */
const bodies = new WeakMap<WebPage, Map<Encoding, Body>>();

function bodyOf(page: WebPage, encoding: Encoding): Body {
  const known = bodies.get(page) ?? new Map<Encoding, Body>();
  const body = known.get(encoding) ?? encode(page.markup, encoding);
  bodies.set(page, known.set(encoding, body));
  return body;
}

function encode(markup: string, encoding: Encoding): Body {
  if (encoding === "br") {
    const params = { [zlib.BROTLI_PARAM_QUALITY]: LEVEL, [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT };
    return brotliCompressSync(markup, { params });
  }
  return encoding === "gzip" ? gzipSync(markup, { level: LEVEL }) : markup;
}

/** A file of the page in every encoding. */
type Asset = {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly brotli: Buffer;
};

/**
 * The page's files, and its style sheet. The sheet is inline because a browser draws nothing before it
 * arrives, and a request for it would delay the payer. `version` is a hash of the files, so each version may
 * be cached for ever.
 */
export type Assets = {
  readonly version: string;
  readonly files: ReadonlyMap<string, Asset>;
  readonly sheet: Sheet;
  /** the sheet of a payment link's page */
  readonly linkSheet: Sheet;
};

/** The page's script, and what it loads in a browser with a wallet and in a frame. */
const SCRIPTS = ["main.js", "wallet.js", "frame.js"];
const JAVASCRIPT = "text/javascript; charset=utf-8";

let loaded: Assets | undefined;

/**
 * Reads and compresses the build of the checkout workspace, once per process.
 *
 * @throws Error if it was not built, so that a service without its page does not start.
 */
export function loadAssets(): Assets {
  loaded ??= readAssets();
  return loaded;
}

function readAssets(): Assets {
  const { resolve } = createRequire(import.meta.url);
  const scripts = SCRIPTS.map((name) => readFileSync(resolve(`@daric/checkout/page/${name}`)));
  return {
    version: createHash("sha256").update(Buffer.concat(scripts)).digest("base64url").slice(0, 16),
    files: new Map(scripts.map((script, n) => [SCRIPTS[n] ?? "", compress(JAVASCRIPT, script)])),
    sheet: sheetOf(readFileSync(resolve("@daric/checkout/page/checkout.css"), "utf8")),
    linkSheet: sheetOf(readFileSync(resolve("@daric/checkout/page/link.css"), "utf8")),
  };
}

type Encoding = "br" | "gzip" | undefined;

/** The best of the encodings that a browser accepts; undefined if it accepts none of ours. */
function encodingOf(acceptEncoding: string): Encoding {
  if (/\bbr\b/.test(acceptEncoding)) return "br";
  return /\bgzip\b/.test(acceptEncoding) ? "gzip" : undefined;
}

/** The content in the best of the accepted encodings, with its name. */
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
