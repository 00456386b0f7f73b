import { asMarkup, plainPathOf } from "./html.ts";

/** A page of the site before it has its frame. */
export type SitePage = {
  /** from the root of the service */
  readonly path: string;
  readonly title: string;
  readonly body: string;
  /** the same as Markdown, where its author wrote Markdown */
  readonly markdown?: string;
};

export type NavLink = { readonly href: string; readonly name: string };
/** The table of contents of every page; a group is folded away unless one of its pages is shown. */
export type NavGroup = {
  readonly name: string;
  readonly links: readonly NavLink[];
  readonly isCollapsed?: boolean;
};

const SIGN =
  '<svg viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><circle cx="16" cy="16" r="15" fill="#0f766e"/>' +
  '<path d="m9.5 16.5 4.5 4.5 8.5-9.5" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round"/></svg>';

/** The whole document: a header, the page, and the contents beside it or, where there is no room, below it. */
export function framed({ path, title, body }: SitePage, groups: readonly NavGroup[]): string {
  const name = path === "/docs" ? "Daric documentation" : `${asMarkup(title)} · Daric`;
  const plain = `<link rel="alternate" type="text/markdown" href="${plainPathOf(path)}">`;
  return `${head(name, plain)}
<body class="docs">
<a class="skip" href="#content">Skip to the text</a>
<header class="top"><a class="home" href="/docs">${SIGN}Daric</a><a class="to-contents" href="#contents">Contents</a></header>
<main id="content">
${body}
</main>
<nav id="contents" aria-label="Contents">
${groups.map((group) => groupOf(group, path)).join("\n")}
</nav>
</body>
</html>
`;
}

/** A page that stands alone. */
export function standalonePage({ title, body }: Omit<SitePage, "path">): string {
  return `${head(asMarkup(title))}
<body class="alone">
<main>
<p class="home">${SIGN}Daric</p>
${body}
</main>
</body>
</html>
`;
}

function head(title: string, links = ""): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/docs/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/site.css">
${links}</head>`;
}

function groupOf({ name, links, isCollapsed = false }: NavGroup, path: string): string {
  const items = links.map(({ href, name: text }) => {
    const current = href === path ? ' aria-current="page"' : "";
    return `<li><a href="${href}"${current}>${asMarkup(text)}</a></li>`;
  });
  const list = `<ul>${items.join("")}</ul>`;
  if (!isCollapsed) return `<h2>${asMarkup(name)}</h2>${list}`;
  const isHere = links.some(({ href }) => href === path);
  return `<details${isHere ? " open" : ""}><summary>${asMarkup(name)}</summary>${list}</details>`;
}

/** The sign of the tab. */
export const icon = SIGN.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ');
