import type { Caller } from "../domain/api-scope.ts";
import { hashApiKey, isHashOf, mayBeOurs, parseApiKey } from "./api-key.ts";
import { findLiveApiKey, type LiveApiKey, recordApiKeyUse } from "./api-key-store.ts";
import type { KeyContext } from "./context.ts";

type CallerContext = Pick<KeyContext, "config" | "db" | "clock" | "log" | "databaseOutage">;

/**
 * How long an answer of the database is believed. A revoked key is refused everywhere after this time; operators are
 * promised 5 s.
 */
const MAX_AGE_MS = 4_000;
/** Beyond this many keys the oldest answers are forgotten; about 2 MB. */
const MAX_CACHED = 10_000;

type Answer = {
  readonly key: Promise<LiveApiKey | undefined>;
  /** monotonic time */
  staleAtMs: number;
  /** this process has told the database of a use since it asked */
  isUseRecorded: boolean;
};

/** What the database said of keys, by the id to look them up with; the oldest first. */
type Answers = Map<string, Answer>;

export type FindCaller = {
  (apiKey: string): Promise<Caller | "wrong_environment" | undefined>;
  /** The caller of a key that this process found right while the answer about it is believed; asks nobody. */
  recall(apiKey: string): Caller | undefined;
};

/** A key that was compared with the answer, and whose it is. */
type Proven = { readonly answer: Answer; readonly caller: Caller };

/**
 * Makes the function that says who holds an API key: undefined where it is malformed, unknown, revoked or expired, and "wrong_environment" where
 * it is well formed but of the other environment, which is said without asking the database.
 *
 * What the database says of a key is kept for 4 s in this process, so a busy key costs a query every 4 s and a
 * revocation is effective everywhere within 5 s. The secret is compared anew at each call; a key that was
 * right is recalled by its whole text for as long as the answer it was compared with is believed.
 *
 * A key whose check is not under our pepper is refused before anything is asked. Any other that is refused has always cost one hash, and one statement of its own: whether its id is unknown, or known and
 * in use, shows in neither.
 *
 * @throws DatabaseUnavailableError, from the function, when the database has to be asked and cannot be.
 */
export function createFindCaller(context: CallerContext): FindCaller {
  const { environment, merchants } = context.config;
  const answers: Answers = new Map();
  const proven = new Map<string, Proven>();
  const find = async (apiKey: string): Promise<Caller | "wrong_environment" | undefined> => {
    const parsed = parseApiKey(apiKey);
    if (parsed === undefined) return undefined;
    if (parsed.environment !== environment) return "wrong_environment";
    if (!mayBeOurs(merchants.keyPepper, apiKey)) return undefined;
    const hash = hashApiKey(merchants.keyPepper, apiKey);
    const fetchNow = () => lookUpKey(context, answers, parsed.lookupId);
    const cached = recallAnswer(context, answers, parsed.lookupId);
    const pending = cached === undefined ? fetchNow() : undefined;
    const found = (await rightKey(cached, hash)) ?? (await rightKey(pending ?? fetchNow(), hash));
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

/** The key of the answer where the hash is that of the text which was sent. Compares as much without a key, or an answer. */
async function rightKey(
  answer: Answer | undefined,
  hash: Buffer,
): Promise<{ answer: Answer; key: LiveApiKey } | undefined> {
  const key = await answer?.key;
  const isRight = isHashOf(hash, key?.secretHash);
  return answer !== undefined && key !== undefined && isRight ? { answer, key } : undefined;
}

/** The answer that may still be believed; calls that come while the database is being asked find the one to come. */
function recallAnswer(context: CallerContext, answers: Answers, lookupId: string): Answer | undefined {
  const cached = answers.get(lookupId);
  return cached && context.clock.monotonicMs() < cached.staleAtMs ? cached : undefined;
}

/** Asks the database. An answer without a key is forgotten at once: it spares no statement. */
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
  key.then((found) => {
    if (found === undefined) forget();
    else answer.staleAtMs = nowMs + found.validForMs;
  }, forget);
  return answer;
}

function forgetOldest(cached: Map<string, unknown>): void {
  for (const key of cached.keys()) {
    if (cached.size <= MAX_CACHED) return;
    cached.delete(key);
  }
}

/** Notes the use beside the request: neither its time nor its failure reaches the caller. */
function recordUse(context: CallerContext, answer: Answer, key: LiveApiKey): void {
  if (!key.isUseDue || answer.isUseRecorded) return;
  answer.isUseRecorded = true;
  recordApiKeyUse(context.db.ofTenant(key.merchantId), key).catch((error: unknown) => {
    if (!context.databaseOutage.report(error))
      context.log.warn(
        { event: "key_use_not_recorded", api_key_id: key.id, err: error },
        "the last use of an API key was not recorded",
      );
  });
}
