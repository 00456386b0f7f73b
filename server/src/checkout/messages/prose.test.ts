import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";

const root = join(import.meta.dirname, "../../../..");
const catalogues = ["server/src/checkout/messages/", "checkout/src/messages.ts"];

/** A value in the middle of a text. */
const SLOT = "\0";
const TAG = /<[^>]*>/g;
/** Attributes that a payer reads or hears. */
const SPOKEN_ATTRIBUTE = /\b(?:aria-label|alt|title|placeholder)="([^"]*)"/g;
/** Two words, a word beside a value, or a word that begins as a sentence does. */
const PROSE = /\p{L}{2,} \p{L}{2,}|\p{L} \0|\0 \p{L}|(?<![^\s\0])\p{Lu}\p{Ll}+(?![^\s\0.,:;!?…])/u;

type Node = { readonly type: string; readonly [key: string]: unknown };
type Named = { readonly name?: string };
type Template = Node & {
  readonly quasis: readonly { readonly value: { readonly cooked: string } }[];
  readonly expressions: readonly Node[];
};

/** The texts of a source that read as if they were meant for a payer. */
function proseOf(source: string): string[] {
  const found: string[] = [];
  visit(parseAst(source, { lang: "ts" }));
  return found;

  function visit(value: unknown): void {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value) || isForDevelopers(value)) return;
    if (value.type === "TaggedTemplateExpression" && (value.tag as Named).name === "html") {
      const { quasis, expressions } = value.quasi as Template;
      found.push(...wordsOfMarkup(joined(quasis)));
      expressions.forEach(visit);
      return;
    }
    const text = textOf(value);
    if (text !== undefined && PROSE.test(text.replace(TAG, ""))) found.push(text.replaceAll(SLOT, "…"));
    Object.values(value).forEach(visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** The messages of errors and logs, SQL, and what the OpenAPI document says. */
function isForDevelopers(node: Node): boolean {
  if (node.type === "NewExpression") return /Error$/.test((node.callee as Named).name ?? "");
  if (node.type === "TaggedTemplateExpression") return (node.tag as Named).name === "sql";
  if (node.type === "Property") return (node.key as Named).name === "summary";
  if (node.type !== "CallExpression") return false;
  const { object, property } = node.callee as { object?: { property?: Named }; property?: Named };
  return property?.name === "meta" || object?.property?.name === "log";
}

function textOf(node: Node): string | undefined {
  if (node.type === "TemplateLiteral") return joined((node as Template).quasis);
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

function joined(quasis: Template["quasis"]): string {
  return quasis.map(({ value }) => value.cooked).join(SLOT);
}

/** What is written into markup is for the payer, down to a single letter. */
function wordsOfMarkup(markup: string): string[] {
  const attributes = [...markup.matchAll(SPOKEN_ATTRIBUTE)].map((match) => match[1] ?? "");
  const texts = [...markup.replace(TAG, SLOT).split(SLOT), ...attributes];
  return texts.map((text) => text.replaceAll(SLOT, "").trim()).filter((text) => /\p{L}/u.test(text));
}

function sourcesOf(folder: string): string[] {
  return (
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name}`)
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
      // Settings speak to operators.
      .filter((path) => !path.endsWith("/settings.ts"))
      .filter((path) => !catalogues.some((catalogue) => path.startsWith(catalogue)))
  );
}

/** A source as it is planted below, where `%{` begins a value of a template. */
function asSource(planted: string): string {
  return planted.replaceAll("%", "$");
}

describe("what a payer reads", () => {
  it("stands in the catalogue of the page and in that of its scripts, and nowhere else", () => {
    const sources = [...sourcesOf("server/src/checkout"), ...sourcesOf("checkout/src")];
    expect(sources.length).toBeGreaterThan(20);
    const found = sources.map((path) => [path, proseOf(readFileSync(join(root, path), "utf8"))] as const);
    expect(found.filter(([, prose]) => prose.length > 0)).toEqual([]);
  });

  it("is found wherever it is planted", () => {
    const planted: [source: string, prose: string][] = [
      ['const title = "Paid in part";', "Paid in part"],
      ['const label = isLate ? "Confirmed" : word;', "Confirmed"],
      ["const tab = `Pay %{shop} now`;", "Pay … now"],
      ["const left = `%{days} d %{hours} h`;", "… d … h"],
      ["const part = html`<p>of %{count}</p>`;", "of"],
      ["const part = html`<p>%{count > 1 && html`<b>more</b>`}</p>`;", "more"],
      ['const part = html`<a aria-label="Transaction %{id}">%{id}</a>`;', "Transaction"],
      ['fact("Price", price);', "Price"],
    ];
    for (const [source, prose] of planted)
      expect([source, proseOf(asSource(source))]).toEqual([source, [prose]]);
  });

  it("is neither markup nor what developers read", () => {
    const sources = [
      'const part = html`<p class="note quiet" data-text="%{text}">%{words.note} ↗</p>`;',
      "const policy = `img-src 'self' %{origin}`;",
      "const rows = sql`select name from merchants`;",
      'if (row === undefined) throw new Error("charge has no merchant");',
      'request.log.error({ err }, "checkout page failed");',
      'const schema = { summary: "Read the public view of a charge" };',
      'const schema = projection.meta({ id: "Checkout", description: "The public view" });',
      'const cache = "public, max-age=31536000, immutable";',
    ];
    for (const source of sources) expect([source, proseOf(asSource(source))]).toEqual([source, []]);
  });
});
