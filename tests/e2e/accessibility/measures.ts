import type { Page } from "playwright-core";

/** The window of a desk of 1280 px at 400 %: WCAG 1.4.10 names this width. */
export const at400Percent = { width: 320, height: 256 };
/** The window of the same desk at 200 %. */
export const at200Percent = { width: 640, height: 512 };

/** The spacing that WCAG 1.4.12 demands room for. A policy of the page forbids no sheet that is made this way. */
const SPACED = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important } " +
    "p { margin-block-end: 2em !important }");
  document.adoptedStyleSheets = [sheet];
})()`;

/** Gives every text of the page the widest spacing that a reader may set. */
export async function spaceText(page: Page): Promise<void> {
  await page.evaluate(SPACED);
}

/** Texts that are cut at the edge of their box. The texts of rows may be: their page has the whole text. */
const CUT = `[...document.querySelectorAll("body *")].filter((element) => {
  const { overflowX, overflowY } = getComputedStyle(element);
  const { width } = element.getBoundingClientRect();
  return /hidden|clip/.test(overflowX + overflowY) && width > 1 && element.textContent.trim() !== "" &&
    element.checkVisibility({ visibilityProperty: true }) && !element.closest("svg, .row, .rows, thead") &&
    (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1);
}).map((element) => element.className + ": " + element.textContent.slice(0, 40))`;

/** Parts that are scrolled sideways to be read. */
const SIDEWAYS = `[document.documentElement, ...document.querySelectorAll("body *")].filter((element) =>
  (element === document.documentElement || /auto|scroll/.test(getComputedStyle(element).overflowX)) &&
  element.scrollWidth > element.clientWidth).map((element) => element.tagName + "." + element.className + " " + element.scrollWidth)`;

/** The losses of a reader of this window: texts that are cut, and parts that must be scrolled sideways. */
export async function lossesOf(page: Page): Promise<string[]> {
  const [cut, sideways] = [await page.evaluate<string[]>(CUT), await page.evaluate<string[]>(SIDEWAYS)];
  return [...cut.map((text) => `cut: ${text}`), ...sideways.map((part) => `sideways: ${part}`)];
}

/** A place where Tab stops. */
type Stop = {
  readonly name: string;
  /** no other part of the page lies over the whole of it */
  readonly isSeen: boolean;
  /** a line around it marks the focus */
  readonly isMarked: boolean;
};

/** The browser marks the parts of a date, and a page in a frame its own controls. A hidden button of a choice is marked by its label. */
const STOP = `(() => {
  const element = document.activeElement;
  if (element === null || element === document.body) return null;
  const { left, top, width, height } = element.getBoundingClientRect();
  const parts = [0.1, 0.5, 0.9];
  const isSeen = parts.some((x) => parts.some((y) => {
    const over = document.elementFromPoint(left + x * width, top + y * height);
    return over !== null && (element.contains(over) || over.contains(element) || element.labels?.[0]?.contains(over));
  }));
  const { outlineStyle, outlineWidth } = getComputedStyle(element.matches(".choices input") ? element.nextElementSibling : element);
  const isOwn = element.matches("iframe, input:is([type=date], [type=month], [type=datetime-local])");
  return {
    name: (element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent ?? "").replace(/\\s+/g, " ").trim(),
    isSeen: isSeen || element.matches("iframe"),
    isMarked: isOwn || (outlineStyle !== "none" && parseFloat(outlineWidth) >= 2),
  };
})()`;

const MAX_STOPS = 120;

/** Every stop of Tab, or of Shift+Tab from the end, until the focus leaves the page. */
export async function stopsOf(page: Page, key: "Tab" | "Shift+Tab" = "Tab"): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (let pressed = 0; pressed < MAX_STOPS; pressed += 1) {
    await page.keyboard.press(key);
    const stop = await page.evaluate<Stop | null>(STOP);
    if (stop !== null) stops.push(stop);
    else if (stops.length > 0) return stops;
  }
  return stops;
}

/**
 * Collects the texts that a screen reader says without a move of the focus: new ones of live regions that stood before, and alerts.
 * The tree has no region inside a button.
 */
const LISTEN = `window.heard = [];
  new MutationObserver((changes) => {
    const regions = changes.flatMap(({ target, addedNodes }) => [
      (target.nodeType === 1 ? target : target.parentElement)?.closest("[role=status], [aria-live=polite]"),
      ...[...addedNodes].map((node) => node.nodeType === 1 && (node.closest("[role=alert]") ?? node.querySelector("[role=alert]"))),
    ]);
    for (const region of new Set(regions))
      if (region?.isConnected && !region.closest("button") && region.textContent.trim() !== "") window.heard.push(region.textContent.trim());
  }).observe(document.body, { subtree: true, childList: true, characterData: true });`;

/** Begins to note the announcements of a page. */
export async function hearPage(page: Page): Promise<void> {
  await page.evaluate(LISTEN);
}

/** The announcements since {@link hearPage}. */
export function heard(page: Page): Promise<string[]> {
  return page.evaluate<string[]>("window.heard");
}
