import { type PageState, pageMessage } from "./messages.ts";
import { STYLE } from "./style.ts";
import { modalTexts } from "./texts.ts";

type Listeners = {
  readonly onState?: ((page: PageState) => void) | undefined;
  /** with the last state that the page told */
  readonly onClose?: ((page: PageState | undefined) => void) | undefined;
};
type Modal = Listeners & {
  /** the payment page, with the origin of the shop's page */
  readonly address: string;
  /** the payment page, for the whole window */
  readonly link: string;
  /** gets the focus back */
  readonly opener: Element | null;
};

/** Shows a payment page over the shop's page. Returns the function that ends it, which may be called again. */
export function showModal({ address, link, opener, onState, onClose }: Modal): () => void {
  const { host, dialog, close, frame } = draw(address, link);
  const { origin } = new URL(address);
  let last: PageState | undefined;
  const hear = (event: MessageEvent) => {
    const message = pageMessage(event, { origin, window: frame.contentWindow });
    if (message === undefined) return;
    const { type, state, orderRef, height } = message;
    if (type === "close") end();
    if (type === "resize") dialog.style.setProperty("--page", `${Number(height)}px`);
    if (type !== "state") return;
    last = { state, orderRef };
    onState?.(last);
  };
  const unlock = lockScroll();
  const end = () => {
    if (!host.isConnected) return;
    removeEventListener("message", hear);
    dialog.close();
    host.remove();
    unlock();
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    onClose?.(last);
  };
  addEventListener("message", hear);
  frame.addEventListener("load", () => frame.parentElement?.removeAttribute("aria-busy"));
  close.addEventListener("click", end);
  dialog.addEventListener("close", end);
  document.body.append(host);
  dialog.showModal();
  return end;
}

/** A shadow tree, which no style of the shop reaches. Its own style is no element, so the shop's policy of styles allows it. */
function draw(address: string, link: string) {
  const {
    language,
    direction,
    payment,
    close: closeText,
  } = modalTexts([document.documentElement.lang, ...navigator.languages]);
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  const dialog = document.createElement("dialog");
  dialog.lang = language;
  dialog.dir = direction;
  dialog.ariaLabel = payment;
  const bar = document.createElement("div");
  bar.className = "bar";
  const close = document.createElement("button");
  close.type = "button";
  close.textContent = closeText;
  bar.append(pageLink(link), close);
  const page = document.createElement("div");
  page.className = "page";
  page.ariaBusy = "true";
  const frame = document.createElement("iframe");
  frame.src = address;
  frame.title = payment;
  // The page's copy buttons.
  frame.allow = "clipboard-write";
  page.append(frame);
  dialog.append(bar, page);
  root.append(dialog);
  return { host, dialog, close, frame };
}

/** Says whose page this is, and leads there where a browser refuses the frame. */
function pageLink(link: string): HTMLAnchorElement {
  const anchor = document.createElement("a");
  anchor.href = link;
  anchor.target = "_top";
  anchor.textContent = `${new URL(link).host} ↗`;
  return anchor;
}

/** Holds the page behind still, with the room of its scroll bar. Returns the way back. */
function lockScroll(): () => void {
  const { style, clientWidth } = document.documentElement;
  const { overflow, scrollbarGutter } = style;
  if (innerWidth > clientWidth) style.scrollbarGutter = "stable";
  style.overflow = "hidden";
  return () => Object.assign(style, { overflow, scrollbarGutter });
}
