import { announce } from "./announce.ts";

/** The regions of the page as the server last wrote them, by name. */
type Regions = Map<string, string>;

export type RegionView = {
  /** the `data-seen` of the server's last page */
  seen(): string;
  isFinal(): boolean;
  /** whether the server expects little to change */
  isSlow(): boolean;
  showConfirmations(count: number): void;
  showPage(markup: string): void;
  showConnection(isLost: boolean): void;
};

/** A browser that can cross-fade from one drawing of the page to the next. */
type Fading = Document & { startViewTransition?: (change: () => void) => unknown };

const VIBRATION_MS = 200;

/**
 * The page as the server wrote it, kept up to date region by region. Only a region that the server wrote differently
 * is replaced, so that focus, a selection and a running countdown elsewhere stay as they are; where the state is another one, the page
 * is drawn anew at its old height, so that nothing jumps under the payer's finger.
 */
export function openView(document: Document, main: HTMLElement, onShown: () => void): RegionView {
  let written = readRegions(document);
  let announced = announcementOf(document);

  return {
    seen: () => main.dataset.seen ?? "",
    isFinal: () => main.dataset.pace === "final",
    isSlow: () => main.dataset.pace === "slow",
    showConfirmations(count) {
      for (const meter of document.querySelectorAll<HTMLProgressElement>("progress[data-confirmations]")) {
        meter.value = count;
        // More may come than are required: final is what the network says, not the count.
        const label = document.querySelector("output[data-confirmations]");
        if (label !== null) label.textContent = String(Math.min(count, meter.max));
      }
    },
    showPage(markup) {
      const next = new DOMParser().parseFromString(markup, "text/html");
      const nextMain = next.querySelector("main");
      if (nextMain === null) return;
      const spoken = announcementOf(next);
      const isOther = spoken.key !== announced.key;
      const nextWritten = readRegions(next);
      const changed = [...nextWritten].filter(([name, content]) => isOther || written.get(name) !== content);
      written = nextWritten;
      for (const name of nextMain.getAttributeNames()) {
        main.setAttribute(name, nextMain.getAttribute(name) ?? "");
      }
      document.title = next.title;
      showIcon(document, next);
      announced = spoken;
      if (isOther) announce(document, spoken.text);
      if (isOther && /^(over)?paid$/.test(nextMain.dataset.state ?? "")) vibrate();
      fade(document, isOther, () => {
        if (isOther) main.style.minHeight = `${main.offsetHeight}px`;
        for (const [name] of changed) replaceRegion(document, next, name);
        onShown();
      });
    },
    showConnection(isLost) {
      const notice = document.getElementById("connection");
      if (notice === null) return;
      notice.hidden = !isLost;
      if (isLost) moveAside(document, notice);
    },
  };
}

function readRegions(document: Document): Regions {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")];
  return new Map(regions.map((region) => [region.dataset.region ?? "", region.innerHTML]));
}

/** A new element in place of the old one: what was not there before cannot have moved. */
function replaceRegion(document: Document, next: Document, name: string): void {
  const region = document.querySelector(`[data-region="${name}"]`);
  const nextRegion = next.querySelector(`[data-region="${name}"]`);
  if (region === null || nextRegion === null) return;
  const focusedId = region.contains(document.activeElement) ? document.activeElement?.id : undefined;
  for (const { id } of region.querySelectorAll("details[open][id]")) {
    nextRegion.querySelector(`details[id="${id}"]`)?.setAttribute("open", "");
  }
  region.replaceWith(nextRegion);
  if (focusedId) document.getElementById(focusedId)?.focus({ preventScroll: true });
}

function fade(document: Fading, isOther: boolean, change: () => void): void {
  const isStill = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!isOther || isStill || document.startViewTransition === undefined) change();
  else document.startViewTransition(change);
}

/** The new state in whole sentences, for a screen reader; told when it, or what has arrived, is another than before. */
function announcementOf(document: Document): { key: string; text: string } {
  const element = document.querySelector<HTMLElement>("[data-announce]");
  const { announce: text = "", announceKey = "" } = element?.dataset ?? {};
  return { key: `${announceKey} ${text}`, text };
}

function showIcon(document: Document, next: Document): void {
  const selector = 'link[rel="icon"]';
  const [icon, nextIcon] = [document.querySelector(selector), next.querySelector(selector)];
  const href = nextIcon?.getAttribute("href");
  if (href && icon?.getAttribute("href") !== href) icon?.setAttribute("href", href);
}

/** For a phone on the table; browsers allow it only on a page that was touched. */
function vibrate(): void {
  const { userActivation } = navigator as { userActivation?: { hasBeenActive: boolean } };
  if (userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
}

/** Puts the notice to the upper end of the window where at the lower one it would cover something to press. */
function moveAside(document: Document, notice: HTMLElement): void {
  notice.classList.remove("above");
  const { top, bottom } = notice.getBoundingClientRect();
  const covers = [...document.querySelectorAll("a, button, summary, input")].some((control) => {
    const box = control.getBoundingClientRect();
    return box.height > 0 && box.bottom > top && box.top < bottom;
  });
  notice.classList.toggle("above", covers);
}
