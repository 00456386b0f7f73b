/** A message to the page around the frame; `height` comes with `resize` alone. */
type FrameMessage = {
  readonly source: "daric";
  readonly version: 1;
  readonly type: "state" | "close" | "resize";
  readonly state: string;
  readonly orderRef: string | null;
  readonly height?: number;
};

const ESCAPE = /^Esc(?:ape)?$/;

/**
 * Sends the page around the frame the order's state at once and after each change, and the height of the content. It also
 * sends a press of Escape, which only the frame with the focus sees. Only the origin that the server wrote into the page
 * gets these, and no message is ever read.
 */
export function tellOpener(main: HTMLElement): void {
  const known = document.querySelector<HTMLMetaElement>("meta[name=embed]");
  if (known === null) return;
  const { content: origin, dataset } = known;
  const { body } = document;
  const tell = (type: FrameMessage["type"], more: { readonly height?: number } = {}) => {
    const state = main.dataset.state ?? "";
    const message: FrameMessage = {
      source: "daric",
      version: 1,
      type,
      state,
      orderRef: dataset.orderRef || null,
      ...more,
    };
    parent.postMessage(message, origin);
  };
  let told: string | undefined;
  const tellState = () => {
    if (main.dataset.state === told) return;
    told = main.dataset.state;
    tell("state");
  };
  tellState();
  new MutationObserver(tellState).observe(main, { attributeFilter: ["data-state"] });
  // As high as its content: a window's height would grow with the frame.
  body.style.minHeight = "0";
  new ResizeObserver(() =>
    tell("resize", { height: Math.ceil(body.getBoundingClientRect().height) }),
  ).observe(body);
  addEventListener("keydown", ({ key, defaultPrevented }) => {
    if (ESCAPE.test(key) && !defaultPrevented) tell("close");
  });
  keepHistory();
}

// The page of a payment link has no other script.
const link = document.querySelector<HTMLElement>("main.link");
if (link !== null) tellOpener(link);

/** Another language replaces the page, so that the back button leaves the frame at the first press. */
function keepHistory(): void {
  document.addEventListener("click", (event) => {
    const link =
      event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[hreflang]") : null;
    if (link === null || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    location.replace(link.href);
  });
}
