import { Marked, type Tokens } from "marked";
import { anchorOf, asMarkup, codeBlock } from "./html.ts";

/** A guide as a page: the title is its first heading, the lead the first paragraph after it, as plain text. */
export type Guide = {
  readonly name: string;
  readonly title: string;
  readonly lead: string;
  readonly markdown: string;
  readonly html: string;
};

const LANGUAGES: Readonly<Record<string, string>> = {
  go: "Go",
  js: "JavaScript",
  json: "JSON",
  php: "PHP",
  py: "Python",
  python: "Python",
  sh: "Shell",
  sql: "SQL",
  text: "Output",
  ts: "TypeScript",
};

/** Where a link of a guide leads on the site. Undefined where it leads to a file that is in the repository alone. */
function targetOf(href: string, isPublic: (name: string) => boolean): string | undefined {
  if (/^(https?:|mailto:|#|\/)/.test(href)) return href;
  const [, name = "", anchor = ""] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return isPublic(name) ? `/docs/${name}${anchor}` : undefined;
}

/** One renderer for each page: it counts the anchors that the page has already. */
function rendererFor(isPublic: (name: string) => boolean): Marked {
  const used = new Map<string, number>();
  const anchor = (text: string) => {
    const slug = anchorOf(text);
    const count = used.get(slug) ?? 0;
    used.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const text = plainTextOf(tokens);
        const id = anchor(text);
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
        const link = `<a class="anchor" href="#${id}" aria-label="Link to: ${asMarkup(text)}">#</a>`;
        return `<h${depth} id="${id}">${inner} ${link}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href, isPublic);
        if (target !== undefined) return `<a href="${asMarkup(target)}">${inner}</a>`;
        return `<span title="In the repository: ${asMarkup(href.replace(/^(\.\.\/)+/, ""))}">${inner}</span>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="/docs/${asMarkup(href)}" alt="${asMarkup(text)}">`;
      },
      code({ text, lang = "" }: Tokens.Code) {
        const [language = "", purpose = ""] = lang.split(" ");
        const caption = captionOf(purpose);
        const block = codeBlock(text, LANGUAGES[language] ?? "Code");
        return caption ? `<figure><figcaption>${asMarkup(caption)}</figcaption>${block}</figure>\n` : block;
      },
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          `<tr>${row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const rows = token.rows.map((row) => cells(row, "td")).join("\n");
        const head = token.header.some(({ text }) => text !== "")
          ? `<thead>${cells(token.header, "th").replaceAll("<th></th>", "<td></td>")}</thead>\n`
          : "";
        const label = asMarkup(token.header.map(({ text }) => text.replace(/[`*]/g, "")).join(", "));
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table: ${label}"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  return marked;
}

/** The caption of a block: that it is an answer or an output, or the name of its file. */
function captionOf(purpose: string): string | undefined {
  if (purpose === "output") return "Answer";
  if (purpose === "printed") return "Printed";
  return purpose.startsWith("file=") ? purpose.slice("file=".length) : undefined;
}

function plainTextOf(tokens: Tokens.Generic[]): string {
  return tokens.map((token) => (token.tokens ? plainTextOf(token.tokens) : (token.text ?? ""))).join("");
}

/**
 * A guide of docs/ as a page of the site.
 *
 * @throws Error where it does not begin with a title.
 */
export function renderGuide(name: string, markdown: string, isPublic: (name: string) => boolean): Guide {
  const marked = rendererFor(isPublic);
  const tokens = marked.lexer(markdown);
  const [first] = tokens;
  if (first?.type !== "heading" || first.depth !== 1) throw new Error(`docs/${name}.md has no title`);
  const paragraph = tokens.find(({ type }) => type === "paragraph") as Tokens.Paragraph | undefined;
  const lead = plainTextOf(paragraph?.tokens ?? []).replace(/\s+/g, " ");
  return { name, title: first.text, lead: firstSentence(lead), markdown, html: marked.parser(tokens) };
}

function firstSentence(text: string): string {
  return /^.*?[.:?!](?=\s|$)/.exec(text)?.[0].replace(/:$/, ".") ?? text;
}

/** A sentence of the contract, whose names stand between backticks. */
export function inline(text: string): string {
  return new Marked({ gfm: true }).parseInline(text.replace(/</g, "&lt;")) as string;
}
