import { enableCopyButtons } from "./copy.ts";
import { runCountdowns } from "./countdown.ts";
import { followStatus } from "./live-status.ts";
import { runRedirect } from "./redirect.ts";
import { openView } from "./view.ts";
import { wordsOf } from "./words.ts";

const main = document.querySelector<HTMLElement>("main[data-projection]");
if (main !== null) runCheckout(main, main.dataset.projection ?? "");

function runCheckout(main: HTMLElement, projectionUrl: string): void {
  // Opened before anything moves: what the server wrote is what later pages are compared with.
  const view = openView(document, main);
  const words = wordsOf(main);
  enableCopyButtons(document, words);
  dropBrokenLogo();
  const showCountdowns = runCountdowns(main, words);
  runRedirect(document, (url) => location.replace(url));
  void followStatus({
    ...view,
    fetchProjection: (signal) => get(projectionUrl, signal),
    fetchPage: (signal) => get(location.href, signal),
    isQuiet: () => document.hidden || view.isSlow(),
    showPage(markup) {
      view.showPage(markup);
      showCountdowns();
    },
    pause,
  });
}

function get(url: string, signal: AbortSignal): Promise<Response> {
  return fetch(url, { cache: "no-store", credentials: "omit", signal });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", endWhenVisible);
      resolve();
    };
    const endWhenVisible = () => {
      if (!document.hidden) end();
    };
    const timer = setTimeout(end, ms);
    document.addEventListener("visibilitychange", endWhenVisible);
  });
}

/** A logo that does not load makes room for the monogram behind it. */
function dropBrokenLogo(): void {
  const logo = document.querySelector<HTMLImageElement>("img[data-logo]");
  logo?.addEventListener("error", () => logo.remove());
  if (logo?.complete && logo.naturalWidth === 0) logo.remove();
}
