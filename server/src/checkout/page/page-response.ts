import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import type { Language } from "../messages/languages.ts";
import { encodingOf } from "./assets.ts";
import type { WebPage } from "./page.ts";

/** A page as it goes over the wire. */
export type PageResponse = {
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
