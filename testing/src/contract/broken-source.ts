import type { Mutation } from "./contract-row.ts";
import type { FieldSource } from "./fields.ts";

/** Returns the source with the mutation. @throws Error unless `from` occurs exactly once and differs from `to`. */
export function brokenBy(source: string, { file, from, to }: Mutation): string {
  const found = source.split(from).length - 1;
  if (found !== 1 || from === to) throw new Error(`${file} has ${found} times: ${from}`);
  return source.replace(from, () => to);
}

/**
 * Removes the first property of this name after each anchor. @throws Error when an anchor or the property is
 * missing.
 */
export function withoutField(source: string, { file, anchor }: FieldSource, name: string): string {
  return [anchor].flat().reduce((left, one) => withoutProperty(left, { file, anchor: one }, name), source);
}

function withoutProperty(
  source: string,
  { file, anchor }: { file: string; anchor: string },
  name: string,
): string {
  const start = source.indexOf(anchor);
  const tail = start < 0 ? "" : source.slice(start);
  const found = new RegExp(`(?<=[{,\\n]\\s*)${name}(?=[:,])`).exec(tail);
  if (found === null) throw new Error(`${file} has no ${name} behind ${anchor}`);
  return source.slice(0, start + found.index) + tail.slice(endOfProperty(tail, found.index));
}

/** The end of a property: after its comma, or at the bracket that ends its object. */
function endOfProperty(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if ("([{".includes(char)) depth += 1;
    if (")]}".includes(char)) depth -= 1;
    if (depth < 0) return at;
    if (depth === 0 && char === ",") return at + 1;
  }
  throw new Error("a property without an end");
}
