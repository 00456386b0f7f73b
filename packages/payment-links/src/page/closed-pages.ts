import type { Assets, WebPage } from "@daric/hosted-checkout/page/response";
import type { PublicLink } from "./find-public-link.ts";
import { type LinkPageInput, linkPage } from "./link-page.ts";

/** Addresses with other queries are drawn each time. */
const MAX_KEPT = 50;

/**
 * Draws the page of a link. One that takes no click is the same for everybody: a flood of clicks draws it once for each read of the
 * link.
 */
export function createPages(
  assets: Assets,
): (shown: PublicLink, input: LinkPageInput, url: string) => WebPage {
  const closedPages = new WeakMap<PublicLink, Map<string, WebPage>>();
  return (shown, input, url) => {
    if (input.closed === undefined) return linkPage(input, assets);
    const kept = closedPages.get(shown) ?? new Map<string, WebPage>();
    closedPages.set(shown, kept);
    const key = `${input.closed} ${input.language.tag} ${url}`;
    const page = kept.get(key) ?? linkPage(input, assets);
    if (kept.size < MAX_KEPT) kept.set(key, page);
    return page;
  };
}
