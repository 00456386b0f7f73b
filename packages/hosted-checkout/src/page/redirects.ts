import type { CheckoutState } from "@daric/domain/checkout";
import { isUrl } from "@daric/domain/url";

const PROTOCOLS = ["http:", "https:"];

type RedirectStatus = "paid" | "cancelled" | "expired";

/** The address to return to, and its host to show before. */
export type Redirect = { readonly status: RedirectStatus; readonly url: string; readonly host: string };

/** The charge's own addresses and their parameters. */
export type RedirectTargets = {
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly orderRef: string | null;
};

/**
 * The address to return to in a final state: paid and overpaid to successUrl as `paid`; expired, and
 * underpaid past the expiry, to cancelUrl as `expired`; a closed unpaid order to cancelUrl as `cancelled`.
 * Null while the order can still be paid, and without an address.
 */
export function finalRedirect(
  targets: RedirectTargets,
  facts: { readonly state: CheckoutState; readonly isExpired: boolean },
): Redirect | null {
  switch (facts.state) {
    case "paid":
    case "overpaid":
      return redirectTo(targets.successUrl, { status: "paid", orderRef: targets.orderRef });
    case "expired":
      return redirectTo(targets.cancelUrl, { status: "expired", orderRef: targets.orderRef });
    case "underpaid":
      return facts.isExpired
        ? redirectTo(targets.cancelUrl, { status: "expired", orderRef: targets.orderRef })
        : null;
    case "error":
      return cancelRedirect(targets);
    case "awaiting":
    case "confirming":
      return null;
  }
}

/** The address of the payer's cancel link. */
export function cancelRedirect(targets: RedirectTargets): Redirect | null {
  return redirectTo(targets.cancelUrl, { status: "cancelled", orderRef: targets.orderRef });
}

/**
 * The stored address with `ref` (if there is one) and `status`. Its own query is kept byte for byte, except
 * parameters of these names: the merchant must be able to trust ours. Null for anything but an http or https
 * address without credentials.
 */
function redirectTo(
  target: string | null,
  outcome: { status: RedirectStatus; orderRef: string | null },
): Redirect | null {
  if (target === null || !isUrl(target)) return null;
  const url = new URL(target);
  if (!PROTOCOLS.includes(url.protocol) || url.username !== "" || url.password !== "") return null;
  const ours = new URLSearchParams();
  if (outcome.orderRef !== null) ours.set("ref", outcome.orderRef);
  ours.set("status", outcome.status);
  for (const name of ours.keys()) if (url.searchParams.has(name)) url.searchParams.delete(name);
  url.search = url.search === "" ? `?${ours}` : `${url.search}&${ours}`;
  return { status: outcome.status, url: url.href, host: url.host };
}
