/** Whether a text is a URL. `URL.canParse` of Node 20 refuses valid URLs with letters such as ü once V8 has optimised its caller. */
export function parses(text: string, base?: string): boolean {
  try {
    return new URL(text, base).href !== "";
  } catch {
    return false;
  }
}
