import type { MerchantId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { type ChargingTerms, readTerms } from "./terms-store.ts";

/** The last read terms of each merchant, so that a usual create reads none. */
export type TermsCache = {
  /** The last read terms. The insert compares their version with the current one. */
  of(merchantId: MerchantId): Promise<ChargingTerms>;
  /** Reads them again, unless another call has since `outdated` was read. */
  instead(merchantId: MerchantId, outdated: ChargingTerms): Promise<ChargingTerms>;
};

/** Beyond this many merchants the oldest are forgotten; about 2 MB. */
const MAX_CACHED = 10_000;

export function createTermsCache(db: Queryable): TermsCache {
  const cached = new Map<MerchantId, Promise<ChargingTerms>>();

  function read(merchantId: MerchantId): Promise<ChargingTerms> {
    const terms = readTerms(db, merchantId);
    cached.delete(merchantId);
    cached.set(merchantId, terms);
    terms.catch(() => {
      if (cached.get(merchantId) === terms) cached.delete(merchantId);
    });
    for (const oldest of cached.keys()) {
      if (cached.size <= MAX_CACHED) break;
      cached.delete(oldest);
    }
    return terms;
  }

  const of = (merchantId: MerchantId) => cached.get(merchantId) ?? read(merchantId);
  return {
    of,
    instead: async (merchantId, outdated) => {
      const known = await of(merchantId);
      return known === outdated ? read(merchantId) : known;
    },
  };
}
