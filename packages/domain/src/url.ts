/**
 * Whether a text is a URL. `URL.canParse` of Node 20 refuses valid URLs with letters such as ü once V8 has optimised its caller.
 */
export function isUrl(text: string): boolean {
  try {
    return new URL(text).href !== "";
  } catch {
    return false;
  }
}
