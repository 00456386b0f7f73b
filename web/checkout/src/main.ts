import { ageMs, arrivalOfDocument, createClock } from "./clock.ts";
import { enableCopyButtons } from "./copy.ts";
import { runCountdowns } from "./countdown.ts";
import { followStatus } from "./live-status.ts";
import { answerLookups, lookUp } from "./lookup.ts";
import { runRedirect } from "./redirect.ts";
import { enableRequote } from "./requote.ts";
import { watchReturns } from "./returns.ts";
import { openSocketAt } from "./socket.ts";
import { textsOf } from "./texts.ts";
import { openView } from "./view.ts";
import type * as WalletFile from "./wallet.ts";

const main = document.querySelector<HTMLElement>("main[data-projection]");
if (main !== null) runCheckout(main, main.dataset.projection ?? "");

function runCheckout(main: HTMLElement, projectionUrl: string): void {
  const texts = textsOf(main);
  const clock = createClock();
  const returns = watchReturns(document);
  let arrival = arrivalOfDocument();
  const setClock = () => clock.set(Number(main.dataset.now) + arrival.ageMs, arrival.arrivedMs);
  // Opened before any change: later pages are compared with the server's original.
  const view = openView(document, main, () => {
    setClock();
    showCountdowns();
    showWallet();
    showLeaving();
    showLocalTimes(main);
  });
  setClock();
  const fetchPage = async (signal?: AbortSignal) => {
    const askedMs = performance.now();
    const answer = await load(location.href, { signal: signal ?? null });
    const arrivedMs = performance.now();
    arrival = { arrivedMs, ageMs: ageMs(arrivedMs - askedMs, answer.headers.get("age")) };
    return answer;
  };
  enableCopyButtons(document, texts);
  enablePrinting();
  answerLookups(document);
  runPanel(document);
  dropBrokenLogo();
  const showCountdowns = runCountdowns(main, texts, clock);
  const showWallet = loadWallet(({ offerWallet }) =>
    offerWallet(document, texts, { clock, lookUp, seen: view.seen }),
  );
  const showLeaving = runRedirect(main, (url) => location.replace(url));
  showLocalTimes(main);
  enableRequote(document, {
    requote: () => load(`${projectionUrl}/requote`, { method: "POST" }),
    refresh: async () => {
      const answer = await fetchPage();
      if (!answer.ok || !view.showPage(await answer.text())) returns.markReturn();
    },
    pause: returns.pause,
  });
  void followStatus({
    ...view,
    takeReturn: returns.take,
    etag: `"${main.dataset.version ?? ""}"`,
    fetchProjection: (signal, etag) => load(projectionUrl, { signal, headers: { "if-none-match": etag } }),
    fetchPage,
    openSocket: openSocketAt(() => `${projectionUrl}/live?version=${main.dataset.version ?? ""}`),
    isQuiet: () => document.hidden || view.isSlow(),
    pause: returns.pause,
    random: Math.random,
  });
  if (parent !== window) void import("./frame.ts").then(({ tellOpener }) => tellOpener(main));
  // The style sheet shows what needs the scripts, now that they have run.
  document.documentElement.dataset.script = "runs";
}

const WALLET_APPEARS = "tronLink#initialized";

/** Loads the code of the wallet's button in the few browsers that have a wallet. Returns a function for each new page. */
function loadWallet(start: (wallet: typeof WalletFile) => () => void): () => void {
  let loading: Promise<() => void> | undefined;
  const show = () => {
    if (!("tron" in window || "tronLink" in window)) return;
    loading ??= import("./wallet.ts").then(start);
    loading.then(
      (showButton) => showButton(),
      () => {
        loading = undefined;
      },
    );
  };
  addEventListener(WALLET_APPEARS, show);
  show();
  return show;
}

function load(url: string, options: RequestInit = {}): Promise<Response> {
  return fetch(url, { cache: "no-store", credentials: "omit", ...options });
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

/**
 * Shows times in the device's zone, in the page's language and Latin digits; the server, which does not know
 * the zone, wrote UTC.
 */
function showLocalTimes(root: HTMLElement): void {
  const locale = `${root.ownerDocument.documentElement.lang}-u-nu-latn`;
  for (const time of root.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString(locale, {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  }
}

/** Runs the test panel of a devnet: each button makes the chain pay, and the answer is shown. */
function runPanel(document: Document): void {
  const panel = document.querySelector<HTMLElement>("[data-simulate]");
  if (panel === null) return;
  const { simulate = "", sent = "", failed = "" } = panel.dataset;
  panel.hidden = false;
  panel.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-case]") : null;
    const place = panel.querySelector("[data-answer]");
    if (button === null || place === null) return;
    place.textContent = "…";
    const fault = await pay(simulate, button.dataset.case ?? "");
    place.textContent = fault === undefined ? sent : `${failed} ${fault}`;
  });
}

/** Undefined after a payment; else the server's message for developers. */
async function pay(url: string, name: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ case: name }),
      credentials: "omit",
    });
    return answer.ok ? undefined : ((await answer.json()) as { message?: string }).message;
  } catch {
    return "";
  }
}
