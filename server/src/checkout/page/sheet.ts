import { createHash } from "node:crypto";

/** A style sheet that stands in the page, and the hash that lets a content security policy name just that one. */
export type Sheet = { readonly css: string; readonly cspHash: string };

/** The sheet of these rules. */
export function sheetOf(css: string): Sheet {
  return { css, cspHash: `sha256-${createHash("sha256").update(css).digest("base64")}` };
}
