import type { ContextOf } from "@daric/runtime/context";
import { hasSeveralMerchants } from "./merchant-count-store.ts";
import { mailUrl } from "./page/contact.ts";
import type { Operator } from "./page/operator.ts";

/** A second merchant is rare. */
const COUNTED_MS = 60_000;

type Context = ContextOf<{
  readonly http: { readonly publicBaseUrl: string | undefined };
  readonly checkout: { readonly reportContact: string | undefined };
}>;

/** The operator for a page by its path. Undefined for a single merchant, and without a public base URL. */
export function createOperatorOf({ db, clock, config }: Pick<Context, "db" | "clock" | "config">) {
  const { publicBaseUrl } = config.http;
  const host = publicBaseUrl === undefined ? undefined : new URL(publicBaseUrl).hostname;
  let several: Promise<boolean> | undefined;
  let countedMs = 0;
  return async (path: string): Promise<Operator | undefined> => {
    if (host === undefined) return undefined;
    const nowMs = clock.monotonicMs();
    if (several === undefined || nowMs - countedMs >= COUNTED_MS) {
      several = hasSeveralMerchants(db);
      countedMs = nowMs;
      // A failed count is not kept.
      several.catch(() => {
        several = undefined;
      });
    }
    if (!(await several)) return undefined;
    const { reportContact = `abuse@${host}` } = config.checkout;
    return { host, contact: reportLink(reportContact, `${publicBaseUrl}/${path}`) };
  };
}

/** A message to the operator names the page. */
function reportLink(contact: string, page: string): string {
  if (contact.startsWith("https://")) return contact;
  return mailUrl(contact, page);
}
