import { type Html, type HtmlValue, html } from "../../runtime/html.ts";
import type { PageView } from "./view.ts";

/** Long enough to read that it worked, and to note the transaction. */
const PAUSE_AFTER_PAID_SECONDS = 15;
/** Long enough to read what to do now. */
const PAUSE_AFTER_END_SECONDS = 20;
const LIVE_REFRESH_SECONDS = 10;
const SLOW_REFRESH_SECONDS = 60;

/** The way out of the page: back to the shop by itself after the end, or by the payer's own will before it. */
export function exitPart(view: PageView): Html | null {
  const { final, cancel, record, messages } = view;
  if (final !== null) {
    const back = messages.exit.backTo({ shop: html`<bdi>${record.merchant.name}</bdi>` });
    const seconds = pauseSeconds(view);
    const leaving = messages.exit.leavingIn<HtmlValue>({
      host: final.host,
      seconds: html`<span data-seconds>${seconds}</span>`,
    });
    if (!view.leavesByItself)
      return html`<p class="exit"><a class="button" href="${final.url}"><span>${back}</span></a></p>`;
    return html`<div class="exit"><a class="button" data-redirect-after="${seconds}" href="${final.url}"><span>${back}</span></a><p class="going" data-stays="${messages.exit.stays}" tabindex="-1"><span>${leaving}</span><button class="text-button" type="button">${messages.exit.stay}</button></p></div>`;
  }
  if (cancel === null) return null;
  return html`<p class="exit"><a class="cancel" href="${cancel.url}">${messages.exit.cancel({ host: cancel.host })}</a></p>`;
}

/** What a payer who sees no seconds is told of them; undefined where the page goes nowhere by itself. */
export function leavingText(view: PageView): string | undefined {
  if (view.final === null || !view.leavesByItself) return undefined;
  const { host } = view.final;
  return view.messages.exit.leavingIn({ host, seconds: String(pauseSeconds(view)) }).join("");
}

/** What a browser without scripts does instead: looks again, or goes back to the shop. Nothing once all is said. */
export function withoutScripts(view: PageView): Html | null {
  // What a look-up found is read first.
  if (view.lookup !== undefined) return refresh(SLOW_REFRESH_SECONDS);
  if (view.final !== null && view.leavesByItself) {
    return html`<noscript><meta http-equiv="refresh" content="${pauseSeconds(view)};url=${view.final.url}"></noscript>`;
  }
  if (view.pace === "final") return null;
  const seconds = view.pace === "slow" ? SLOW_REFRESH_SECONDS : LIVE_REFRESH_SECONDS;
  return refresh(seconds);
}

function refresh(seconds: number): Html {
  return html`<noscript><meta http-equiv="refresh" content="${seconds}"></noscript>`;
}

function pauseSeconds({ final }: PageView): number {
  return final?.status === "paid" ? PAUSE_AFTER_PAID_SECONDS : PAUSE_AFTER_END_SECONDS;
}
