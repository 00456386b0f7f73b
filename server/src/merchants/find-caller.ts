import type { Caller } from "../domain/api-scope.ts";
import { matchesApiKey, parseApiKey } from "./api-key.ts";
import { findLiveApiKey, type LiveApiKey, recordApiKeyUse } from "./api-key-store.ts";
import type { KeyContext } from "./context.ts";

type CallerContext = Pick<KeyContext, "config" | "db" | "clock" | "log">;

/**
 * How long an answer of the database is believed. A revoked key is refused everywhere after this time; operators are
 * promised 5 s.
 */
const MAX_AGE_MS = 4_000;
/** Beyond this many keys the oldest answers are forgotten; about 2 MB. */
const MAX_REMEMBERED = 10_000;

type Answer = {
  readonly key: Promise<LiveApiKey | undefined>;
  /** monotonic time */
  staleAtMs: number;
  /** this process has told the database of a use since it asked */
  isUseRecorded: boolean;
};

/** What the database said of keys, by the id to look them up with; the oldest first. */
type Answers = Map<string, Answer>;

export type FindCaller = (apiKey: string) => Promise<Caller | "wrong_environment" | undefined>;

/**
 * Makes the function that says who holds an API key: undefined where it is malformed, unknown, revoked or expired, and "wrong_environment" where
 * it is well formed but of the other environment, which is said without asking the database.
 *
 * Answers of the database are kept for 4 s in this process, unknown ids included, so a busy key costs a query every
 * 4 s and a revocation is effective everywhere within 5 s. The secret is compared anew at each call.
 *
 * @throws DatabaseUnavailableError, from the function, when the database has to be asked and cannot be.
 */
export function createFindCaller(context: CallerContext): FindCaller {
  const { environment, merchants } = context.config;
  const answers: Answers = new Map();
  return async (apiKey) => {
    const parsed = parseApiKey(apiKey);
    if (parsed === undefined) return undefined;
    if (parsed.environment !== environment) return "wrong_environment";
    const answer = ask(context, answers, parsed.lookupId);
    const key = await answer.key;
    const isRight = matchesApiKey(merchants.keyPepper, apiKey, key?.secretHash);
    if (!isRight || key === undefined) return undefined;
    recordUse(context, answer, key);
    return { merchantId: key.merchantId, apiKeyId: key.id, scopes: key.scopes };
  };
}

/** The remembered answer, or a new one; calls that come while the database is being asked share its answer. */
function ask(context: CallerContext, answers: Answers, lookupId: string): Answer {
  const nowMs = context.clock.monotonicMs();
  const remembered = answers.get(lookupId);
  if (remembered !== undefined && nowMs < remembered.staleAtMs) return remembered;

  const key = findLiveApiKey(context.db, { lookupId, maxAgeMs: MAX_AGE_MS });
  const answer: Answer = { key, staleAtMs: nowMs + MAX_AGE_MS, isUseRecorded: false };
  answers.delete(lookupId);
  answers.set(lookupId, answer);
  forgetOldest(answers);
  key.then(
    (found) => {
      if (found !== undefined) answer.staleAtMs = nowMs + found.validForMs;
    },
    () => {
      if (answers.get(lookupId) === answer) answers.delete(lookupId);
    },
  );
  return answer;
}

function forgetOldest(answers: Answers): void {
  for (const lookupId of answers.keys()) {
    if (answers.size <= MAX_REMEMBERED) return;
    answers.delete(lookupId);
  }
}

/** Notes the use beside the request: neither its time nor its failure reaches the caller. */
function recordUse(context: CallerContext, answer: Answer, key: LiveApiKey): void {
  if (!key.isUseDue || answer.isUseRecorded) return;
  answer.isUseRecorded = true;
  recordApiKeyUse(context.db, key).catch((error: unknown) => {
    context.log.warn({ api_key_id: key.id, err: error }, "time of last use not recorded");
  });
}
