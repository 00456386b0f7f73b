import { announce } from "./announce.ts";
import type { ServerClock } from "./clock.ts";
import type { PageTexts } from "./texts.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TICK_MS = 250;
/** From this share on the time left is prominent. */
const LAST_SHARE = 0.25;
const FIVE_MINUTES = 5 * MINUTE;

/**
 * The time left in the payer's format: `6 d 3 h`, `1:02:09`, `9:05`, `0:00`. Seconds are whole and never
 * negative.
 */
export function formatRemaining(seconds: number, { daysAndHours }: PageTexts): string {
  const left = Math.max(0, Math.floor(seconds));
  if (left >= DAY && daysAndHours !== undefined) {
    const days = Math.floor(left / DAY);
    const hours = Math.floor((left % DAY) / HOUR);
    return daysAndHours.replace("{days}", String(days)).replace("{hours}", String(hours));
  }
  const clock = [Math.floor(left / HOUR), Math.floor((left % HOUR) / MINUTE), left % MINUTE];
  const shown = clock[0] === 0 ? clock.slice(1) : clock;
  return shown.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** The announcement when the time left falls from `before` to `left` seconds. */
export function announcementOf(left: number, before: number, texts: PageTexts): string | undefined {
  if (left <= MINUTE && before > MINUTE) return texts.oneMinuteLeft;
  return left <= FIVE_MINUTES && before > FIVE_MINUTES ? texts.fiveMinutesLeft : undefined;
}

/**
 * Makes every `[data-until]` element show the time left by the server's clock. With `data-from` the last quarter is
 * highlighted, and its last minutes are announced. Returns the tick, for new elements.
 */
export function runCountdowns(
  root: HTMLElement,
  texts: PageTexts,
  clock: Pick<ServerClock, "now">,
): () => void {
  const announced = new WeakMap<Element, number>();
  const show = (element: HTMLElement, leftMs: number) => {
    const left = formatRemaining(leftMs / 1000, texts);
    const text = (element.dataset.phrase ?? "{left}").replace("{left}", left);
    if (element.textContent !== text) element.textContent = text;
    element.classList.add("runs");
    const from = Number(element.dataset.from);
    if (!from) return;
    element.classList.toggle("last", leftMs < LAST_SHARE * (Number(element.dataset.until) - from));
    const seconds = Math.floor(leftMs / 1000);
    announce(root.ownerDocument, announcementOf(seconds, announced.get(element) ?? seconds, texts));
    announced.set(element, seconds);
  };
  const tick = () => {
    for (const element of root.querySelectorAll<HTMLElement>("[data-until]")) {
      show(element, Number(element.dataset.until) - clock.now());
    }
  };
  tick();
  setInterval(tick, TICK_MS);
  return tick;
}
