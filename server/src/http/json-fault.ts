/** What may stand at a place of a JSON text beside a mark: a string, or a number, true, false or null. */
const VALUE =
  /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/uy;
const MARKS = "{}[]:,";
const BLANKS = " \t\n\r";

/** What the grammar waits for next; `first` forms are those in which a list or an object may end at once. */
type Expected = "value" | "firstItem" | "firstKey" | "key" | "colon" | "more";

const OPENED: Readonly<Record<string, Expected>> = { "{": "firstKey", "[": "firstItem" };
const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/**
 * Where a text stops being JSON, in words that continue "The request body is not valid JSON: …". Positions count
 * characters from 0. Our own reading, because what the engine says differs between versions and repeats the body.
 */
export function faultOfJson(text: string): string {
  const open: string[] = [];
  let expected: Expected = "value";
  let position = skipBlanks(text, 0);
  while (position < text.length) {
    const token = tokenAt(text, position);
    const next: Expected | undefined = token === undefined ? undefined : step(token, expected, open);
    if (token === undefined || next === undefined)
      return faultAt(text, position, { isToken: token !== undefined });
    expected = next;
    position = skipBlanks(text, token.end);
  }
  return `it ends too early, at position ${position}`;
}

type Token = { readonly kind: "mark" | "string" | "other"; readonly mark: string; readonly end: number };

/** A mark is told by itself: a body may be 60,000 of them, and a pattern costs more than all else that is done for one. */
function tokenAt(text: string, position: number): Token | undefined {
  const mark = text.charAt(position);
  if (MARKS.includes(mark)) return { kind: "mark", mark, end: position + 1 };
  VALUE.lastIndex = position;
  if (!VALUE.test(text)) return undefined;
  return { kind: mark === '"' ? "string" : "other", mark: "", end: VALUE.lastIndex };
}

/** What is expected after this token; undefined where the token itself was not. */
function step({ kind, mark }: Token, expected: Expected, open: string[]): Expected | undefined {
  const inside = open.at(-1);
  if (expected === "colon") return mark === ":" ? "value" : undefined;
  const mayClose = expected === "more" || expected === "firstItem" || expected === "firstKey";
  if (mayClose && inside !== undefined && mark === CLOSING[inside]) {
    open.pop();
    return "more";
  }
  if (expected === "more") {
    if (mark !== "," || inside === undefined) return undefined;
    return inside === "{" ? "key" : "value";
  }
  if (expected === "key" || expected === "firstKey") return kind === "string" ? "colon" : undefined;
  if (kind !== "mark") return "more";
  const opened = OPENED[mark];
  if (opened !== undefined) open.push(mark);
  return opened;
}

function faultAt(text: string, position: number, { isToken }: { isToken: boolean }): string {
  const character = String.fromCodePoint(text.codePointAt(position) ?? 0);
  if (character === "'") return `unexpected ' at position ${position}: texts stand in double quotes`;
  if (character === '"' && !isToken) {
    return `the text that begins at position ${position} does not end, or holds a line break or a wrong \\ escape`;
  }
  const shown = /\p{Cc}/u.test(character) ? JSON.stringify(character).slice(1, -1) : character;
  return `unexpected ${shown} at position ${position}`;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && BLANKS.includes(text.charAt(at))) at += 1;
  return at;
}
