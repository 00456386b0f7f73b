import { ApiError } from "../domain/errors.ts";
import { readAllowedTargets, type TargetSettings, withoutRootDot } from "./allowed-targets.ts";
import { parseTarget } from "./guard-url.ts";
import { EgressFailure, type Resolve, resolveHost, vetAddresses } from "./guarded-dial.ts";

const RESOLVE_TIMEOUT_MS = 2_000;
/** A longer host is not repeated. */
const SHOWN_CHARS = 100;

/**
 * The URL as it will be stored, after the checks that can be made before anything is sent. A name that does not
 * resolve yet is accepted: what counts is the address dialled at each try, which is checked again.
 *
 * @throws INVALID_WEBHOOK_URL when the target is private, now, by its text or by any address of its name.
 */
export async function vetTarget(
  settings: TargetSettings,
  text: string,
  resolve: Resolve = resolveHost,
): Promise<string> {
  const allowed = readAllowedTargets(settings);
  const target = parseTarget(text, allowed);
  if (target === undefined) throw refusal(text);
  const signal = AbortSignal.timeout(RESOLVE_TIMEOUT_MS);
  try {
    await vetAddresses(target, allowed, { resolve, signal });
  } catch (error) {
    if (!(error instanceof EgressFailure)) throw error;
    if (error.code === "blocked_address") throw refusal(text);
  }
  return target.href;
}

/**
 * Names the host that the caller sent and nothing that we found out about it: one text for every name, so that what a name
 * resolves to inside a network is not told, nor which addresses are our own or forbidden by the operator.
 */
function refusal(text: string): ApiError {
  const host = URL.canParse(text) ? withoutRootDot(new URL(text).hostname) : "";
  const isShown = host !== "" && host.length <= SHOWN_CHARS;
  const message =
    `${isShown ? host : "the host"} is not a public target. ` +
    "The operator can allow it with WEBHOOK_ALLOW_TARGETS.";
  return new ApiError("INVALID_WEBHOOK_URL", { details: [{ path: "url", message }] });
}
