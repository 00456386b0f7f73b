import type { Page } from "playwright-core";

const MAX_STOPS = 80;
/** A screen reader's name for the element with the focus. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  return (element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent ?? "").trim();
})()`;

/** The name of the control that has the focus. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate<string>(FOCUSED);
}

/** Presses Tab until the focus is on this control. */
export async function tabTo(page: Page, name: RegExp, key = "Tab"): Promise<void> {
  for (let stops = 0; stops < MAX_STOPS; stops += 1) {
    await page.keyboard.press(key);
    if (name.test(await focusedName(page))) return;
  }
  throw new Error(`${name} cannot be reached by Tab`);
}
