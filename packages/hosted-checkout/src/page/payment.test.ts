import { encode } from "uqr";
import { describe, expect, it } from "vitest";
import { qrCode } from "./payment.ts";

const ADDRESS = "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE";
const QUIET_ZONE = 4;

/** The dark modules of a drawing, as rows of a square of this side. */
function modulesOf(markup: string, side: number): boolean[][] {
  const rows = Array.from({ length: side }, () => Array.from({ length: side }, () => false));
  for (const [, x, y, width] of markup.matchAll(/M(\d+) (\d+)h(\d+)v1h-\d+z/g)) {
    for (let column = Number(x); column < Number(x) + Number(width); column += 1) {
      const row = rows[Number(y)];
      if (row === undefined || row[column] !== false) throw new Error("drawn twice or outside");
      row[column] = true;
    }
  }
  return rows;
}

describe("qrCode", () => {
  it("draws exactly the modules of the plain address, in a quiet zone of four", () => {
    const { data, size } = encode(ADDRESS, { ecc: "M", border: 0 });
    const side = size + 2 * QUIET_ZONE;
    const markup = qrCode(ADDRESS, "QR code").toString();
    const isDark = (x: number, y: number) => data[y - QUIET_ZONE]?.[x - QUIET_ZONE] ?? false;
    const expected = Array.from({ length: side }, (_, y) =>
      Array.from({ length: side }, (_, x) => isDark(x, y)),
    );
    expect(markup).toContain(`viewBox="0 0 ${side} ${side}"`);
    expect(modulesOf(markup, side)).toEqual(expected);
  });

  it("is an image with a name for screen readers", () => {
    expect(qrCode(ADDRESS, 'QR "code"').toString()).toContain('role="img" aria-label="QR &quot;code&quot;"');
  });
});
