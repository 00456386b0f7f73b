import { aReceiver, withAdvice } from "@daric/domain/transport-fault";
import { type FetchedFile, postText } from "@daric/egress/get-file";
import { EgressFailure, type NetworkAccess } from "@daric/egress/guarded-dial";
import { retryAfterMs } from "@daric/egress/retry-after";
import { SendFailure } from "./send-messages.ts";

/** The limit of one request, from the look-up of the name to the end of the answer. */
const REQUEST_MS = 10_000;
/** A hundred updates of a bot, or the answer of a webhook. */
const MAX_ANSWER_BYTES = 1024 * 1024;
/** The longest pause that a host may ask for: that of a message which failed often. */
export const MAX_PAUSE_MS = 900_000;

type PostOptions = { readonly timeoutMs?: number; readonly signal?: AbortSignal };

export type JsonPost = (url: string, body: object, options?: PostOptions) => Promise<FetchedFile>;

/**
 * Makes the function that posts JSON to a host which the operator named, and which may be a private one. Redirects are not followed.
 * While a pause that the host asked for lasts, a post fails without a connection.
 */
export function createJsonPost(access: NetworkAccess): JsonPost {
  let pausedUntilMs = 0;
  return async (url, body, { timeoutMs = REQUEST_MS, signal } = {}) => {
    const { hostname, host } = new URL(url);
    const pauseMs = pausedUntilMs - performance.now();
    if (pauseMs > 0)
      throw new SendFailure(`${host} asked for a pause that is not over`, { of: "server", pauseMs });
    const targets = { allowTargets: [hostname.replace(/^\[(.*)\]$/, "$1")], denyTargets: [] };
    const deadline = AbortSignal.timeout(timeoutMs);
    const request = {
      url,
      headers: { "content-type": "application/json", "user-agent": "daric" },
      body: JSON.stringify(body),
      maxBytes: MAX_ANSWER_BYTES,
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    };
    try {
      const answer = await postText(targets, request, access);
      const askedMs = retryAfterMs(answer.headers["retry-after"], MAX_PAUSE_MS) ?? 0;
      if (answer.statusCode > 299) pausedUntilMs = performance.now() + askedMs;
      return answer;
    } catch (error) {
      if (!(error instanceof EgressFailure)) throw error;
      const words = withAdvice(`${host} cannot be reached (${error.code})`, error.cause, aReceiver);
      throw new SendFailure(words, { of: "server" });
    }
  };
}
