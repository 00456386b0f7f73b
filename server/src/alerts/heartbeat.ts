import { getFile } from "../egress/get-file.ts";
import type { NetworkAccess } from "../egress/guarded-dial.ts";
import type { AlertContext } from "./context.ts";
import { reasonOf } from "./send-messages.ts";

const EVERY_MS = 60_000;
/** A failed heartbeat is logged at most this often. */
const LOG_EVERY_MS = 600_000;
const REQUEST_MS = 10_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Calls the heartbeat's URL, at most once a minute. The service behind it notices when no call comes. */
export function createHeartbeat(
  { config, clock, log }: Pick<AlertContext, "config" | "clock" | "log">,
  access: NetworkAccess,
): () => Promise<void> {
  const url = config.alerts.heartbeatUrl;
  let calledMs = Number.NEGATIVE_INFINITY;
  let loggedMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock.monotonicMs();
    if (url === undefined || nowMs - calledMs < EVERY_MS) return;
    calledMs = nowMs;
    const targets = { allowTargets: [new URL(url).hostname.replace(/^\[(.*)\]$/, "$1")], denyTargets: [] };
    const signal = AbortSignal.timeout(REQUEST_MS);
    const request = { url, headers: { "user-agent": "daric" }, maxBytes: MAX_ANSWER_BYTES, signal };
    try {
      const { statusCode } = await getFile(targets, request, access);
      if (statusCode > 299) throw new Error(`it answered HTTP ${statusCode}`);
    } catch (error) {
      if (nowMs - loggedMs < LOG_EVERY_MS) return;
      loggedMs = nowMs;
      log.warn({ event: "heartbeat_failed", reason: reasonOf(error) }, "the heartbeat's URL was not reached");
    }
  };
}
