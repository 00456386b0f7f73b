import type { Words } from "./words.ts";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TICK_MS = 250;

/** What is left, as a payer reads it: `6 d 3 h`, `1:02:09`, `9:05`, `0:00`. Seconds are whole and never negative. */
export function formatRemaining(seconds: number, { daysAndHours }: Words): string {
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

/**
 * Keeps every `[data-until]` element showing the time left until its moment. The time is the server's (`data-now` of
 * the page, by the clock that decides the expiry) plus what has passed here since, so a wrong clock in the payer's
 * device changes nothing; each page that is read sets it again. A chain that is ahead moves in steps of a block, so it
 * is only ever set forward: what is left never grows back. Answers the tick, for elements that were just put in.
 */
export function runCountdowns(root: HTMLElement, words: Words): () => void {
  let serverNow: string | undefined;
  let offsetMs = Number.NEGATIVE_INFINITY;
  const tick = () => {
    if (serverNow !== root.dataset.now) {
      serverNow = root.dataset.now;
      offsetMs = Math.max(offsetMs, Number(serverNow) - performance.now());
    }
    for (const element of root.querySelectorAll<HTMLElement>("[data-until]")) {
      const leftMs = Number(element.dataset.until) - (offsetMs + performance.now());
      const text = formatRemaining(leftMs / 1000, words);
      if (element.textContent !== text) element.textContent = text;
    }
  };
  tick();
  setInterval(tick, TICK_MS);
  return tick;
}
