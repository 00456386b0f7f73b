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
const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?![a-z0-9])|(\[\d+[smhd]\])|("(?:[^"\\]|\\.)*")|([a-zA-Z_][\w:]*)|(=~|!~|==|!=|<=|>=|[-+*/<>=(){},]))/y;
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** @throws SyntaxError outside this grammar. */
export function parsePromql(text: string): Promql {
  const tokens = tokenize(text);
  let place = 0;
  const peek = (): string => tokens[place] ?? "";
  const take = (): string => {
    place += 1;
    return tokens[place - 1] ?? "";
  };
  const expect = (token: string): void => {
    const found = take();
    if (found !== token) throw new SyntaxError(`${token} must stand before ${found || "the end"} in ${text}`);
  };

  function list<T>(end: string, one: () => T): T[] {
    const all: T[] = [];
    while (peek() !== end) {
      all.push(one());
      if (peek() !== end) expect(",");
    }
    take();
    return all;
  }

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
    if (peek() !== "(") return selector(token);
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

  function selector(metric: string): Promql {
    let matchers: Matcher[] = [];
    if (peek() === "{") {
      take();
      matchers = list("}", matcher);
    }
    const window = /^\[(\d+)([smhd])\]$/.exec(peek());
    if (window === null) return { kind: "selector", metric, matchers, windowSeconds: undefined };
    take();
    const windowSeconds = Number(window[1]) * (SECONDS[window[2] ?? ""] ?? Number.NaN);
    return { kind: "selector", metric, matchers, windowSeconds };
  }

  function matcher(): Matcher {
    const [label, sign, value] = [take(), take(), take()];
    if (!/^(=|!=|=~|!~)$/.test(sign) || !value.startsWith('"'))
      throw new SyntaxError(`${label}${sign}${value} matches no label in ${text}`);
    return { label, sign: sign as Matcher["sign"], value: JSON.parse(value) as string };
  }

  const whole = operation(0);
  if (place < tokens.length) throw new SyntaxError(`${peek()} is too much in ${text}`);
  return whole;
}

function tokenize(text: string): string[] {
  const tokens: string[] = [];
  const trimmed = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const from = TOKEN.lastIndex;
    const [token] = TOKEN.exec(trimmed) ?? [];
    if (token === undefined) throw new SyntaxError(`${trimmed.slice(from)} cannot be read in ${text}`);
    tokens.push(token.trim());
  }
  return tokens;
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
