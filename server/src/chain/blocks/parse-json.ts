import { AnswerError, isRounded } from "./read-json.ts";

/** Where an answer carries its own text. No JSON has such a key, and nothing that lists keys shows it. */
const TEXT = Symbol("text");
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;
/** RFC 8259, section 6. What only looks like it, such as the e of `true`, stays as it is. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/** Starts a text that stands for an integer. A forged one is an integer, or stays the text that it is: payers choose some texts. */
const INTEGER_MARK = "\u0001integer:";

/**
 * The exact reader goes as deep as the answer. No thread may read what another one cannot, whatever its stack: so depth is counted.
 * No answer of a node has more than ten.
 */
const MAX_DEPTH = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [0x5b, 0x5d, 0x7b, 0x7d] as const;

/**
 * JSON.parse, whose answer remembers its text: what is read of it by {@link readExactly} is exact. Nodes print int64
 * bare, and JSON.parse rounds beyond 2^53; to look for such an integer in every text before would cost a quarter of the
 * parse, and hardly any has one.
 *
 * @throws SyntaxError on anything that is not JSON.
 */
export function parseJson(text: string): unknown {
  const answer: unknown = JSON.parse(text);
  if (typeof answer === "object" && answer !== null) Object.defineProperty(answer, TEXT, { value: text });
  return answer;
}

/**
 * What `read` makes of an answer of {@link parseJson}. Where it meets an integer that was rounded, it reads once more,
 * from the same text parsed exactly.
 */
export function readExactly<T>(answer: unknown, read: (answer: unknown) => T): T {
  try {
    return read(answer);
  } catch (error) {
    const text = isRounded(error) ? (answer as { [TEXT]?: string })[TEXT] : undefined;
    if (text === undefined) throw error;
    return read(reparse(text));
  }
}

/** @throws AnswerError where the text, which is JSON, is nested deeper than any answer. */
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

/**
 * JSON.parse, except that an integer of 16 digits or more becomes a bigint, exact.
 *
 * @throws SyntaxError on anything that is not JSON.
 */
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

/**
 * JSON.parse, except that every number comes as its own text, digit for digit: for prices, which are never floats.
 *
 * @throws SyntaxError on anything that is not JSON.
 */
export function parseJsonTexts(text: string): unknown {
  return JSON.parse(
    replaceNumbers(text, (token) => (NUMBER.test(token) ? JSON.stringify(token) : undefined)),
  );
}

/** Replaces the numbers for which `replace` has a text; the rest of the JSON text stays as it is. */
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

/** The index after the closing quote, or the end of an unclosed text. */
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

/** Digits, sign, fraction and exponent: a fraction or an exponent makes the token no integer. */
function isNumberPart(code: number): boolean {
  const isDigit = code >= 0x30 && code <= 0x39;
  return isDigit || code === 0x2d || code === 0x2b || code === 0x2e || code === 0x65 || code === 0x45;
}
