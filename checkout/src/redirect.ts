import { announce } from "./announce.ts";

const TICK_MS = 250;
/** A page that slept goes on where it was: the payer is not taken away in the moment of coming back. */
const LONGEST_TICK_MS = 1_000;
const CONTROLS = "a, button, summary, input";

/**
 * Follows the link back to the shop once its pause is over, and shows the seconds until then. A payer who uses a control of
 * the page meanwhile stays, and is told so: a click on one, the focus that comes to one, a letter typed. "Stay here" is a
 * control for that alone. A pointer that rests on the page uses nothing. The link is the one that the server wrote; no other
 * address is ever gone to, and history keeps no way back into it. Answers the look, for a link that was just put in.
 */
export function runRedirect(main: HTMLElement, goTo: (url: string) => void): () => void {
  let [href, leftMs, isStaying] = ["", 0, false];
  let lastTick = performance.now();
  const tick = (passedMs = 0) => {
    const link = main.querySelector<HTMLAnchorElement>("[data-redirect-after]");
    if (link === null) return;
    // Another end of the order has a pause of its own.
    if (link.href !== href)
      [href, leftMs, isStaying] = [link.href, 1_000 * Number(link.dataset.redirectAfter), false];
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
    tick(Math.min(now - lastTick, LONGEST_TICK_MS));
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

/** In place of the seconds and the button, which gives its focus on, so that the keyboard is not sent to the top of the page. */
function showStaying(texts: HTMLElement): void {
  const { stays = "" } = texts.dataset;
  if (texts.textContent === stays) return;
  const hadFocus = texts.contains(document.activeElement);
  texts.textContent = stays;
  if (hadFocus) texts.focus({ preventScroll: true });
  else announce(document, stays);
}
