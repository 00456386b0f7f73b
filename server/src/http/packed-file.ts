import { createHash } from "node:crypto";
import { brotliCompressSync, gzipSync, constants as zlib } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Packs as tightly as the best within a per cent, in a hundredth of its time. */
const BROTLI = {
  params: { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT },
};

/** A public file that does not change while the process runs: its bytes in each encoding, and the tag of its content. */
export type PackedFile = {
  readonly type: string;
  readonly etag: string;
  readonly plain: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
};

/** Packs a text once, so that an answer costs no more than handing over its bytes. */
export function packFile(type: string, text: string): PackedFile {
  const plain = Buffer.from(text);
  return { type, etag: etagOf(plain), plain, gzip: gzipSync(plain), br: brotliCompressSync(plain, BROTLI) };
}

/** Sends the file in the best encoding that the caller takes; not again to a caller who names it as what it has. */
export function sendPacked(request: FastifyRequest, reply: FastifyReply, file: PackedFile): FastifyReply {
  const { "if-none-match": ifNoneMatch, "accept-encoding": accepted = "" } = request.headers;
  reply.header("etag", file.etag);
  if (!reply.hasHeader("vary")) reply.header("vary", "accept-encoding");
  if (reply.statusCode === 200 && isNamedBy(ifNoneMatch, file.etag)) return reply.code(304).send();
  const encoding = /\bbr\b/.test(String(accepted))
    ? "br"
    : /\bgzip\b/.test(String(accepted))
      ? "gzip"
      : undefined;
  if (encoding !== undefined) reply.header("content-encoding", encoding);
  return reply.type(file.type).send(file[encoding ?? "plain"]);
}

/** The tag of an answer that is these bytes. */
export function etagOf(content: string | Buffer): string {
  return `"${createHash("sha256").update(content).digest("base64url")}"`;
}

/** Whether an If-None-Match header names this tag: alone, in a list, marked as weak by a proxy, or by `*`. */
export function isNamedBy(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
