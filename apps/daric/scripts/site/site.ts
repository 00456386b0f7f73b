import { readdir, readFile } from "node:fs/promises";
import { inOrder, makeOpenApiDocuments } from "../openapi/make-documents.ts";
import type { OpenApiDocument } from "../openapi/openapi-document.ts";
import { asMarkup, plainPathOf } from "./html.ts";
import { framed, icon, type NavGroup, type SitePage, standalonePage } from "./layout.ts";
import { llmsText } from "./llms.ts";
import { type Guide, renderGuide } from "./markdown.ts";
import { operationPage, operationsOf } from "./operations.ts";
import { errorsPage, eventsPage, homeBody, indexPage, objectPages, operationsPage } from "./pages.ts";
import { plainGuide, plainPage } from "./plain-pages.ts";

const ROOT = new URL("../../../../", import.meta.url);

/** The guides in reading order, by group. */
const GUIDES = {
  Guides: [
    "choose",
    "start",
    "calling",
    "life-of-an-order",
    "orders",
    "payment-links",
    "refunds",
    "books",
    "notifications",
    "once",
    "prices",
    "embedding",
    "webhooks",
    "receivers",
    "testing",
    "sdk",
    "clients",
    "woocommerce",
    "mcp",
    "going-live",
    "glossary",
  ],
  "For operators": [
    "running",
    "operations",
    "nodes",
    "database",
    "backup",
    "upgrading",
    "growing",
    "capacity",
    "performance",
    "disasters",
    "privacy",
    "settlement",
    "signer",
    "dashboard",
    "alerts",
    "mail",
    "configuration",
    "collecting",
    "asvs",
    "asvs-operations",
    "asvs-signer",
    "accessibility",
  ],
} as const;

/** A file of the site: its media type, and its text. A PNG is in base64. */
type SiteFile = { readonly type: string; readonly text: string };

const HTML = "text/html; charset=utf-8";
const PNG = "image/png";

/** Every file of the site by its path: pages, style sheet, pictures, OpenAPI documents, and the text for language models. */
export async function buildSite(): Promise<Record<string, SiteFile>> {
  const css = await readFile(new URL("site.css", import.meta.url), "utf8");
  const { api, dashboard } = await makeOpenApiDocuments("devnet");
  const withoutTests = await makeOpenApiDocuments("mainnet");
  const document = inOrder(api) as OpenApiDocument;
  const groups = await readGuides();
  const guides = groups.flatMap(({ guides }) => guides);
  const nav = navOf(groups, document);
  const pages = pagesOf(guides, document);
  const home = standalonePage({ title: "Daric", body: homeBody() });
  return {
    "/": { type: HTML, text: home },
    ...Object.fromEntries(pages.map((page) => [page.path, { type: HTML, text: framed(page, nav) }])),
    ...Object.fromEntries(
      pages.map((page) => [
        plainPathOf(page.path),
        { type: "text/markdown; charset=utf-8", text: page.markdown ?? plainPage(page) },
      ]),
    ),
    "/docs/site.css": { type: "text/css; charset=utf-8", text: css.replace(/\/\*.*?\*\/\n*/gs, "") },
    "/docs/icon.svg": { type: "image/svg+xml", text: icon },
    ...(await pictures()),
    "/openapi.devnet.json": jsonFile(api),
    "/openapi.json": jsonFile(withoutTests.api),
    "/dashboard/v1/openapi.json": jsonFile(dashboard),
    "/llms.txt": { type: "text/plain; charset=utf-8", text: llmsText(guides, document) },
  };
}

function jsonFile(document: OpenApiDocument): SiteFile {
  return { type: "application/json; charset=utf-8", text: JSON.stringify(document) };
}

const missing: SitePage = {
  path: "/docs/404",
  title: "No such page",
  body: '<h1>There is no such page</h1><p>What there is stands in the <a href="/docs">contents</a>.</p>',
};

function pagesOf(guides: readonly Guide[], document: OpenApiDocument): SitePage[] {
  return [
    indexPage(guides, document),
    ...guides.map(({ name, title, html, markdown }) => ({
      path: `/docs/${name}`,
      title,
      body: html,
      markdown: plainGuide(markdown),
    })),
    operationsPage(document),
    ...operationsOf(document).map((placed) => ({
      path: placed.href,
      title: placed.name,
      body: operationPage(placed),
    })),
    eventsPage(document),
    ...objectPages(document),
    errorsPage(),
    missing,
  ];
}

type GuideGroup = { readonly name: string; readonly guides: readonly Guide[] };

async function readGuides(): Promise<GuideGroup[]> {
  const folder = new URL("docs/", ROOT);
  const files = (await readdir(folder)).filter((name) => name.endsWith(".md"));
  const there = new Set(files.map((name) => name.slice(0, -".md".length)));
  const placed = Object.values(GUIDES).flat() as string[];
  const lost = [...there].filter((name) => !placed.includes(name));
  if (lost.length > 0) throw new Error(`docs/${lost[0]}.md has no place in the contents of the site`);
  const read = async (name: string) =>
    renderGuide(name, await readFile(new URL(`${name}.md`, folder), "utf8"), (guide) => there.has(guide));
  return Promise.all(
    Object.entries(GUIDES).map(async ([name, names]) => ({
      name,
      guides: await Promise.all(names.filter((name) => there.has(name)).map(read)),
    })),
  );
}

function navOf(groups: readonly GuideGroup[], document: OpenApiDocument): NavGroup[] {
  const [integrate, ...operate] = groups.map(({ name, guides }) => ({
    name,
    links: guides.map((guide) => ({ href: `/docs/${guide.name}`, name: guide.title })),
  }));
  if (integrate === undefined) throw new Error("there are no guides");
  const operations = operationsOf(document);
  const byTag = document.tags.map(({ name }) => ({
    name: name.charAt(0).toUpperCase() + name.slice(1),
    isCollapsed: true,
    links: operations
      .filter(({ operation }) => operation.tags?.includes(name))
      .map(({ href, name: text }) => ({ href, name: text })),
  }));
  const reference = {
    name: "Reference",
    links: [
      { href: "/docs/errors", name: "Errors" },
      { href: "/docs/events", name: "Events" },
      { href: "/docs/objects", name: "Objects" },
      { href: "/docs/api", name: "Every operation" },
    ],
  };
  return [integrate, reference, ...byTag, ...operate];
}

async function pictures(): Promise<Record<string, SiteFile>> {
  const folder = new URL("docs/", ROOT);
  const names = (await readdir(folder)).filter((name) => /\.(?:svg|png)$/.test(name));
  const files = names.map(async (name) => {
    const isPng = name.endsWith(".png");
    const text = await readFile(new URL(name, folder), isPng ? "base64" : "utf8");
    return [`/docs/${asMarkup(name)}`, { type: isPng ? PNG : "image/svg+xml", text }] as const;
  });
  return Object.fromEntries(await Promise.all(files));
}
