import { type Html, html } from "@daric/runtime/html";
import { around } from "./elements.ts";
import type { PageView } from "./view.ts";

/** Time to read the success or what to do now, and to say that the page stays: WCAG 2.2.1 demands this many seconds. */
const PAUSE_SECONDS = 20;
const LIVE_REFRESH_SECONDS = 10;
const SLOW_REFRESH_SECONDS = 60;

/** The way back to the shop: automatically after the end, by a link before it. Out of a frame it leads the whole window. */
export function exitPart({ final, cancel, record, messages, redirectsAfterPause }: PageView): Html | null {
  if (final !== null) {
    const back = around(messages.exit.backTo, { shop: html`<bdi>${record.merchant.name}</bdi>` });
    const leaving = around(messages.exit.leavingIn, {
      host: final.host,
      seconds: html`<span data-seconds>${PAUSE_SECONDS}</span>`,
    });
    if (!redirectsAfterPause)
      return html`<p class="exit"><a class="button" target="_top" href="${final.url}"><span>${back}</span></a></p>`;
    return html`<div class="exit"><a class="button" target="_top" data-redirect-after="${PAUSE_SECONDS}" href="${final.url}"><span>${back}</span></a><p class="going" data-stays="${messages.exit.stays}" tabindex="-1"><span>${leaving}</span><button class="text-button" type="button">${messages.exit.stay}</button></p></div>`;
  }
  if (cancel === null) return null;
  return html`<p class="exit"><a class="cancel" target="_top" href="${cancel.url}">${messages.exit.cancel({ host: cancel.host })}</a></p>`;
}

/** The text for screen readers instead of the countdown; undefined if the page stays. */
export function redirectText(view: PageView): string | undefined {
  if (view.final === null || !view.redirectsAfterPause) return undefined;
  const { host } = view.final;
  return view.messages.exit.leavingIn({ host, seconds: PAUSE_SECONDS });
}

/**
 * The refresh for browsers without scripts: reloads the page, or returns to the shop. Nothing in a final
 * state.
 */
export function withoutScripts(view: PageView): Html | null {
  // The payer reads the look-up's result first.
  if (view.lookup !== undefined) return refresh(SLOW_REFRESH_SECONDS);
  if (view.final !== null && view.redirectsAfterPause) {
    return html`<noscript><meta http-equiv="refresh" content="${PAUSE_SECONDS};url=${view.final.url}"></noscript>`;
  }
  if (view.pace === "final") return null;
  const seconds = view.pace === "slow" ? SLOW_REFRESH_SECONDS : LIVE_REFRESH_SECONDS;
  return refresh(seconds);
}

function refresh(seconds: number): Html {
  return html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`;
}
