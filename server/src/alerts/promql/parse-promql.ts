/** The part of PromQL that our rules and panels use. */
export type Promql =
  | { readonly kind: "number"; readonly value: number }
  | ({ readonly kind: "selector"; readonly windowSeconds: number | undefined } & Selector)
  | { readonly kind: "call"; readonly name: string; readonly of: readonly Promql[] }
  | {
      readonly kind: "aggregate";
      readonly name: string;
      readonly by: readonly string[];
      readonly of: Promql;
    }
  | { readonly kind: "operation"; readonly sign: string; readonly left: Promql; readonly right: Promql };

/** The samples of a metric with matching labels. */
export type Selector = { readonly metric: string; readonly matchers: readonly Matcher[] };
export type Matcher = {
  readonly label: string;
  readonly sign: "=" | "!=" | "=~" | "!~";
  readonly value: string;
};

const AGGREGATES = ["sum", "min", "max", "count"];
/** The weakest first; operators of one line associate from left to right. */
const SIGNS = [["or"], ["and", "unless"], ["==", "!=", "<=", ">=", "<", ">"], ["+", "-"], ["*", "/"]];
/** A token begins where the one before it ends. Label patterns are lists of texts with `|` between. */
const TOKENS = [
  /[\d.]+/y,
  /\[\d{1,6}[smhd]\]/y,
  /"[^"\\]*"/y,
  /[a-zA-Z_][\w:]*/y,
  /=~|!~|==|!=|<=|>=|[-+*/<>=(){},]/y,
];
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** The tokens of a text, read one after another. */
type Cursor = {
  peek(): string;
  take(): string;
  /** @throws SyntaxError before any other token */
  expect(token: string): void;
  /** what `one` reads, with commas between, until `end` */
  list<T>(end: string, one: () => T): T[];
};

function openCursor(text: string): Cursor {
  const tokens = tokenize(text);
  let place = 0;
  const cursor: Cursor = {
    peek: () => tokens[place] ?? "",
    take: () => {
      place += 1;
      return tokens[place - 1] ?? "";
    },
    expect: (token) => {
      const found = cursor.take();
      if (found !== token)
        throw new SyntaxError(`${token} must stand before ${found || "the end"} in ${text}`);
    },
    list: (end, one) => {
      const all = [];
      while (cursor.peek() !== end) {
        all.push(one());
        if (cursor.peek() !== end) cursor.expect(",");
      }
      cursor.take();
      return all;
    },
  };
  return cursor;
}

/** @throws SyntaxError outside this grammar. */
export function parsePromql(text: string): Promql {
  const cursor = openCursor(text);
  const { peek, take, expect, list } = cursor;

  function operation(strength: number): Promql {
    const signs = SIGNS[strength];
    if (signs === undefined) return operand();
    let left = operation(strength + 1);
    while (signs.includes(peek())) {
      const sign = take();
      left = { kind: "operation", sign, left, right: operation(strength + 1) };
    }
    return left;
  }

  function operand(): Promql {
    const token = take();
    if (token === "(") {
      const inner = operation(0);
      expect(")");
      return inner;
    }
    if (/^\d/.test(token)) return { kind: "number", value: Number(token) };
    if (!/^[a-zA-Z_]/.test(token)) throw new SyntaxError(`${token || "the end"} is no operand in ${text}`);
    if (AGGREGATES.includes(token)) return aggregate(token);
    if (peek() !== "(") return selector(cursor, token);
    take();
    return { kind: "call", name: token, of: list(")", () => operation(0)) };
  }

  function aggregate(name: string): Promql {
    let by: string[] = [];
    if (peek() === "by") {
      take();
      expect("(");
      by = list(")", take);
    }
    expect("(");
    const of = operation(0);
    expect(")");
    return { kind: "aggregate", name, by, of };
  }

  const whole = operation(0);
  if (peek() !== "") throw new SyntaxError(`${peek()} is too much in ${text}`);
  return whole;
}

function selector({ peek, take, list }: Cursor, metric: string): Promql {
  let matchers: Matcher[] = [];
  if (peek() === "{") {
    take();
    matchers = list("}", () => matcher([take(), take(), take()]));
  }
  const window = /^\[(\d+)([smhd])\]$/.exec(peek());
  if (window === null) return { kind: "selector", metric, matchers, windowSeconds: undefined };
  take();
  const windowSeconds = Number(window[1]) * (SECONDS[window[2] ?? ""] ?? Number.NaN);
  return { kind: "selector", metric, matchers, windowSeconds };
}

function matcher([label, sign, value]: readonly [string, string, string]): Matcher {
  if (!/^(=|!=|=~|!~)$/.test(sign) || !value.startsWith('"'))
    throw new SyntaxError(`${label}${sign}${value} matches no label`);
  return { label, sign: sign as Matcher["sign"], value: value.slice(1, -1) };
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  let at = text.length - text.trimStart().length;
  while (at < text.trimEnd().length) {
    const token = tokenAt(text, at);
    if (token === undefined) throw new SyntaxError(`${text.slice(at)} cannot be read in ${text}`);
    tokens.push(token);
    at += token.length;
    while (text[at] === " ") at += 1;
  }
  return tokens;
}

function tokenAt(text: string, at: number): string | undefined {
  for (const pattern of TOKENS) {
    pattern.lastIndex = at;
    const [token] = pattern.exec(text) ?? [];
    if (token !== undefined) return token;
  }
  return undefined;
}

/** The selectors of an expression, and the labels that its aggregates keep. */
export function referencedBy(expression: Promql): { selectors: Selector[]; by: string[] } {
  switch (expression.kind) {
    case "number":
      return { selectors: [], by: [] };
    case "selector":
      return { selectors: [expression], by: [] };
    case "aggregate": {
      const { selectors, by } = referencedBy(expression.of);
      return { selectors, by: [...by, ...expression.by] };
    }
    case "call":
      return together(expression.of);
    case "operation":
      return together([expression.left, expression.right]);
  }
}

function together(expressions: readonly Promql[]): { selectors: Selector[]; by: string[] } {
  const all = expressions.map(referencedBy);
  return { selectors: all.flatMap(({ selectors }) => selectors), by: all.flatMap(({ by }) => by) };
}
