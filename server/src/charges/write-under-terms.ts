import { ApiError, type ApiErrorCode } from "../domain/errors.ts";
import type { MerchantId } from "../domain/ids.ts";
import type { NewCharge } from "./charge.ts";
import type { IssuingContext } from "./context.ts";
import type { ChargeDraft, DraftRefusal } from "./store.ts";
import type { ChargingTerms } from "./terms-store.ts";

/** Terms are changed by hand: whoever finds them changed again and again waits for the hand to rest. */
const MAX_TRIES = 10;
const RETRY_AFTER_SECONDS = 1;

const CODES = {
  SETTLEMENT_ACCOUNT_NOT_FOUND: "SETTLEMENT_ACCOUNT_NOT_FOUND",
  SETTLEMENT_ACCOUNT_DISABLED: "SETTLEMENT_ACCOUNT_DISABLED",
  NO_ROOM: "MAX_ACTIVE_ADDRESSES",
} as const satisfies Partial<Record<DraftRefusal, ApiErrorCode>>;

/**
 * Writes the charge that `draftUnder` makes of the merchant's terms, those in force: where they have changed since they
 * were read, it is made again of the new ones. Undefined where it is a receive address that is there already.
 *
 * @throws SETTLEMENT_ACCOUNT_NOT_FOUND, SETTLEMENT_ACCOUNT_DISABLED or MAX_ACTIVE_ADDRESSES, and then nothing is written;
 * SERVICE_UNAVAILABLE when the terms keep changing.
 */
export async function writeUnderTerms(
  context: Pick<IssuingContext, "terms" | "writeCharge">,
  merchantId: MerchantId,
  draftUnder: (terms: ChargingTerms) => ChargeDraft,
): Promise<NewCharge | undefined> {
  let terms = await context.terms.of(merchantId);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const draft = draftUnder(terms);
    const inserted = await context.writeCharge(draft);
    if (inserted.refusal === null) return chargeOf(draft, terms, inserted);
    if (inserted.refusal === "THERE_ALREADY") return undefined;
    if (inserted.refusal !== "TERMS_CHANGED") throw new ApiError(CODES[inserted.refusal]);
    terms = await context.terms.instead(merchantId, terms);
  }
  throw new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

function chargeOf(
  draft: ChargeDraft,
  terms: ChargingTerms,
  { status, expiresAt }: Pick<NewCharge, "status" | "expiresAt">,
): NewCharge {
  const { price, issued } = draft;
  return {
    address: issued.address,
    chain: "tron",
    status,
    expiresAt,
    feeMode: draft.kind === "receive" ? "merchant" : terms.feeMode,
    expectedAmount: price?.expected ?? null,
    payAmount: price?.pay ?? null,
    fiatCurrency: null,
    fiatAmount: null,
    quote: null,
    ...draft,
  };
}
