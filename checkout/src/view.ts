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

/**
 * The page as the server wrote it, kept up to date region by region. Only a region that the server wrote differently
 * is replaced, so that focus, a selection and a running countdown elsewhere stay as they are.
 */
export function openView(document: Document, main: HTMLElement): RegionView {
  let written = readRegions(document);
  let announced = announcementOf(document);

  return {
    seen: () => main.dataset.seen ?? "",
    isFinal: () => main.dataset.pace === "final",
    isSlow: () => main.dataset.pace === "slow",
    showConfirmations(count) {
      for (const meter of document.querySelectorAll<HTMLProgressElement>("progress[data-confirmations]")) {
        meter.value = count;
      }
      // More may come than are required: final is what the network says, not the count.
      for (const label of document.querySelectorAll("output[data-confirmations]")) {
        const { max } = document.querySelector<HTMLProgressElement>("progress[data-confirmations]") ?? {
          max: count,
        };
        label.textContent = String(Math.min(count, max));
      }
    },
    showPage(markup) {
      const next = new DOMParser().parseFromString(markup, "text/html");
      const nextMain = next.querySelector("main");
      if (nextMain === null) return;
      const nextWritten = readRegions(next);
      for (const [name, content] of nextWritten) {
        if (written.get(name) !== content) replaceRegion(document, next, name);
      }
      written = nextWritten;
      for (const name of nextMain.getAttributeNames()) {
        main.setAttribute(name, nextMain.getAttribute(name) ?? "");
      }
      document.title = next.title;
      if (announcementOf(document) === announced) return;
      announced = announcementOf(document);
      const announcement = document.getElementById("announcement");
      if (announcement) announcement.textContent = announced;
    },
    showConnection(isLost) {
      const notice = document.getElementById("connection");
      if (notice) notice.hidden = !isLost;
    },
  };
}

function readRegions(document: Document): Regions {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")];
  return new Map(regions.map((region) => [region.dataset.region ?? "", region.innerHTML]));
}

function replaceRegion(document: Document, next: Document, name: string): void {
  const region = document.querySelector(`[data-region="${name}"]`);
  const nextRegion = next.querySelector(`[data-region="${name}"]`);
  if (region === null || nextRegion === null) return;
  const focusedId = region.contains(document.activeElement) ? document.activeElement?.id : undefined;
  region.replaceChildren(...nextRegion.childNodes);
  if (focusedId) document.getElementById(focusedId)?.focus();
}

/** The new state in one sentence, for a screen reader; told only when it changes. */
function announcementOf(document: Document): string {
  return document.querySelector("[data-announce]")?.textContent ?? "";
}
