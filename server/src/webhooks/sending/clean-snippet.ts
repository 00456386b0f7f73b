/** How much of a receiver's answer is kept, in bytes of UTF-8. */
export const SNIPPET_BYTES = 2_048;

/**
 * The start of a receiver's answer as text that is safe to store, to log and to show: valid UTF-8 without control
 * characters (PostgreSQL's text holds no NUL) and without the marks that reorder what a reader sees. At most
 * SNIPPET_BYTES, cut between characters.
 */
export function cleanSnippet(bytes: Buffer): string {
  const cleaned = decodeStart(bytes)
    .replaceAll(/(?![\t\n])\p{Cc}/gu, "")
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "");
  return decodeStart(Buffer.from(cleaned));
}

/** Invalid bytes become U+FFFD; a character that the cut splits is left out. */
function decodeStart(bytes: Buffer): string {
  return new TextDecoder().decode(bytes.subarray(0, SNIPPET_BYTES), { stream: true });
}
