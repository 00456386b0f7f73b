import { aPng } from "@daric/testing/builders";
import { describe, expect, it } from "vitest";
import { MAX_PICTURE_BYTES, readPicture } from "./picture.ts";

/** Bytes in hex, padded with zeros. */
const bytes = (hex: string, length = 64) =>
  Buffer.concat([Buffer.from(hex.replaceAll(" ", ""), "hex")], length);
const ascii = (text: string) => Buffer.from(text, "latin1").toString("hex");

/** APP0, then a table, then the first frame: 60 high, 40 wide. */
const JPEG = bytes("ffd8 ffe0 0004 0000 ffc4 0003 00 ff ffc2 0011 08 003c 0028 03");
const webp = (kind: string, rest: string) => bytes(`${ascii("RIFF")}00000000${ascii(`WEBP${kind}`)}${rest}`);
const LOSSY = webp("VP8 ", "00000000 300000 9d012a 2800 3c00");
const LOSSLESS = webp("VP8L", "00000000 2f 27c00e00");
const EXTENDED = webp("VP8X", "0a000000 00000000 270000 3b0000");

describe("a picture is recognised by its own bytes", () => {
  it.each([
    ["image/png", aPng()],
    ["image/jpeg", JPEG],
    ["image/webp", LOSSY],
    ["image/webp", LOSSLESS],
    ["image/webp", EXTENDED],
  ])("%s", (mediaType, content) => {
    expect(readPicture(content)).toEqual({ id: expect.stringMatching(/^[0-9a-f]{64}$/), mediaType, content });
  });

  it.each([
    ["nothing", Buffer.alloc(0)],
    ["an SVG, which can run scripts", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ["a page", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["a GIF", Buffer.from("GIF89a\x01\0\x01\0", "latin1")],
    ["the start of a PNG", aPng().subarray(0, 20)],
    ["the start of a JPEG", JPEG.subarray(0, 18)],
    ["a JPEG without a frame", bytes("ffd8 ffda 0004 0000")],
    ["a JPEG that goes in circles", bytes("ffd8 ffe0 0000 ffe0 0000", 12)],
    ["a WebP of no kind", webp("VP9 ", "")],
  ])("and %s is refused", (_, content) => {
    expect(readPicture(content)).toMatchObject({ fault: expect.stringContaining("PNG, JPEG or WebP") });
  });
});

it("a picture has at most 2048 pixels a side, and 100 kB", () => {
  expect(readPicture(aPng(2_048))).toHaveProperty("id");
  expect(readPicture(aPng(2_049))).toMatchObject({ fault: expect.stringContaining("is 2049 × 2049") });
  expect(readPicture(aPng(0))).toHaveProperty("fault");
  const padded = (length: number) => Buffer.concat([aPng()], length);
  expect(readPicture(padded(MAX_PICTURE_BYTES))).toHaveProperty("id");
  expect(readPicture(padded(MAX_PICTURE_BYTES + 1))).toMatchObject({
    fault: expect.stringContaining("100 kB"),
  });
});
