import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { errorGuide } from "@daric/domain/error-guide";
import type { ApiApp } from "@daric/http/api-app";
import { createApp } from "@daric/server/app";
import { loadSite } from "@daric/server/docs/site";
import { isNight } from "@daric/testing/at-night";
import { createOfflineContext } from "@daric/testing/offline-context";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";

const MAX_BYTES = 60_000;
const phone = { width: 320, height: 568 };
const desktop = { width: 1280, height: 800 };

const site = loadSite();
const pages = [...site].filter(([, { type }]) => type.startsWith("text/html"));

let app: ApiApp;
let browser: Browser;
let origin: string;
let axe: string;
/** The errors of a page; every test ends with none. */
let faults: string[] = [];

beforeAll(async () => {
  const context = createOfflineContext();
  app = createApp(context);
  app.addHook("onClose", () => context.db.close());
  await app.listen({ host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  browser = await launchBrowser();
  axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
});
afterAll(async () => {
  await browser?.close();
  await app?.close();
});
afterEach(async () => {
  await Promise.all(browser.contexts().map((context) => context.close()));
  const found = faults;
  faults = [];
  expect(found).toEqual([]);
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await browser.newContext({ viewport: desktop, ...options })).newPage();
  page.on("console", (message) => faults.push(`${path}: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`${path}: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) faults.push(`${path} requested ${request.url()}`);
  });
  await page.goto(`${origin}${path}`);
  return page;
}

/**
 * Requires no sideways scroll and no violation of accessibility rules, on a phone and on a desk, light and dark.
 * The dark phone and the light desk are tested nightly.
 */
async function requireSound(page: Page): Promise<void> {
  await page.evaluate(axe);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const dayOnly = colorScheme === "light" ? [phone] : [desktop];
    for (const viewport of isNight ? [phone, desktop] : dayOnly) {
      await page.setViewportSize(viewport);
      await requireSoundAsItIs(page);
    }
  }
}

async function requireSoundAsItIs(page: Page): Promise<void> {
  const overflow = await page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
  expect(overflow).toBe(0);
  const { violations, checked } = await page.evaluate<{ checked: number; violations: string[] }>(
    `axe.run().then(({ passes, violations }) => ({ checked: passes.length,
        violations: violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 3).map(({ html }) => html)) }))`,
  );
  expect(checked).toBeGreaterThan(10);
  expect(violations).toEqual([]);
}

