/** The state of the order, as the payment page tells it. It is a hint for the eye: only the signed webhook proves a payment. */
export type PageState = { readonly state: string; readonly orderRef: string | null };

type PageMessage = PageState & { readonly type: string; readonly height?: number };

/** A message of the payment page; undefined for one of another window, another origin or another kind. */
export function pageMessage(
  { origin, source, data }: MessageEvent,
  page: { readonly origin: string; readonly window: Window | null },
): PageMessage | undefined {
  const isOfPage = origin === page.origin && source === page.window && source !== null;
  return isOfPage && data?.source === "daric" && data.version === 1 && hasForm(data) ? data : undefined;
}

function hasForm({ type, state, orderRef, height }: Record<string, unknown>): boolean {
  const isState = typeof type === "string" && typeof state === "string";
  return (
    isState &&
    (orderRef === null || typeof orderRef === "string") &&
    (height === undefined || typeof height === "number")
  );
}
