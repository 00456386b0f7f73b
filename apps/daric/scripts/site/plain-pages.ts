import Turndown from "turndown";
import { plainPathOf } from "./html.ts";
import type { SitePage } from "./layout.ts";

/** A page of the site as Markdown, for programs that read. */
export function plainPage({ body }: Pick<SitePage, "body">): string {
  return `${turndown.turndown(body)}\n`;
}

/** A guide as Markdown. Its links to other guides hold beside it; a link to a file of the repository alone becomes its text. */
export function plainGuide(markdown: string): string {
  return markdown.replace(
    /(!?)\[([^\]]*)\]\(((?!https?:|mailto:|#|\/)[^)\s]+)\)/g,
    (link, mark, text, target) => (mark === "" && !/^[\w-]+\.md(#|$)/.test(target) ? text : link),
  );
}

const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" });
turndown.remove(["input" as keyof HTMLElementTagNameMap, "legend"]);
turndown.addRule("method of an operation", {
  filter: (node) => node.nodeName === "B" && node.parentNode?.nodeName === "CODE",
  replacement: (content) => content,
});
turndown.addRule("sentence of a card", {
  filter: (node) => node.nodeName === "SPAN" && node.parentNode?.nodeName === "LI",
  replacement: (content) => `: ${content}`,
});
turndown.addRule("link of a heading to itself", {
  filter: (node) => node.nodeName === "A" && node.classList.contains("anchor"),
  replacement: () => "",
});
turndown.addRule("link to a page", {
  filter: (node) => node.nodeName === "A" && /^\/docs(\/|$)/.test(node.getAttribute("href") ?? ""),
  replacement: (content, node) => {
    const [path = "", anchor] = (node as Element).getAttribute("href")?.split("#") ?? [];
    return `[${content}](${plainPathOf(path)}${anchor === undefined ? "" : `#${anchor}`})`;
  },
});
turndown.addRule("label of a sample", {
  filter: ["label", "summary"],
  replacement: (content) => `\n\n${content}:\n\n`,
});
turndown.addRule("name of a property", {
  filter: "dt",
  replacement: (content) => `\n- ${content.trim()}`,
});
turndown.addRule("meaning of a property", {
  filter: "dd",
  replacement: (content) => {
    const [first = "", ...more] = content.trim().split("\n");
    return [first === "" ? "" : `: ${first}`, ...more.map((line) => `  ${line}`)].join("\n").trimEnd();
  },
});
