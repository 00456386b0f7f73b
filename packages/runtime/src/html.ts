const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};
const CONTROL_CHARACTERS = /[\p{Cc}\p{Zl}\p{Zp}]/gu;
/** Marks and overrides that reorder the text around them: with one, a name could rewrite what follows it. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Markup made only by `html`, so that the types distinguish it from unescaped text. */
export class Html {
  readonly #markup: string;

  private constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }

  /** Joins a template's own text, which is trusted, with values, which are not. */
  static join(strings: TemplateStringsArray, values: readonly HtmlValue[]): Html {
    return new Html(String.raw({ raw: strings }, ...values.map(render)));
  }
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[];

/**
 * The one way to make markup. Every value is escaped for text and for quoted attributes; markup nests; null, undefined
 * and false are nothing; lists are joined. There is no way to put in a value unescaped.
 */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return Html.join(strings, values);
}

/**
 * The Cache-Control of every HTML answer. No proxy may rewrite a page: it could change a link or an address, and the
 * page's security policy refuses scripts that a proxy adds.
 */
export function htmlCacheControl(rule: "no-store" | "no-cache" | "public, no-cache"): string {
  return `${rule}, no-transform`;
}

/** Text that can be put between tags or into a quoted attribute; control characters and line breaks become blanks, bidi controls are taken out. */
export function escapeHtml(text: string): string {
  return text
    .replace(CONTROL_CHARACTERS, " ")
    .replace(BIDI_CONTROLS, "")
    .replace(/[&<>"'`]/g, (character) => ENTITIES[character] ?? "");
}

function render(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return "";
  if (value instanceof Html) return value.toString();
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  return value.map(render).join("");
}