describe("every page of the documentation", () => {
  it("has at most 60 kB, one title, and no script", () => {
    const wrong = pages.filter(
      ([, { text }]) =>
        Buffer.byteLength(text) > MAX_BYTES ||
        text.match(/<h1[ >]/g)?.length !== 1 ||
        /<script|\sstyle=|\son\w+=|javascript:/.test(text.replace(/<pre.*?<\/pre>/gs, "")),
    );
    expect(wrong.map(([path]) => path)).toEqual([]);
    expect(pages.length).toBeGreaterThan(50);
  });

  it("links only to existing pages and anchors of this service", async () => {
    const broken: string[] = [];
    const served = new Map<string, string>();
    for (const [path, { text }] of pages) {
      for (const [, link = ""] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
        const { origin: host, pathname, hash } = new URL(link, `${origin}${path}`);
        if (host !== origin) {
          broken.push(`${path}: ${link} leads to another service`);
          continue;
        }
        if (!served.has(pathname)) {
          const answer = await fetch(`${origin}${pathname}`);
          const isThere = answer.ok || pathname === "/readyz";
          served.set(pathname, isThere ? await answer.text() : "");
        }
        const target = served.get(pathname) ?? "";
        const anchor = decodeURIComponent(hash.slice(1));
        if (target === "" || (anchor !== "" && !target.includes(` id="${anchor}"`)))
          broken.push(`${path}: ${link}`);
      }
    }
    expect([...new Set(broken)]).toEqual([]);
  });

  it("has an anchor for every code in error.docUrl", () => {
    const ids = new Set(
      [...(site.get("/docs/errors")?.text.matchAll(/ id="([^"]+)"/g) ?? [])].map(([, id]) => id),
    );
    const lost = Object.keys(errorGuide).filter((code) => !ids.has(code.toLowerCase().replaceAll("_", "-")));
    expect(lost).toEqual([]);
  });

  it("is served with a policy without scripts, with an etag, and compressed", async () => {
    const answer = await fetch(`${origin}/docs/webhooks`);
    expect(answer.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'self'; img-src 'self';/,
    );
    expect(answer.headers.get("content-encoding")).toBe("gzip");
    const etag = answer.headers.get("etag") ?? "";
    const again = await fetch(`${origin}/docs/webhooks`, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const plain = await fetch(`${origin}/docs/webhooks`, { headers: { "accept-encoding": "identity" } });
    expect(await plain.text()).toBe(site.get("/docs/webhooks")?.text);
  });

  it("that is unknown is a 404 page, and one with a trailing slash redirects to the page", async () => {
    const lost = await fetch(`${origin}/docs/no-such-page`);
    expect([lost.status, await lost.text()]).toEqual([404, expect.stringContaining("There is no such page")]);
    const slashed = await fetch(`${origin}/docs/`, { redirect: "manual" });
    expect([slashed.status, slashed.headers.get("location")]).toEqual([308, "/docs"]);
  });
});

describe("every page as Markdown", () => {
  const inDocs = pages.filter(([path]) => path !== "/");

  it("is beside the page, which names it, and links only to existing pages", async () => {
    const broken: string[] = [];
    for (const [path, { text }] of inDocs) {
      const answer = await fetch(`${origin}${path}.md`);
      const markdown = await answer.text();
      const isNamed = text.includes(`<link rel="alternate" type="text/markdown" href="${path}.md">`);
      if (!(isNamed && answer.ok && markdown.startsWith("# "))) broken.push(path);
      expect(answer.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      const prose = markdown.replace(/^```.*?^```/gms, "").replace(/`[^`]*`/g, "");
      for (const [, link = ""] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        const { origin: host, pathname } = new URL(link, `${origin}${path}.md`);
        if (host === origin && !site.has(pathname)) broken.push(`${path}: ${link}`);
      }
    }
    expect(broken).toEqual([]);
  });

  it("has the fields of an operation, and what its page has in code", async () => {
    const text = await (await fetch(`${origin}/docs/api/create-deposit-address.md`)).text();
    expect(text).toContain("`POST /v1/deposit-addresses`");
    expect(text).toMatch(/^- `orderRef` string or null: Your own reference of the order/m);
    expect(text).toContain('-d \'{"amount":"25.5"');
  });
});

describe("in a browser", () => {
  /** One page of each layout: the entrance, a guide, and an operation. */
  const daily = ["/", "/docs/webhooks", "/docs/api/create-deposit-address"];
  it.each([...daily, ...(isNight ? ["/docs", "/docs/errors", "/docs/life-of-an-order"] : [])])(
    "%s is correct on a phone and on a desk, light and dark",
    async (path) => {
      await requireSound(await open(path));
    },
  );

  it("a code sample in another language needs one click and no script", async () => {
    const page = await open("/docs/api/create-deposit-address", { javaScriptEnabled: false });
    expect(await page.locator(".panel:visible").count()).toBe(1);
    await page.getByText("Python", { exact: true }).click();
    expect(await page.locator(".panel:visible").textContent()).toContain("import json");
  });
});

describe("the root of the service", () => {
  it("is a page that describes the service and links on", async () => {
    const text = await (await fetch(`${origin}/`)).text();
    for (const part of ["devnet", "test", 'href="/docs"', 'href="/openapi.json"', 'href="/readyz"'])
      expect(text).toContain(part);
    expect(text).not.toContain("%");
  });

  it("returns JSON on request", async () => {
    const answer = await fetch(`${origin}/`, { headers: { accept: "application/json" } });
    expect(await answer.json()).toEqual({
      name: "Daric",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      environment: "test",
      network: "devnet",
      links: { docs: "/docs", openapi: "/openapi.json", status: "/readyz", llms: "/llms.txt" },
    });
  });

  it("/llms.txt names every guide and operation with a link, and has the essentials in text", async () => {
    const text = await (await fetch(`${origin}/llms.txt`)).text();
    const listed = pages.map(([path]) => path).filter((path) => /^\/docs\/(api\/)?[\w-]+$/.test(path));
    const lost = listed.filter(
      (path) => !["/docs/404", "/docs/api"].includes(path) && !text.includes(`](${path}.md)`),
    );
    expect(lost).toEqual([]);
    expect(text).toContain("## Which event to fulfil on");
  });
});
