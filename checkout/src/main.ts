import { ageMs, arrivalOfDocument, createClock } from "./clock.ts";
import { enableCopyButtons } from "./copy.ts";
import { runCountdowns } from "./countdown.ts";
import { type Followed, type FollowedPage, followTransaction, keepFollowed } from "./follow-transaction.ts";
import { followStatus } from "./live-status.ts";
import { showLocalTimes } from "./local-times.ts";
import { answerLookups, lookUp } from "./lookup.ts";
import { runPanel } from "./panel.ts";
import { runRedirect } from "./redirect.ts";
import { enableRequote } from "./requote.ts";
import { watchReturns } from "./returns.ts";
import { openSocketAt } from "./socket.ts";
import { type PageTexts, textsOf } from "./texts.ts";
import { openView } from "./view.ts";
import { offerWallet } from "./wallet.ts";

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
  const showWallet = offerWallet(document, texts, walletParts({ clock, seen: view.seen }, texts));
  const showLeaving = runRedirect(main, (url) => location.replace(url));
  showLocalTimes(main);
  enableRequote(document, {
    requote: () => load(`${projectionUrl}/requote`, { method: "POST" }),
    refresh: async () => {
      const answer = await fetchPage();
      if (!answer.ok || !view.showPage(await answer.text())) returns.note();
    },
    pause: returns.pause,
  });
  void followStatus({
    ...view,
    takeReturn: returns.take,
    fetchProjection: (signal, etag) =>
      load(projectionUrl, { signal, headers: etag === undefined ? {} : { "if-none-match": etag } }),
    fetchPage,
    openSocket: openSocketAt(() => `${projectionUrl}/live?version=${main.dataset.version ?? ""}`),
    isQuiet: () => document.hidden || view.isSlow(),
    pause: returns.pause,
    random: Math.random,
  });
  // The style sheet shows what needs the scripts, now that they have run.
  document.documentElement.dataset.script = "runs";
}

/** What the wallet's button needs to follow a transaction, also after a reload of the tab. */
function walletParts(page: Pick<FollowedPage, "clock" | "seen">, texts: PageTexts) {
  const kept = keepFollowed(location.pathname);
  const parts = {
    ...page,
    lookUp,
    pause: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    offersPayment: () => document.querySelector("[data-wallet]") !== null,
  };
  return {
    pending: kept.read(),
    follow: async (followed: Followed, say: (text: string | undefined) => void) => {
      kept.write(followed);
      say(texts.walletSigned);
      const text = await followTransaction(followed, parts, texts);
      kept.write(undefined);
      return text;
    },
  };
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
