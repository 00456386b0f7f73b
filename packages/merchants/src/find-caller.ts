import type { Caller } from "@daric/domain/caller";
import { currentFirst } from "@daric/runtime/seal";
import { hashApiKey, isHashOf, mayBeOurs, parseApiKey } from "./api-key.ts";
import { findLiveApiKey, type LiveApiKey, recordApiKeyUse } from "./api-key-store.ts";
import type { KeyContext } from "./context.ts";

type CallerContext = Pick<KeyContext, "config" | "db" | "clock" | "log" | "databaseOutage">;

/**
 * How long a database row is trusted. A revoked key is refused everywhere after this time; the documentation
 * promises 5 s.
 */
const MAX_AGE_MS = 4_000;
/** About 2 MB; beyond it the oldest entries are dropped. */
const MAX_CACHED = 10_000;

type Answer = {
  readonly key: Promise<LiveApiKey | undefined>;
  /** monotonic time */
  staleAtMs: number;
  /** this process has already recorded a use of this row */
  isUseRecorded: boolean;
};

/** Cached rows by look-up id, the oldest first. */
type Answers = Map<string, Answer>;

export type FindCaller = {
  (apiKey: string): Promise<Caller | "wrong_environment" | undefined>;
  /** Returns the caller of a key that was verified against a row still trusted. Runs no query. */
  recall(apiKey: string): Caller | undefined;
};

type Proven = { readonly answer: Answer; readonly caller: Caller };

/**
 * Creates the function that authenticates API keys. It returns undefined for a malformed, unknown, revoked or
 * expired key, and "wrong_environment" for one of the other environment.
 * Rows are cached for 4 s: a busy key costs a query every 4 s, and a revocation takes effect within 5 s. The secret
 * is compared at each call.
 * A key whose check fails costs no query. Any other refusal costs one hash and one query, so it does not reveal
 * whether the id exists.
 * @throws DatabaseUnavailableError, from the function, when it needs the database and cannot reach it.
 */
export function createFindCaller(context: CallerContext): FindCaller {
  const { environment, merchants } = context.config;
  const answers: Answers = new Map();
  const proven = new Map<string, Proven>();
  const find = async (apiKey: string): Promise<Caller | "wrong_environment" | undefined> => {
    const parsed = parseApiKey(apiKey);
    if (parsed === undefined) return undefined;
    if (parsed.environment !== environment) return "wrong_environment";
    const hashes = currentFirst(merchants.keyPepper, merchants.previousKeyPepper)
      .filter((pepper) => mayBeOurs(pepper, apiKey))
      .map((pepper) => hashApiKey(pepper, apiKey));
    if (hashes.length === 0) return undefined;
    const fetchNow = () => lookUpKey(context, answers, parsed.lookupId);
    const cached = recallAnswer(context, answers, parsed.lookupId);
    const pending = cached === undefined ? fetchNow() : undefined;
    const found = (await rightKey(cached, hashes)) ?? (await rightKey(pending ?? fetchNow(), hashes));
    if (found === undefined) return undefined;
    const { answer, key } = found;
    recordUse(context, answer, key);
    const caller = { merchantId: key.merchantId, apiKeyId: key.id, scopes: key.scopes };
    proven.delete(apiKey);
    proven.set(apiKey, { answer, caller });
    forgetOldest(proven);
    return caller;
  };
  const recall = (apiKey: string): Caller | undefined => {
    const known = proven.get(apiKey);
    return known && context.clock.monotonicMs() < known.answer.staleAtMs ? known.caller : undefined;
  };
  return Object.assign(find, { recall });
}

/** Returns the key if one of the hashes fits. Does the same work without a row, so the time reveals nothing. */
async function rightKey(
  answer: Answer | undefined,
  hashes: readonly Buffer[],
): Promise<{ answer: Answer; key: LiveApiKey } | undefined> {
  const key = await answer?.key;
  const isRight = hashes.some((hash) => isHashOf(hash, key?.secretHash));
  return answer !== undefined && key !== undefined && isRight ? { answer, key } : undefined;
}

/** The cached row while it is trusted; concurrent calls share a pending query. */
function recallAnswer(context: CallerContext, answers: Answers, lookupId: string): Answer | undefined {
  const cached = answers.get(lookupId);
  return cached && context.clock.monotonicMs() < cached.staleAtMs ? cached : undefined;
}

/** Queries the database. A result without a key is not cached. */
function lookUpKey(context: CallerContext, answers: Answers, lookupId: string): Answer {
  const nowMs = context.clock.monotonicMs();
  const key = findLiveApiKey(context.db, { lookupId, maxAgeMs: MAX_AGE_MS });
  const answer: Answer = { key, staleAtMs: nowMs + MAX_AGE_MS, isUseRecorded: false };
  answers.delete(lookupId);
  answers.set(lookupId, answer);
  forgetOldest(answers);
  const forget = () => {
    if (answers.get(lookupId) === answer) answers.delete(lookupId);
  };
  key.then((caller) => {
    if (caller === undefined) forget();
    else answer.staleAtMs = nowMs + caller.validForMs;
  }, forget);
  return answer;
}

function forgetOldest(cached: Map<string, unknown>): void {
  for (const key of cached.keys()) {
    if (cached.size <= MAX_CACHED) return;
    cached.delete(key);
  }
}

/** Records the use in the background: its time and failure do not reach the caller. */
function recordUse(context: CallerContext, answer: Answer, key: LiveApiKey): void {
  if (!key.isUseDue || answer.isUseRecorded) return;
  answer.isUseRecorded = true;
  recordApiKeyUse(context.db.forTenant(key.merchantId), key).catch((error: unknown) => {
    if (!context.databaseOutage.report(error))
      context.log.warn(
        { event: "key_use_not_recorded", api_key_id: key.id, err: error },
        "the last use of an API key was not recorded",
      );
  });
}
