import { contrastOf, parseColor, type Rgb } from "@daric/runtime/colour";
import { describe, expect, it } from "vitest";
import type { Look } from "./draft.ts";
import { attachedLogo } from "./logo.ts";
import { ownLook, shopLook } from "./look.ts";

const colour = (text: string) => parseColor(text) as Rgb;
const surfaces = { light: colour("#ffffff"), dark: colour("#16191e") };

function expectReadable(look: Look): void {
  for (const scheme of ["light", "dark"] as const) {
    const { fill, text, edge } = look[scheme];
    expect(contrastOf(colour(fill), colour(text))).toBeGreaterThanOrEqual(4.5);
    expect(contrastOf(colour(edge), surfaces[scheme])).toBeGreaterThanOrEqual(1.5);
  }
}

describe("a button", () => {
  it("is read and seen in any accent colour, light and dark", () => {
    for (const accent of ["#ffffff", "#000000", "#16191e", "#ffd400", "#0b5fff", "#777777", "#fefefe"])
      expectReadable(shopLook(accent));
    for (const tone of ["good", "attention", "bad", "neutral"] as const) expectReadable(ownLook(tone));
  });

  it("has the default colour for anything but #rrggbb", () => {
    for (const text of [null, "", "red", "#fff", "#0b5fff;background:url(x)", "#0b5fff\n"])
      expect(shopLook(text)).toEqual(shopLook("#0f766e"));
  });
});

describe("a logo", () => {
  const png = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

  it("is attached as what its bytes say, up to 40 kB", () => {
    const starts = {
      png: "\x89PNG\r\n\x1a\n",
      jpg: "\xff\xd8\xff\xe0",
      gif: "GIF89a",
      webp: "RIFF\n\0\0\0WEBP",
    };
    for (const [name, start] of Object.entries(starts))
      expect(attachedLogo(Buffer.from(start, "latin1"))?.filename).toBe(`logo.${name}`);
    expect(attachedLogo(Buffer.concat([png, Buffer.alloc(39_992)]))?.contentType).toBe("image/png");
    expect(attachedLogo(Buffer.concat([png, Buffer.alloc(39_993)]))).toBeNull();
  });

  it("is left out if it is another file", () => {
    for (const text of ["", "<svg xmlns='x'/>", "<?xml version='1.0'?><svg/>", "%PDF-1.7", "<html>"])
      expect(attachedLogo(Buffer.from(text))).toBeNull();
    expect(attachedLogo(null)).toBeNull();
  });
});
