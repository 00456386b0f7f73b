import { announce } from "./announce.ts";

/** The regions of the page as the server last rendered them, by name. */
type Regions = Map<string, string>;

export type RegionView = {
  /** the `data-seen` of the server's last page */
  seen(): string;
  isFinal(): boolean;
  /** whether the server expects few changes */
  isSlow(): boolean;
  showConfirmations(count: number): void;
  /** Shows another page of this checkout. Returns false for any other document. */
  showPage(markup: string): boolean;
  showConnection(isLost: boolean): void;
};

/** A browser that can cross-fade between two states of the page. */
type FadingDocument = Document & { startViewTransition?: (change: () => void) => unknown };

const VIBRATION_MS = 200;

/**
 * The server's page, updated region by region. Only changed regions are replaced, so that focus, selection
 * and countdowns elsewhere stay. In a new state the page is drawn again at its old height, so that nothing
 * jumps under the payer's finger.
 */
export function openView(document: Document, main: HTMLElement, onShown: () => void): RegionView {
  let written = readRegions(document);
  let announced = announcementOf(document);
  const showTitle = () => {
    document.title = main.dataset.title ?? document.title;
  };
  showTitle();

  return {
    seen: () => main.dataset.seen ?? "",
    isFinal: () => main.dataset.pace === "final",
    isSlow: () => main.dataset.pace === "slow",
    showConfirmations(count) {
      for (const meter of document.querySelectorAll<HTMLProgressElement>("progress[data-confirmations]")) {
        meter.value = count;
        // There may be more confirmations than required: finality comes from the network, not from the count.
        const label = document.querySelector("output[data-confirmations]");
        if (label !== null) label.textContent = String(Math.min(count, meter.max));
      }
    },
    showPage(markup) {
      const next = new DOMParser().parseFromString(markup, "text/html");
      const nextMain = next.querySelector("main");
      if (nextMain === null || nextMain.dataset.projection !== main.dataset.projection) return false;
      const spoken = announcementOf(next);
      const isOther = spoken.key !== announced.key;
      const nextWritten = readRegions(next);
      // The form for the receipt may hold half an address.
      const isDrawn = (name: string) => isOther && name !== "receipt";
      const changed = [...nextWritten].filter(
        ([name, content]) => isDrawn(name) || written.get(name) !== content,
      );
      written = nextWritten;
      for (const name of nextMain.getAttributeNames()) {
        main.setAttribute(name, nextMain.getAttribute(name) ?? "");
      }
      showTitle();
      showIcon(document, next);
      announced = spoken;
      if (isOther) announce(document, spoken.text);
      if (isOther && /^(over)?paid$/.test(nextMain.dataset.state ?? "")) vibrate();
      fade(document, isOther, () => {
        if (isOther) main.style.minHeight = `${main.offsetHeight}px`;
        for (const [name] of changed) replaceRegion(document, next, name);
        onShown();
      });
      return true;
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

/** Replaces the element as a whole: a new element cannot cause a layout shift. */
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

function fade(document: FadingDocument, isOther: boolean, change: () => void): void {
  const isStill = document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!isOther || isStill || document.startViewTransition === undefined) change();
  else document.startViewTransition(change);
}

/** The new state in whole sentences for a screen reader, announced if it or the received sum changed. */
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

/** Signals the change to a payer who does not look at the phone. Browsers allow it only after a touch. */
function vibrate(): void {
  const { userActivation } = navigator as { userActivation?: { hasBeenActive: boolean } };
  if (userActivation?.hasBeenActive) navigator.vibrate?.(VIBRATION_MS);
}

/** Moves the notice to the top of the window if it would cover a control at the bottom. */
function moveAside(document: Document, notice: HTMLElement): void {
  notice.classList.remove("above");
  const { top, bottom } = notice.getBoundingClientRect();
  const covers = [...document.querySelectorAll("a, button, summary, input")].some((control) => {
    const box = control.getBoundingClientRect();
    return box.height > 0 && box.bottom > top && box.top < bottom;
  });
  notice.classList.toggle("above", covers);
}
