import type { Branding } from "@daric/domain/checkout";
import { isMailConfigured, type MailContext } from "@daric/messages/announce";
import type { Database } from "@daric/postgres/sql";
import type { Clock } from "@daric/runtime/clock";
import type { PaymentLink, PaymentLinkRef } from "../payment-link.ts";
import { findLink, findLinkRef } from "../store.ts";
import { findShop } from "./shop-store.ts";

/** A page is at most this old. The order of a click reads the present state. */
const CACHED_MS = 1_000;
const MAX_CACHED = 2_000;

/** A link as its page shows it. */
export type PublicLink = {
  /** without the question for an address where there is no mail server */
  readonly link: PaymentLink;
  readonly merchant: Branding;
  /** the operator stopped new charges of the merchant */
  readonly isSuspended: boolean;
};

type Cached = { readonly found: Promise<PublicLink | undefined>; readonly readMs: number };

/** Reads links by token for all their visitors: however many look, a link costs one read a second. Undefined for an unknown token. */
export function createLinkFinder(
  context: MailContext & { readonly db: Database; readonly clock: Clock },
): (token: string) => Promise<PublicLink | undefined> {
  const { db, clock } = context;
  const hasMail = isMailConfigured(context);
  const shown = new Map<string, Cached>();
  const refs = new Map<string, PaymentLinkRef>();

  async function read(token: string): Promise<PublicLink | undefined> {
    const ref = refs.get(token) ?? (await findLinkRef(db, token));
    if (ref === undefined) return undefined;
    if (refs.size >= MAX_CACHED) refs.clear();
    refs.set(token, ref);
    const merchantsDb = db.forTenant(ref.merchantId);
    const [link, shop] = await Promise.all([
      findLink(merchantsDb, ref, { counted: false }),
      findShop(merchantsDb, ref.merchantId),
    ]);
    if (link === undefined || shop === undefined) return undefined;
    const ask = link.ask.filter((question) => question !== "email" || hasMail);
    return { link: { ...link, ask }, ...shop };
  }

  return (token) => {
    const nowMs = clock.monotonicMs();
    const known = shown.get(token);
    if (known !== undefined && nowMs - known.readMs < CACHED_MS) return known.found;
    const found = read(token);
    if (shown.size >= MAX_CACHED) shown.clear();
    shown.set(token, { found, readMs: nowMs });
    // A failed read is not shown to the next visitor.
    found.catch(() => shown.delete(token));
    return found;
  };
}
