const TICK_MS = 250;

/**
 * Follows the link back to the shop once its pause is over, and shows the seconds until then; while the pointer or the focus is on
 * the page, somebody reads it, and the pause stands still. The link is the one the server wrote; no other address is ever
 * gone to. "Stay here" ends the countdown. History keeps no way back into it.
 */
export function runRedirect(document: Document, goTo: (url: string) => void): void {
  const passedMs = new WeakMap<Element, number>();
  let lastTick = performance.now();
  let isStaying = false;
  const timer = setInterval(() => {
    const sinceLast = performance.now() - lastTick;
    lastTick += sinceLast;
    const notice = document.querySelector<HTMLElement>("[data-redirect-after]");
    const link = notice?.querySelector<HTMLAnchorElement>("a[data-redirect]");
    if (!notice || !link || isStaying) return;
    const passed = (passedMs.get(notice) ?? 0) + (isRead(document) ? 0 : sinceLast);
    passedMs.set(notice, passed);
    const left = Number(notice.dataset.redirectAfter) - passed / 1000;
    const seconds = notice.querySelector("[data-seconds]");
    if (seconds) seconds.textContent = String(Math.max(0, Math.ceil(left)));
    if (left > 0) return;
    clearInterval(timer);
    goTo(link.href);
  }, TICK_MS);
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || event.target.closest("[data-stay]") === null) return;
    isStaying = true;
    for (const part of document.querySelectorAll<HTMLElement>("[data-stay], [data-pause]"))
      part.hidden = true;
  });
}

function isRead(document: Document): boolean {
  const { activeElement, body } = document;
  const hasFocus = activeElement !== null && activeElement !== body && document.hasFocus();
  return hasFocus || body.matches(":hover");
}
