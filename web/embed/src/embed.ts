import { keepBackButton } from "./back-button.ts";
import type { PageState } from "./messages.ts";
import { showModal } from "./modal.ts";
import { pageAddress } from "./page-address.ts";

type OpenOptions = {
  readonly checkoutUrl: string;
  /** the state at the start and after each change */
  readonly onState?: (page: PageState) => void;
  readonly onClose?: (page: PageState | undefined) => void;
};

const base = folderOf(document.currentScript);
let end: (() => void) | undefined;
const back = keepBackButton(() => end?.());

/**
 * The folder of this script, which names the service. An element of another kind may bear the name `currentScript` in a
 * page with foreign markup.
 */
function folderOf(script: unknown): URL {
  if (script instanceof HTMLScriptElement) return new URL("./", script.src);
  throw new Error("Daric: load embed.js by a script element with src, and not as a module");
}

function open({ checkoutUrl, onState, onClose }: OpenOptions, opener = document.activeElement): void {
  const address = pageAddress(checkoutUrl, base, location.origin);
  if (end !== undefined) throw new Error("Daric.open: a payment page is open already");
  const ended = (page: PageState | undefined) => {
    end = undefined;
    back.close();
    onClose?.(page);
  };
  end = showModal({ address, link: checkoutUrl, opener, onState, onClose: ended });
  back.open();
}

// A click that opens a tab or a window stays the browser's own.
document.addEventListener("click", (event) => {
  const { target, button, defaultPrevented } = event;
  const link = target instanceof Element && target.closest<HTMLAnchorElement>("a[data-daric]");
  const isPlain = button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
  if (!link || !isPlain || defaultPrevented) return;
  try {
    open({ checkoutUrl: link.href }, link);
    event.preventDefault();
  } catch (error) {
    reportError(error);
    // A link to another page leads there; one that would run something does nothing.
    if (!/^https?:$/.test(link.protocol)) event.preventDefault();
  }
});

Object.assign(window, { Daric: { open: (options: OpenOptions) => open(options) } });
