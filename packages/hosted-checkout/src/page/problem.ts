import type { ApiError } from "@daric/domain/errors";
import { html } from "@daric/runtime/html";
import type { FastifyReply, FastifyRequest } from "fastify";
import { pageLanguages } from "../messages/choose-language.ts";
import type { Messages } from "../messages/en.ts";
import { type Language, translatedTags } from "../messages/languages.ts";
import { documentOf, iconOf } from "./document.ts";
import { type Assets, loadAssets, sendPage, type WebPage } from "./response.ts";
import { themeOf } from "./theme.ts";

const RETRY_SECONDS = 10;

type Refusal = Pick<ApiError, "code" | "status" | "retryAfterSeconds">;

/** The payer's text in place of a checkout, and the time to reload. */
type Problem = {
  readonly status: number;
  readonly reason: keyof Messages["problems"];
  readonly retryAfterSeconds: number | undefined;
};

/** The problem page for a refusal at this path. It never shows the inner fault. */
export function problemOf({ code, status, retryAfterSeconds }: Refusal, path: string): Problem {
  if (code === "NOT_FOUND")
    return { status, reason: isCheckout(path) ? "notFound" : "noPage", retryAfterSeconds: undefined };
  const reason =
    code === "RATE_LIMITED" ? "tooOften" : code === "RATE_UNAVAILABLE" ? "noRate" : "unavailable";
  return { status, reason, retryAfterSeconds: retryAfterSeconds ?? RETRY_SECONDS };
}

/** The page of a problem. It reloads after `retryAfterSeconds`. */
export function problemPage(problem: Problem, assets: Assets, language: Language): WebPage {
  const notice: { title: string; text: string; more?: string } = language.messages.problems[problem.reason];
  const { title, text, more } = notice;
  const head = problem.retryAfterSeconds
    ? html`<meta http-equiv="refresh" content="${problem.retryAfterSeconds}">`
    : null;
  return documentOf({
    language,
    title,
    icon: iconOf(),
    theme: themeOf(""),
    assets,
    head,
    body: html`<main class="problem"><svg class="problem-sign" viewBox="0 0 24 24" aria-hidden="true"><path d="M9 15.5 15.5 9M7 12l-2 2a3.5 3.5 0 0 0 5 5l1-1m2-10 1-1a3.5 3.5 0 0 1 5 5l-2 2"/></svg><h1>${title}</h1><p>${text}</p>${more && html`<p>${more}</p>`}</main>`,
  });
}

/** Paths for programs, which read JSON. Every other path is a page's. */
const FOR_PROGRAMS = /^(?:v1|dashboard\/(?:v1|assets))(?:\/|$)/;
/** The pages of orders and of payment links. */
const CHECKOUT = /^[cl](?:\/|$)/i;
/** A token, and before the end of the path anything that came with it: a bracket, a full stop, a line's end. */
const TOKEN_AND_REST = /^([cl])\/([\w-]{40})(?![a-z0-9])/i;
/** Those, the pages of claims, and the pages behind links in mails. */
const PAGES = /^(?:[clru]|confirm)(?:\/|$)/i;
const METHODS_OF_PAGES = ["GET", "HEAD", "POST"];

/**
 * Answers browsers at the paths of pages with a page about the problem. A link to a checkout with something else behind
 * it is redirected to the clean one. Returns false for a program, whose answer is JSON.
 */
export function createBrowserAnswers() {
  const assets = loadAssets();
  const { offered, of } = pageLanguages(translatedTags);
  // Junk may come in floods.
  const notFound = new Map(
    ["/c", "/"].map((path) => {
      const problem = problemOf({ code: "NOT_FOUND", status: 404, retryAfterSeconds: undefined }, path);
      return [
        problem.reason,
        new Map(offered.map((language) => [language, problemPage(problem, assets, language)])),
      ];
    }),
  );

  return (refusal: Refusal, request: FastifyRequest, reply: FastifyReply): boolean => {
    if (!isForBrowser(request)) return false;
    const { path, query } = partsOf(request);
    const clean = refusal.code === "NOT_FOUND" ? cleanLink(path) : undefined;
    if (clean !== undefined) {
      reply.redirect(`${clean}${query}`, 303);
      return true;
    }
    const language = of(request);
    const problem = problemOf(refusal, path);
    const known = problem.status === 404 ? notFound.get(problem.reason)?.get(language) : undefined;
    sendPage(reply.code(problem.status), language, known ?? problemPage(problem, assets, language));
    return true;
  };
}

function isForBrowser(request: FastifyRequest): boolean {
  const { method, headers } = request;
  const path = readPath(partsOf(request).path);
  if (PAGES.test(path)) return METHODS_OF_PAGES.includes(method);
  const reads = method === "GET" || method === "HEAD";
  return reads && !FOR_PROGRAMS.test(path) && /\btext\/html\b/i.test(headers.accept ?? "");
}

function isCheckout(path: string): boolean {
  return CHECKOUT.test(readPath(path));
}

/**
 * The way from this path to the page that it names, relative so that it also works below a path of the public URL.
 * Undefined if it names none, or is clean.
 */
function cleanLink(path: string): string | undefined {
  const [, kind, token] = TOKEN_AND_REST.exec(readPath(path)) ?? [];
  const clean = `${kind?.toLowerCase()}/${token}`;
  if (token === undefined || path === `/${clean}`) return undefined;
  return `${"../".repeat(path.split("/").length - 2)}${clean}`;
}

/** The path without slashes at its start, repeated slashes and percent signs. It may end in half a character. */
function readPath(path: string): string {
  return path
    .replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\/+/g, "/")
    .replace(/^\//, "");
}

function partsOf({ raw: { url = "" } }: FastifyRequest): { path: string; query: string } {
  const start = url.indexOf("?");
  return start === -1 ? { path: url, query: "" } : { path: url.slice(0, start), query: url.slice(start) };
}
