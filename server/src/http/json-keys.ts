const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const MARK_OR_TEXT = /[{}:]|"(?:[^"\\]|\\.)*"/g;

/** How many keys a text that is JSON has, however deep, each as often as it stands there: a colon outside of texts follows each. */
export function countKeys(json: string): number {
  let count = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === COLON) count += 1;
    else if (code === QUOTE) at = closingQuote(json, at);
  }
  return count;
}

/** The first key that an object of a text that is JSON has twice, unescaped; undefined where none has. */
export function repeatedKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  let text = "";
  for (const [token] of json.matchAll(MARK_OR_TEXT)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (token !== ":") text = token;
    else {
      const key = JSON.parse(text) as string;
      if (open.at(-1)?.has(key)) return key;
      open.at(-1)?.add(key);
    }
  }
  return undefined;
}

function closingQuote(json: string, opening: number): number {
  let at = opening + 1;
  while (at < json.length && json.charCodeAt(at) !== QUOTE) at += json.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
