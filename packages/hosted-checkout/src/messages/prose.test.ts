import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseAst } from "vitest/node";

const root = join(import.meta.dirname, "../../../..");
const catalogue = "packages/hosted-checkout/src/messages/";

/** A value in the middle of a text. */
const SLOT = "\0";
const TAG = /<[^>]*>/g;
/** Attributes with text for the payer. */
const SPOKEN_ATTRIBUTE = /\b(?:aria-label|alt|title|placeholder)="([^"]*)"/g;
/** The markup before a value in such an attribute, or between tags. */
const BEFORE_SPOKEN = /\b(?:aria-label|alt|title|placeholder)="[^"]*$/;
const BEFORE_TEXT = /^[^<]*$|>[^<]*$/;
/** Two words, a word beside a value, or a word that begins as a sentence does. */
const PROSE = /\p{L}{2,} \p{L}{2,}|\p{L} \0|\0 \p{L}|(?<![^\s\0])\p{Lu}\p{Ll}+(?![^\s\0.,:;!?…])/u;

type Node = { readonly type: string; readonly [key: string]: unknown };
type Named = { readonly name?: string; readonly object?: Named; readonly property?: Named };
type Template = Node & {
  readonly quasis: readonly { readonly value: { readonly cooked: string } }[];
  readonly expressions: readonly Node[];
};

/** The texts of a source that look like texts for payers. */
function proseOf(source: string): string[] {
  const tree = parseAst(source, { lang: "ts" });
  const constants = constantsOf(tree);
  const found = new Set<string>();
  visit(tree);
  return [...found];

  function visit(value: unknown): void {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value) || isForDevelopers(value)) return;
    if (value.type === "TaggedTemplateExpression" && (value.tag as Named).name === "html") {
      const markup = value.quasi as Template;
      for (const text of [...wordsOfMarkup(joined(markup.quasis)), ...wordsShown(markup, constants)])
        found.add(text);
      markup.expressions.forEach(visit);
      return;
    }
    const text = textOf(value);
    if (text !== undefined && PROSE.test(text.replace(TAG, ""))) found.add(text.replaceAll(SLOT, "…"));
    (isRouteSchema(value) ? withoutPapers(value) : Object.values(value)).forEach(visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}

/** The messages of errors and logs, SQL, and the OpenAPI document. */
function isForDevelopers(node: Node): boolean {
  if (node.type === "NewExpression") return /Error$/.test((node.callee as Named).name ?? "");
  if (node.type === "TaggedTemplateExpression") return (node.tag as Named).name === "sql";
  if (node.type !== "CallExpression") return false;
  const { name, object, property } = node.callee as Named;
  if (name === "reportFault" || name === "refusal") return true;
  if (property?.name === "meta") return true;
  if (object?.name === "log" && property?.name === "error") return true;
  return object?.object?.name === "request" && object.property?.name === "log";
}

function isRouteSchema(node: Node): boolean {
  const name = node.type === "VariableDeclarator" ? node.id : node.type === "Property" ? node.key : {};
  return (name as Named).name === "schema";
}

/** The texts of a route in the OpenAPI document. */
const FOR_PAPERS = ["summary", "description"];

function withoutPapers(schema: Node): unknown[] {
  const { properties } = (schema.init ?? schema.value ?? {}) as { properties?: readonly Node[] };
  if (properties === undefined) return Object.values(schema);
  return properties.filter(({ key }) => !FOR_PAPERS.includes((key as Named | undefined)?.name ?? ""));
}

/** The constants of a source by name. */
function constantsOf(tree: unknown): ReadonlyMap<string, Node> {
  const found = new Map<string, Node>();
  collect(tree);
  return found;

  function collect(value: unknown): void {
    if (Array.isArray(value)) value.forEach(collect);
    if (!isNode(value)) return;
    const { name } = (value.id ?? {}) as Named;
    if (value.type === "VariableDeclarator" && name !== undefined && isNode(value.init))
      found.set(name, value.init);
    Object.values(value).forEach(collect);
  }
}

