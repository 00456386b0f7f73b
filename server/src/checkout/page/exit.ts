import { type Html, html } from "./html.ts";
import type { PageView } from "./view.ts";

/** Long enough to read that it worked. */
const PAUSE_AFTER_PAID_SECONDS = 6;
/** Long enough to read what to do now. */
const PAUSE_AFTER_END_SECONDS = 20;
const LIVE_REFRESH_SECONDS = 10;
const SLOW_REFRESH_SECONDS = 60;

/** The way out of the page: back to the shop by itself after the end, or by the payer's own will before it. */
export function exitPart(view: PageView): Html | null {
  const { final, cancel, record } = view;
  if (final !== null) {
    const seconds = pauseSeconds(view);
    return html`<div class="exit" data-redirect-after="${seconds}"><a class="button" data-redirect href="${final.url}"><span>Back to <bdi>${record.merchant.name}</bdi></span></a><p class="going"><span data-pause>Taking you to ${final.host} in <span data-seconds>${seconds}</span> s. </span><button class="text-button" type="button" data-stay>Stay here</button></p></div>`;
  }
  if (cancel === null) return null;
  return html`<p class="exit"><a class="cancel" href="${cancel.url}">Cancel and go back to ${cancel.host}</a></p>`;
}

/** What a browser without scripts does instead: looks again, or goes back to the shop. Nothing once all is said. */
export function withoutScripts(view: PageView): Html | null {
  if (view.final !== null) {
    return html`<noscript><meta http-equiv="refresh" content="${pauseSeconds(view)};url=${view.final.url}"></noscript>`;
  }
  if (view.pace === "final") return null;
  const seconds = view.pace === "slow" ? SLOW_REFRESH_SECONDS : LIVE_REFRESH_SECONDS;
  return html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`;
}

function pauseSeconds({ final }: PageView): number {
  return final?.status === "paid" ? PAUSE_AFTER_PAID_SECONDS : PAUSE_AFTER_END_SECONDS;
}
