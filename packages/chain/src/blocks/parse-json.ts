import { AnswerError, isRounded } from "./read-json.ts";

/** The key under which an answer keeps its text. A symbol is in no JSON, and enumeration skips it. */
const TEXT = Symbol("text");
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;
/** RFC 8259, section 6. Other tokens of the same characters, such as the e of `true`, stay as they are. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Marks a text that stands for an integer. Payers choose some texts: a forged mark is an integer or stays a text. */
const INTEGER_MARK = "\u0001integer:";

/** The exact reader recurses with the answer. A fixed limit makes all threads agree, whatever their stack. Real answers have ten. */
const MAX_DEPTH = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/**
 * JSON.parse, but the answer keeps its text for {@link readExactly}, since int64 beyond 2^53 is rounded. Searching every text for
 * such integers first would cost a quarter of the parse. @throws SyntaxError for invalid JSON.
 */
export function parseJson(text: string): unknown {
  const answer: unknown = JSON.parse(text);
  if (typeof answer === "object" && answer !== null) Object.defineProperty(answer, TEXT, { value: text });
  return answer;
}

/** Applies `read` to an answer of {@link parseJson}. If it meets a rounded integer, it reads again from an exact parse. */
export function readExactly<T>(answer: unknown, read: (answer: unknown) => T): T {
  try {
    return read(answer);
  } catch (error) {
    const text = isRounded(error) ? (answer as { [TEXT]?: string })[TEXT] : undefined;
    if (text === undefined) throw error;
    return read(reparse(text));
  }
}

/** @throws AnswerError if the text is nested deeper than any real answer. */
function reparse(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) throw new AnswerError("it is nested too deep");
  return parseJsonExactly(text);
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) depth += 1;
    else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** JSON.parse, but integers of 16 or more digits become exact bigints. @throws SyntaxError for invalid JSON. */
export function parseJsonExactly(text: string): unknown {
  const mark = (token: string) =>
    LONG_INTEGER.test(token) ? JSON.stringify(INTEGER_MARK + token) : undefined;
  return JSON.parse(replaceNumbers(text, mark), (_key, value: unknown) =>
    typeof value === "string" && value.startsWith(INTEGER_MARK) ? unmarked(value) : value,
  );
}

function unmarked(text: string): string | bigint {
  const digits = text.slice(INTEGER_MARK.length);
  return LONG_INTEGER.test(digits) ? BigInt(digits) : text;
}

/** JSON.parse, but every number becomes its own text, for prices. @throws SyntaxError for invalid JSON. */
export function parseJsonTexts(text: string): unknown {
  return JSON.parse(
    replaceNumbers(text, (token) => (NUMBER.test(token) ? JSON.stringify(token) : undefined)),
  );
}

function replaceNumbers(text: string, replace: (token: string) => string | undefined): string {
  let replaced = "";
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at);
    } else if (isNumberPart(code)) {
      const end = endOfNumber(text, at);
      const replacement = replace(text.slice(at, end));
      if (replacement !== undefined) {
        replaced += text.slice(copied, at) + replacement;
        copied = end;
      }
      at = end;
    } else {
      at += 1;
    }
  }
  return replaced + text.slice(copied);
}

function endOfString(text: string, openingQuote: number): number {
  for (let at = openingQuote + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

function endOfNumber(text: string, start: number): number {
  let at = start;
  while (at < text.length && isNumberPart(text.charCodeAt(at))) at += 1;
  return at;
}

function isNumberPart(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39;
  return isDigit || code === 0x2d || code === 0x2b || code === 0x2e || code === 0x65 || code === 0x45;
}
