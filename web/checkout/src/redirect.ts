import { announce } from "./announce.ts";

const TICK_MS = 250;
/** A page that slept continues its pause: the payer is not redirected at the moment of return. */
const MAX_TICK_MS = 1_000;
const IS_FRAMED = parent !== window;
const CONTROLS = "a, button, summary, input";

/**
 * Follows the link back to the shop after its pause, and shows the remaining seconds. A payer who uses a
 * control meanwhile stays, and sees a text about it: by a click, by focus, or by a key. "Stay here" is a
 * control for this alone; moving the pointer does not count. A page in a frame always stays. Only the server's link is followed, and the
 * history keeps no way back. Returns the tick, for a new link.
 */
export function runRedirect(main: HTMLElement, goTo: (url: string) => void): () => void {
  let [href, leftMs, isStaying] = ["", 0, IS_FRAMED];
  let lastTick = performance.now();
  const tick = (passedMs = 0) => {
    const link = main.querySelector<HTMLAnchorElement>("[data-redirect-after]");
    if (link === null) return;
    // Another final state has a pause of its own.
    if (link.href !== href)
      [href, leftMs, isStaying] = [link.href, 1_000 * Number(link.dataset.redirectAfter), IS_FRAMED];
    else leftMs -= passedMs;
    const texts = link.nextElementSibling as HTMLElement;
    if (isStaying) return showStaying(texts);
    const seconds = texts.querySelector("[data-seconds]");
    if (seconds !== null) seconds.textContent = String(Math.max(0, Math.ceil(leftMs / 1_000)));
    if (leftMs > 0) return;
    clearInterval(timer);
    goTo(href);
  };
  const timer = setInterval(() => {
    const now = performance.now();
    tick(Math.min(now - lastTick, MAX_TICK_MS));
    lastTick = now;
  }, TICK_MS);
  const stay = ({ target }: Event) => {
    if (!(target instanceof Element) || target.closest(CONTROLS) === null) return;
    tick();
    isStaying = true;
    tick();
  };
  for (const use of ["click", "focusin", "input"]) main.addEventListener(use, stay);
  return tick;
}

/**
 * Replaces the seconds and the button, and moves its focus on, so that the keyboard does not jump to the top.
 */
function showStaying(texts: HTMLElement): void {
  const { stays = "" } = texts.dataset;
  if (texts.textContent === stays) return;
  const hadFocus = texts.contains(document.activeElement);
  texts.textContent = stays;
  if (hadFocus) texts.focus({ preventScroll: true });
  else announce(document, stays);
}
