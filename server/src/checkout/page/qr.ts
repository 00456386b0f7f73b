import { encode } from "uqr";
import { type Html, html } from "./html.ts";

/** The quiet zone that ISO/IEC 18004 asks for around a QR code, in modules. */
const QUIET_ZONE = 4;

/**
 * A QR code of `text` as inline SVG, error correction M, one path, dark modules in the current colour. The text is
 * coded as it is: TRON wallets read a plain address, and none agrees on a link format with an amount.
 */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const side = size + 2 * QUIET_ZONE;
  return html`<svg class="qr-code" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges" role="img" aria-label="${label}"><path fill="currentColor" d="${drawModules(data)}"/></svg>`;
}

/** Every run of dark modules of a row as one rectangle of the path. */
function drawModules(rows: readonly (readonly boolean[])[]): string {
  return rows.map((row, y) => drawRow(row, y + QUIET_ZONE)).join("");
}

function drawRow(row: readonly boolean[], y: number): string {
  let path = "";
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const start = x;
    while (row[x + 1]) x += 1;
    const width = x - start + 1;
    path += `M${start + QUIET_ZONE} ${y}h${width}v1h-${width}z`;
  }
  return path;
}
