import { enableCopyButtons } from "./copy.ts";
import { runCountdowns } from "./countdown.ts";
import { followStatus } from "./live-status.ts";
import { runRedirect } from "./redirect.ts";
import { openView } from "./view.ts";
import { offerWallet } from "./wallet.ts";
import { wordsOf } from "./words.ts";

const main = document.querySelector<HTMLElement>("main[data-projection]");
if (main !== null) runCheckout(main, main.dataset.projection ?? "");

function runCheckout(main: HTMLElement, projectionUrl: string): void {
  // Opened before anything moves: what the server wrote is what later pages are compared with.
  const view = openView(document, main, () => {
    showCountdowns();
    showWallet();
  });
  const words = wordsOf(main);
  enableCopyButtons(document, words);
  enablePrinting();
  dropBrokenLogo();
  const showCountdowns = runCountdowns(main, words);
  const showWallet = offerWallet(document, words);
  runRedirect(document, (url) => location.replace(url));
  void followStatus({
    ...view,
    fetchProjection: (signal) => get(projectionUrl, signal),
    fetchPage: (signal) => get(location.href, signal),
    isQuiet: () => document.hidden || view.isSlow(),
    pause,
  });
}

function get(url: string, signal: AbortSignal): Promise<Response> {
  return fetch(url, { cache: "no-store", credentials: "omit", signal });
}

/** Ends early when the payer comes back to the page, and when the network does. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", endWhenVisible);
      removeEventListener("online", end);
      resolve();
    };
    const endWhenVisible = () => {
      if (!document.hidden) end();
    };
    const timer = setTimeout(end, ms);
    document.addEventListener("visibilitychange", endWhenVisible);
    addEventListener("online", end);
  });
}

function enablePrinting(): void {
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-print]") !== null) print();
  });
}

/** A logo that does not load makes room for the monogram behind it. */
function dropBrokenLogo(): void {
  const logo = document.querySelector<HTMLImageElement>("img[data-logo]");
  logo?.addEventListener("error", () => logo.remove());
  if (logo?.complete && logo.naturalWidth === 0) logo.remove();
}
