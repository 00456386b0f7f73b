import { enableCopyButtons } from "./copy.ts";
import { runCountdowns } from "./countdown.ts";
import { followStatus } from "./live-status.ts";
import { showLocalTimes } from "./local-times.ts";
import { answerLookups } from "./lookup.ts";
import { runPanel } from "./panel.ts";
import { runRedirect } from "./redirect.ts";
import { enableRequote } from "./requote.ts";
import { openSocketAt } from "./socket.ts";
import { textsOf } from "./texts.ts";
import { openView } from "./view.ts";
import { offerWallet } from "./wallet.ts";

const main = document.querySelector<HTMLElement>("main[data-projection]");
if (main !== null) runCheckout(main, main.dataset.projection ?? "");

function runCheckout(main: HTMLElement, projectionUrl: string): void {
  // Opened before any change: later pages are compared with the server's original.
  const view = openView(document, main, () => {
    showCountdowns();
    showWallet();
    showLeaving();
    showLocalTimes(main);
  });
  const texts = textsOf(main);
  enableCopyButtons(document, texts);
  enablePrinting();
  answerLookups(document);
  runPanel(document);
  dropBrokenLogo();
  const refresh = async () => {
    const answer = await load(location.href);
    if (answer.ok) view.showPage(await answer.text());
  };
  const showCountdowns = runCountdowns(main, texts);
  const showWallet = offerWallet(document, texts);
  const showLeaving = runRedirect(main, (url) => location.replace(url));
  showLocalTimes(main);
  enableRequote(document, {
    requote: () => load(`${projectionUrl}/requote`, { method: "POST" }),
    refresh,
    pause,
  });
  // After a return from a wallet the page reloads: it may have missed changes outside the projection.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && !view.isFinal()) refresh().catch(() => {});
  });
  void followStatus({
    ...view,
    fetchProjection: (signal, etag) =>
      load(projectionUrl, { signal, headers: etag === undefined ? {} : { "if-none-match": etag } }),
    fetchPage: (signal) => load(location.href, { signal }),
    openSocket: openSocketAt(() => `${projectionUrl}/live?version=${main.dataset.version ?? ""}`),
    isQuiet: () => document.hidden || view.isSlow(),
    pause,
    random: Math.random,
  });
}

function load(url: string, options: RequestInit = {}): Promise<Response> {
  return fetch(url, { cache: "no-store", credentials: "omit", ...options });
}

/** Ends early when the payer returns to the page, and when the network comes or goes. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", endWhenVisible);
      removeEventListener("online", end);
      removeEventListener("offline", end);
      resolve();
    };
    const endWhenVisible = () => {
      if (!document.hidden) end();
    };
    const timer = setTimeout(end, ms);
    document.addEventListener("visibilitychange", endWhenVisible);
    addEventListener("online", end);
    addEventListener("offline", end);
  });
}

function enablePrinting(): void {
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("[data-print]") !== null) print();
  });
}

/** A logo that does not load is replaced by the monogram. */
function dropBrokenLogo(): void {
  const logo = document.querySelector<HTMLImageElement>("img[data-logo]");
  logo?.addEventListener("error", () => logo.remove());
  if (logo?.complete && logo.naturalWidth === 0) logo.remove();
}
