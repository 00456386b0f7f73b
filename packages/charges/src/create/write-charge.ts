import type { AddressSource, IssuingSource } from "@daric/addresses/address-source";
import { issueAddress } from "@daric/addresses/issue-address";
import { ApiError, type ApiErrorCode } from "@daric/domain/errors";
import { idOf, type MerchantId } from "@daric/domain/ids";
import { formatRate } from "@daric/domain/money";
import type { Database, Transaction } from "@daric/postgres/sql";
import { API_ANSWER_MS, createBatches } from "@daric/runtime/batch";
import type { ContextOf } from "@daric/runtime/context";
import type { ConfigOf } from "@daric/runtime/setting";
import type { NewCharge } from "../charge.ts";
import { newCheckoutToken } from "../checkout-token.ts";
import type { ChargeMetrics, chargeSettings, QuotingContext } from "../context.ts";
import type { AddressedDraft, ChargeDraft, DraftRefusal, InsertedCharge } from "./charge-draft-store.ts";
import { countRoom, insertCharges } from "./store.ts";
import { createTermsCache, type TermsCache } from "./terms-cache.ts";

const RETRY_AFTER_SECONDS = 1;

/** The shared state of all creates of a process. */
export type ChargeMemory = { readonly terms: TermsCache; readonly insertDraft: InsertDraft };

/** Call it once per process. A create is answered within `answerMs`, whatever the database does. */
export function createChargeMemory(db: Database, answerMs = API_ANSWER_MS): ChargeMemory {
  return { terms: createTermsCache(db), insertDraft: createInsertDraft(db, answerMs) };
}

/**
 * The context of a write: addresses, the shared state, and when the caller began to wait, by
 * `performance.now`.
 */
export type WritingContext = ChargeMemory & {
  readonly checkoutKey: Buffer;
  readonly addresses: IssuingSource;
  /** default: now */
  readonly requestedAt?: number;
};

/** The context that issues addresses, whose source is shared by the process. */
export type IssuingContext = ContextOf<
  { readonly charges: ConfigOf<typeof chargeSettings, "api"> },
  ChargeMetrics
> &
  QuotingContext &
  Omit<WritingContext, "requestedAt"> & { readonly addresses: AddressSource };

/** A written charge, or the reason why there is none. */
export type WrittenCharge =
  | { readonly refusal: null; readonly charge: NewCharge }
  | { readonly refusal: DraftRefusal };

/**
 * Gives a draft an address that was never issued, a checkout token and the MAC that binds the two, and
 * inserts it. A refused draft uses no address.
 *
 * @throws SERVICE_UNAVAILABLE if no address is ready in time, or the time to answer is over; nothing is written
 * then.
 */
export async function writeCharge(context: WritingContext, draft: ChargeDraft): Promise<WrittenCharge> {
  const { addresses, checkoutKey, requestedAt = performance.now() } = context;
  const { merchantId, price, lock } = draft;
  return issueAddress(addresses, merchantId, async (issued) => {
    const checkoutToken = newCheckoutToken(checkoutKey);
    const { address, index } = issued;
    const addressMac = addresses.macOf({ merchantId, checkoutToken, address, index });
    const inserted = await context.insertDraft({ ...draft, issued, checkoutToken, addressMac }, requestedAt);
    if (inserted.refusal !== null) {
      addresses.giveBack(issued);
      return inserted;
    }
    const { id, status, expiresAt, quoteExpiresAt } = inserted;
    const quote = lock &&
      quoteExpiresAt && { rate: formatRate(lock.rateE10), source: lock.source, expiresAt: quoteExpiresAt };
    const charge: NewCharge = {
      id,
      address,
      checkoutToken,
      chain: "tron",
      status,
      expiresAt,
      expectedAmount: price?.expected ?? null,
      payAmount: price?.pay ?? null,
      quote,
      ...draft,
    };
    return { refusal: null, charge };
  });
}

const REFUSAL_CODES: Partial<Record<DraftRefusal, ApiErrorCode>> = {
  SETTLEMENT_ACCOUNT_NOT_FOUND: "SETTLEMENT_ACCOUNT_NOT_FOUND",
  SETTLEMENT_ACCOUNT_DISABLED: "SETTLEMENT_ACCOUNT_DISABLED",
  RATE_STALE: "RATE_UNAVAILABLE",
  NO_ROOM: "MAX_ACTIVE_ADDRESSES",
  LINK_CLOSED: "LINK_CLOSED",
  LINK_SOLD_OUT: "LINK_SOLD_OUT",
};

