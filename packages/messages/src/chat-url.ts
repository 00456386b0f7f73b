import { ApiError } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import type { TargetSettings } from "@daric/egress/allowed-targets";
import { postText } from "@daric/egress/get-file";
import { EgressFailure, type NetworkAccess, type Resolve, systemAccess } from "@daric/egress/guarded-dial";
import { retryAfterMs } from "@daric/egress/retry-after";
import { isListedTarget, vetTarget } from "@daric/egress/vet-target";
import { MAX_PAUSE_MS } from "./json-post.ts";
import { clip } from "./plain-for-chat.ts";
import { SendFailure } from "./send-messages.ts";

type UrlConfig = { readonly egress: TargetSettings };

/** The limit of one request, from the look-up of the name to the end of the answer. */
const REQUEST_MS = 15_000;
const MAX_ANSWER_BYTES = 64 * 1024;
/** Discord refuses longer texts; the others take more. */
const MAX_TEXT_CHARS = 2_000;
const DISCORD = /^(?:(?:canary|ptb)\.)?discord(?:app)?\.com$/;
/** Answers that say that the URL takes no message any more. */
const GONE: readonly number[] = [401, 403, 404, 410];

/**
 * Checks the URL of a chat before it is stored, and returns the stored form.
 *
 * @throws VALIDATION_ERROR for `http:`, unless the operator's list opens the host; INVALID_WEBHOOK_URL as {@link vetTarget} does.
 */
export async function vetChatUrl({ egress }: UrlConfig, text: string, resolve?: Resolve): Promise<string> {
  const url = await vetTarget(egress, text, resolve);
  if (url.startsWith("http:") && !isListedTarget(egress, url))
    throw new ApiError("VALIDATION_ERROR", {
      details: [{ path: "url", message: "must be an https URL", rule: fieldRule("httpsUrl") }],
    });
  return url;
}

/** Posts a plain text to the incoming webhook of a chat. Every try is guarded as webhooks are. @throws SendFailure */
export async function postChat(
  { config, access = systemAccess }: { readonly config: UrlConfig; readonly access?: NetworkAccess },
  url: string,
  text: string,
): Promise<void> {
  const { hostname, host } = new URL(url);
  const plain = clip(text, MAX_TEXT_CHARS);
  const body = DISCORD.test(hostname) ? { content: plain, allowed_mentions: { parse: [] } } : { text: plain };
  const request = {
    url,
    headers: { "content-type": "application/json", "user-agent": "daric" },
    body: JSON.stringify(body),
    maxBytes: MAX_ANSWER_BYTES,
    signal: AbortSignal.timeout(REQUEST_MS),
  };
  const answer = await postText(config.egress, request, access).catch((error: unknown) => {
    if (!(error instanceof EgressFailure)) throw error;
    const isBlocked = error.code === "blocked_address";
    throw isBlocked
      ? new SendFailure(`${host} is not a public target`, { of: "receiver" })
      : new SendFailure(`${host} cannot be reached (${error.code})`, { of: "message" });
  });
  const { statusCode, headers } = answer;
  if (statusCode >= 200 && statusCode <= 299) return;
  throw new SendFailure(`${host} answered HTTP ${statusCode}`, {
    of: GONE.includes(statusCode) ? "receiver" : "message",
    pauseMs: retryAfterMs(headers["retry-after"], MAX_PAUSE_MS),
  });
}