/** Our own texts between the values of visible markup, down to a single word. */
function wordsShown({ quasis, expressions }: Template, constants: ReadonlyMap<string, Node>): string[] {
  return expressions.flatMap((expression, n) => {
    const before = joined(quasis.slice(0, n + 1));
    return BEFORE_TEXT.test(before) || BEFORE_SPOKEN.test(before) ? shownBy(expression, new Set()) : [];
  });

  function shownBy(value: unknown, seen: ReadonlySet<string>): string[] {
    if (!isNode(value)) return [];
    const text = textOf(value)?.replace(TAG, "").replaceAll(SLOT, "…");
    if (text !== undefined) return /\p{L}/u.test(text) ? [text] : [];
    const name = value.type === "Identifier" ? String(value.name) : undefined;
    if (name !== undefined && !seen.has(name)) return shownBy(constants.get(name), new Set([...seen, name]));
    const parts = [value.consequent, value.alternate, value.left, value.right];
    return /^(Conditional|Logical)/.test(value.type) ? parts.flatMap((part) => shownBy(part, seen)) : [];
  }
}

function textOf(node: Node): string | undefined {
  if (node.type === "TemplateLiteral") return joined((node as Template).quasis);
  return node.type === "Literal" && typeof node.value === "string" ? node.value : undefined;
}

function joined(quasis: Template["quasis"]): string {
  return quasis.map(({ value }) => value.cooked).join(SLOT);
}

/** All text in markup is for the payer, down to a single letter. */
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
      // Settings and metrics have texts for operators.
      .filter((path) => !/\/context\.ts$/.test(path))
      .filter((path) => !path.startsWith(catalogue))
  );
}

/** The source of an example, in which `%{` begins a value of a template. */
function asSource(planted: string): string {
  return planted.replaceAll("%", "$");
}

describe("text for payers", () => {
  it("is in the catalogue of the page, and in no other place", () => {
    const rules = "packages/domain/src/checkout.ts";
    const sources = [...sourcesOf("packages/hosted-checkout/src"), ...sourcesOf("web/checkout/src"), rules];
    expect(sources.length).toBeGreaterThan(20);
    const found = sources.map((path) => [path, proseOf(readFileSync(join(root, path), "utf8"))] as const);
    expect(found.filter(([, prose]) => prose.length > 0)).toEqual([]);
  });

  it("is found in any part of a source", () => {
    const planted: [source: string, prose: string][] = [
      ['const title = "Paid in part";', "Paid in part"],
      ['const label = isLate ? "Confirmed" : word;', "Confirmed"],
      ["const tab = `Pay %{shop} now`;", "Pay … now"],
      ["const left = `%{days} d %{hours} h`;", "… d … h"],
      ["const part = html`<p>of %{count}</p>`;", "of"],
      ["const part = html`<p>%{count > 1 && html`<b>more</b>`}</p>`;", "more"],
      ['const part = html`<a aria-label="Transaction %{id}">%{id}</a>`;', "Transaction"],
      ['fact("Price", price);', "Price"],
      ['const part = html`<p>%{"paid"}</p>`;', "paid"],
      ['const part = html`<p>%{isPaid ? "paid" : null}</p>`;', "paid"],
      ['const word = isPaid && "paid";\nconst part = html`<p class="%{tone}">%{word}</p>`;', "paid"],
      ["const part = html`<p>%{`paid %{count}`}</p>`;", "paid …"],
      ['const part = html`<a title="%{"paid"}">↗</a>`;', "paid"],
      ['const notice = { summary: "Please send the rest now" };', "Please send the rest now"],
      ['log.show("Please pay now");', "Please pay now"],
      ['view.log.show("Please pay now");', "Please pay now"],
    ];
    for (const [source, prose] of planted)
      expect([source, proseOf(asSource(source))]).toEqual([source, [prose]]);
  });

  it("is neither markup nor text for developers", () => {
    const sources = [
      'const part = html`<p class="note quiet" data-text="%{text}">%{words.note} ↗</p>`;',
      "const policy = `img-src 'self' %{origin}`;",
      "const rows = sql`select name from merchants`;",
      'if (row === undefined) throw new Error("charge has no merchant");',
      'request.log.error({ err }, "checkout page failed");',
      'const schema = { summary: "Read the public view of a charge" };',
      'app.get(path, { schema: { summary: "Read the public view of a charge" } }, read);',
      'const tone = "paid";\nconst part = html`<p class="%{tone}" data-tone="%{"paid"}">%{words.note}</p>`;',
      'const schema = projection.meta({ id: "Checkout", description: "The public view" });',
      'const cache = "public, max-age=31536000, immutable";',
    ];
    for (const source of sources) expect([source, proseOf(asSource(source))]).toEqual([source, []]);
  });
});
