import { createHash } from "node:crypto";
import { type FieldRule, fieldRule } from "@daric/domain/field-rule";

/** `id` is the SHA-256 of the bytes, in hex. */
export type Picture = {
  readonly id: string;
  readonly mediaType: MediaType;
  readonly content: Buffer;
};

/** Formats that a browser draws without running code. */
export const mediaTypes = ["image/png", "image/jpeg", "image/webp"] as const;
export type MediaType = (typeof mediaTypes)[number];

export const MAX_PICTURE_BYTES = 100 * 1024;
/** A few bytes can claim millions of pixels of a browser's memory. */
const MAX_SIDE = 2_048;

type ParsedPicture = { readonly mediaType: MediaType; readonly width: number; readonly height: number };

/** Recognises a picture by its bytes, not its name; returns the broken rule if it cannot be shown. */
export function readPicture(content: Buffer): Picture | { readonly fault: string; readonly rule: FieldRule } {
  if (content.length > MAX_PICTURE_BYTES)
    return {
      fault: `must have at most ${MAX_PICTURE_BYTES / 1024} kB`,
      rule: fieldRule("pictureSize", MAX_PICTURE_BYTES / 1024),
    };
  const parsed = readPng(content) ?? readJpeg(content) ?? readWebp(content);
  if (parsed === undefined)
    return {
      fault: "must be a PNG, JPEG or WebP picture, by its own bytes",
      rule: fieldRule("picture"),
    };
  const { mediaType, width, height } = parsed;
  if (Math.min(width, height) < 1 || Math.max(width, height) > MAX_SIDE)
    return {
      fault: `must be at most ${MAX_SIDE} × ${MAX_SIDE} pixels, and is ${width} × ${height}`,
      rule: fieldRule("pictureSide", MAX_SIDE),
    };
  return { id: createHash("sha256").update(content).digest("hex"), mediaType, content };
}

const PNG_START = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");

/** PNG (ISO 15948): the signature, then IHDR with width and height. */
function readPng(bytes: Buffer): ParsedPicture | undefined {
  const at = PNG_START.length;
  if (bytes.length < at + 8 || !bytes.subarray(0, at).equals(PNG_START)) return undefined;
  return { mediaType: "image/png", width: bytes.readUInt32BE(at), height: bytes.readUInt32BE(at + 4) };
}

/** JPEG (ITU T.81, B): segments up to the first frame, whose header has height and width. */
function readJpeg(bytes: Buffer): ParsedPicture | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker))
      return {
        mediaType: "image/jpeg",
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15, without DHT, JPG and DAC in between. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** WebP (RFC 9649): RIFF, then one of three kinds of header. */
function readWebp(bytes: Buffer): ParsedPicture | undefined {
  if (bytes.length < 30 || text(bytes, 0) !== "RIFF" || text(bytes, 8) !== "WEBP") return undefined;
  const mediaType = "image/webp";
  switch (text(bytes, 12)) {
    case "VP8X":
      return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { mediaType, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

function text(bytes: Buffer, at: number): string {
  return bytes.toString("latin1", at, at + 4);
}