/** The error of a final refusal. Only a temporary one has a Retry-After. */
export function refusalError(refusal: DraftRefusal): Error {
  const code = REFUSAL_CODES[refusal];
  if (code === undefined) return new Error(`a draft was refused for good: ${refusal}`);
  return new ApiError(code, code === "RATE_UNAVAILABLE" ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {});
}

/**
 * Resolves once the result of the draft is certain. `requestedAt`: when its caller began to wait, by
 * `performance.now`.
 *
 * @throws SERVICE_UNAVAILABLE when no time is left to write it; nothing is written then.
 */
type InsertDraft = (draft: AddressedDraft, requestedAt: number) => Promise<InsertedCharge>;

/**
 * Inserts drafts as charges: simultaneous ones of one merchant in one statement. A blocked merchant, for
 * example at its cap, delays no other.
 */
function createInsertDraft(db: Database, answerMs: number): InsertDraft {
  const insert = createBatches<AddressedDraft, InsertedCharge>({
    run: (merchantId, drafts, ms) => {
      const answerBy = performance.now() + ms;
      const quick = () => db.answeringWithin(Math.max(1, answerBy - performance.now())).forTenant(merchantId);
      return insertBatch(quick, idOf("merchant", merchantId), drafts);
    },
    // A second batch would only wait for the row lock of the first.
    atOnce: 1,
    answerMs,
    refusal: () => new ApiError("SERVICE_UNAVAILABLE", { retryAfterSeconds: RETRY_AFTER_SECONDS }),
  });
  return (draft, requestedAt) => insert(draft.merchantId, draft, requestedAt);
}

/** `quick` is the database with the remaining time limit. */
async function insertBatch(
  quick: () => Database,
  merchantId: MerchantId,
  drafts: readonly AddressedDraft[],
): Promise<readonly InsertedCharge[]> {
  const tried = await insertCharges(quick(), merchantId, drafts);
  const crowded = drafts.filter((_, index) => tried[index]?.refusal === "NO_ROOM");
  if (crowded.length === 0) return tried;
  // Nothing is written yet, and the rest is one transaction.
  const counted = (await insertCounted(quick(), merchantId, crowded)).values();
  return tried.map((outcome) => (outcome.refusal === "NO_ROOM" ? next(counted) : outcome));
}

/** Counts the room under the cap and inserts as many drafts, in order. The others are refused for good. */
async function insertCounted(
  db: Database,
  merchantId: MerchantId,
  drafts: readonly AddressedDraft[],
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

/**
 * Inserts drafts that do not count against the cap in the caller's transaction. Before the merchant's first charge there is no row to lock,
 * and the insert refuses all: then it is made.
 */
export async function insertUncounted(
  tx: Transaction,
  merchantId: MerchantId,
  drafts: readonly AddressedDraft[],
): Promise<readonly InsertedCharge[]> {
  if (drafts.length === 0) return [];
  const tried = await insertCharges(tx, merchantId, drafts);
  if (!tried.some(({ refusal }) => refusal === "NO_ROOM")) return tried;
  await countRoom(tx, merchantId);
  return insertCharges(tx, merchantId, drafts);
}

/** Rolls the transaction back that {@link insertAlone} runs in. */
class RefusedDraft extends Error {
  readonly refusal: DraftRefusal;

  constructor(refusal: DraftRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** Runs a transaction that ends with {@link insertAlone}. A refusal undoes it, and is the result. */
export async function insertInTransaction(
  db: Database,
  work: (tx: Transaction) => Promise<InsertedCharge>,
): Promise<InsertedCharge> {
  return db.transaction(work).catch((error: unknown) => {
    if (error instanceof RefusedDraft) return { refusal: error.refusal };
    throw error;
  });
}

/** Inserts one draft, after counting the merchant's room under its cap. A refusal undoes the caller's whole transaction. */
export async function insertAlone(
  tx: Transaction,
  draft: AddressedDraft,
): Promise<Extract<InsertedCharge, { refusal: null }>> {
  if ((await countRoom(tx, draft.merchantId)) === 0) throw new RefusedDraft("NO_ROOM");
  const [inserted] = await insertCharges(tx, draft.merchantId, [draft]);
  if (inserted === undefined) throw new Error("a draft without an outcome");
  if (inserted.refusal !== null) throw new RefusedDraft(inserted.refusal);
  return inserted;
}

/** Results come in the order of their drafts. */
function next(outcomes: Iterator<InsertedCharge>): InsertedCharge {
  const { value } = outcomes.next();
  if (value === undefined) throw new Error("a draft without an outcome");
  return value;
}
