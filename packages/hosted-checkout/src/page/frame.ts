import { type Html, html } from "@daric/runtime/html";

/** The frame that shows the page. */
export type Frame = {
  /** the origin of the page around it, if the merchant listed it */
  readonly origin: string | undefined;
};

type FramedRequest = {
  readonly query: unknown;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/** The destinations of browsers for a page inside another one. */
const INSIDE = /^(?:i?frame|object|embed)$/;

/**
 * The frame of a request; undefined for a page with a window of its own. `?embed=` names the origin of the page around it.
 * Anyone can write that address, so an origin that the merchant did not list is ignored.
 */
export function frameOf({ query, headers }: FramedRequest, listed: readonly string[]): Frame | undefined {
  const { embed } = (query ?? {}) as { readonly embed?: unknown };
  const origin = listed.find((known) => known === embed);
  const isInside = INSIDE.test(String(headers["sec-fetch-dest"]));
  return origin === undefined && !isInside ? undefined : { origin };
}

/** The query of a page in this language, in the same frame. */
export function queryOf(tag: string, frame: Frame | undefined): string {
  const kept = frame?.origin === undefined ? "" : `&embed=${encodeURIComponent(frame.origin)}`;
  return `?lang=${tag}${kept}`;
}

/** The origin that the script in a frame sends the states to, with the order; nothing for a page with a window of its own. */
export function frameMeta({
  frame,
  orderRef,
}: {
  readonly frame?: Frame | undefined;
  /** null of a page without an order */
  readonly orderRef: string | null;
}): Html | null {
  if (frame?.origin === undefined) return null;
  return html`<meta name="embed" content="${frame.origin}" data-order-ref="${orderRef ?? ""}">`;
}
