import type { Database } from "@daric/postgres/sql";
import { ApiError, type ApiErrorCode } from "../domain/errors.ts";
import { idOf, type MerchantId } from "../domain/ids.ts";
import { formatRate } from "../domain/money.ts";
import { API_ANSWER_MS, createBatches } from "../runtime/batch.ts";
import type { NewCharge } from "./charge.ts";
import type { ChargeDraft } from "./charge-draft-store.ts";
import { countRoom, type DraftRefusal, type InsertedCharge, insertCharges } from "./store.ts";
import { createTermsCache, type TermsCache } from "./terms-cache.ts";
import type { ChargingTerms } from "./terms-store.ts";

/** Terms are changed by hand: whoever finds them changed again and again waits for the hand to rest. */
const MAX_TRIES = 10;
const RETRY_AFTER_SECONDS = 1;

const CODES = {
  SETTLEMENT_ACCOUNT_NOT_FOUND: "SETTLEMENT_ACCOUNT_NOT_FOUND",
  SETTLEMENT_ACCOUNT_DISABLED: "SETTLEMENT_ACCOUNT_DISABLED",
  RATE_STALE: "RATE_UNAVAILABLE",
  NO_ROOM: "MAX_ACTIVE_ADDRESSES",
} as const satisfies Partial<Record<DraftRefusal, ApiErrorCode>>;

/** What the creates of a process share. */
export type ChargeMemory = { readonly terms: TermsCache; readonly writeCharge: ChargeWriter };

/** Made once for a process. A create is answered within `answerMs`, whatever the database does. */
export function createChargeMemory(db: Database, answerMs = API_ANSWER_MS): ChargeMemory {
  return { terms: createTermsCache(db), writeCharge: createChargeWriter(db, answerMs) };
}

/** What writes a charge: what is shared, and when the caller began to wait, by `performance.now`; where not given, now. */
export type WritingContext = ChargeMemory & { readonly requestedAt?: number };

/**
 * Writes the charge that `draftUnder` makes of the merchant's terms, those in force: where they have changed since they
 * were read, it is made again of the new ones, and once more where its rate has grown too old to be locked. Undefined where it is a receive address that is there already.
 *
 * @throws SETTLEMENT_ACCOUNT_NOT_FOUND, SETTLEMENT_ACCOUNT_DISABLED, MAX_ACTIVE_ADDRESSES, RATE_UNAVAILABLE or what
 * `draftUnder` does, and then nothing is written;
 * SERVICE_UNAVAILABLE when the terms keep changing or there is no time left to write it, and then nothing is written.
 */
export async function writeUnderTerms(
  context: WritingContext,
  merchantId: MerchantId,
  draftUnder: (terms: ChargingTerms) => ChargeDraft | Promise<ChargeDraft>,
): Promise<NewCharge | undefined> {
  const { requestedAt = performance.now() } = context;
  let terms = await context.terms.of(merchantId);
  let wasStale = false;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const draft = await draftUnder(terms);
    const inserted = await context.writeCharge(draft, requestedAt);
    if (inserted.refusal === null) return chargeOf(draft, terms, inserted);
    if (inserted.refusal === "THERE_ALREADY") return undefined;
    if (inserted.refusal === "TERMS_CHANGED") terms = await context.terms.instead(merchantId, terms);
    else if (inserted.refusal === "RATE_STALE" && !wasStale) wasStale = true;
    else throw refusalOf(CODES[inserted.refusal]);
  }
  throw new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}

/** Only what is refused for a while says when to come back. */
function refusalOf(code: ApiErrorCode): ApiError {
  return new ApiError(code, code === "RATE_UNAVAILABLE" ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {});
}

function chargeOf(
  draft: ChargeDraft,
  terms: ChargingTerms,
  { id, status, expiresAt, quoteExpiresAt }: Extract<InsertedCharge, { refusal: null }>,
): NewCharge {
  const { price, lock, issued } = draft;
  return {
    id,
    address: issued.address,
    chain: "tron",
    status,
    expiresAt,
    feeMode: draft.kind === "receive" ? "merchant" : terms.feeMode,
    expectedAmount: price?.expected ?? null,
    payAmount: price?.pay ?? null,
    fiatCurrency: lock && "USD",
    quote: lock &&
      quoteExpiresAt && { rate: formatRate(lock.rateE4), source: lock.source, expiresAt: quoteExpiresAt },
    ...draft,
  };
}

/** Says what became of a draft once that is certain. Whoever asked for it began to wait at `askedAt`. */
type ChargeWriter = (draft: ChargeDraft, requestedAt: number) => Promise<InsertedCharge>;

/**
 * Writes drafts as charges: those of one merchant that come at the same time in one statement. A merchant whose creates
 * are held up, as by its cap, holds up no other.
 */
function createChargeWriter(db: Database, answerMs: number): ChargeWriter {
  const write = createBatches<ChargeDraft, InsertedCharge>({
    run: (merchantId, drafts, ms) => {
      const answerBy = performance.now() + ms;
      const quick = () => db.answeringWithin(Math.max(1, answerBy - performance.now())).ofTenant(merchantId);
      return writeCharges(quick, idOf("merchant", merchantId), drafts);
    },
    // A second one would wait for the first all the same, on the row that keeps the cap.
    atOnce: 1,
    answerMs,
    refusal: () => new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  });
  return (draft, requestedAt) => write(draft.merchantId, draft, requestedAt);
}

/** `hurried` is the database for the time that is left. */
async function writeCharges(
  quick: () => Database,
  merchantId: MerchantId,
  drafts: readonly ChargeDraft[],
): Promise<readonly InsertedCharge[]> {
  const tried = await insertCharges(quick(), merchantId, drafts);
  const crowded = drafts.filter((_, index) => tried[index]?.refusal === "NO_ROOM");
  if (crowded.length === 0) return tried;
  // Then nothing is written yet, and what follows is one transaction.
  const counted = (await writeCounted(quick(), merchantId, crowded)).values();
  return tried.map((outcome) => (outcome.refusal === "NO_ROOM" ? next(counted) : outcome));
}

/** Counts what there is room for and writes so many, first come first served; the others are refused for good. */
async function writeCounted(
  db: Database,
  merchantId: MerchantId,
  drafts: readonly ChargeDraft[],
): Promise<readonly InsertedCharge[]> {
  return db.transaction(async (tx) => {
    const room = await countRoom(tx, merchantId);
    const counting = drafts.filter(({ kind }) => kind !== "receive");
    const refused = new Set(counting.slice(room));
    const fitting = drafts.filter((draft) => !refused.has(draft));
    const inserted = (fitting.length === 0 ? [] : await insertCharges(tx, merchantId, fitting)).values();
    return drafts.map((draft) => (refused.has(draft) ? { refusal: "NO_ROOM" } : next(inserted)));
  });
}

/** Outcomes are told in the order of their drafts. */
function next(outcomes: Iterator<InsertedCharge>): InsertedCharge {
  const { value } = outcomes.next();
  if (value === undefined) throw new Error("a draft without an outcome");
  return value;
}
