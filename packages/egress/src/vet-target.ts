import { ApiError } from "@daric/domain/errors";
import { fieldRule } from "@daric/domain/field-rule";
import { isUrl } from "@daric/domain/url";
import { isOpened, readAllowedTargets, type TargetSettings, withoutRootDot } from "./allowed-targets.ts";
import { parseTarget } from "./guard-url.ts";
import { EgressFailure, type Resolve, resolveHost, vetAddresses } from "./guarded-dial.ts";
import { parseIp } from "./ip-ranges.ts";

const RESOLVE_TIMEOUT_MS = 2_000;
/** The most characters of a host that a message repeats. */
const SHOWN_CHARS = 100;

/**
 * Checks a URL before it is stored, and returns the stored form. A name that does not resolve yet is
 * accepted: each try vets the dialled address again.
 *
 * @throws INVALID_WEBHOOK_URL for a target that is private now, by its text or by any address of its name.
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

/** Whether the operator's list opens the host of this URL: only there a chat may be reached without TLS. */
export function isListedTarget(settings: TargetSettings, url: string): boolean {
  const allowed = readAllowedTargets(settings);
  const host = withoutRootDot(new URL(url).hostname.replace(/^\[(.*)\]$/, "$1"));
  const address = parseIp(host);
  return address === undefined ? allowed.names.has(host) : isOpened(address, allowed);
}

/**
 * The message names the caller's host alone, with one text for every reason. So it reveals neither the
 * addresses of a name, nor our own, nor the operator's lists.
 */
function refusal(text: string): ApiError {
  const host = isUrl(text) ? withoutRootDot(new URL(text).hostname) : "";
  const isShown = host !== "" && host.length <= SHOWN_CHARS;
  const message =
    `${isShown ? host : "the host"} is not a public target. ` +
    "The operator can allow it with WEBHOOK_ALLOW_TARGETS.";
  return new ApiError("INVALID_WEBHOOK_URL", {
    details: [{ path: "url", message, rule: fieldRule("webhookTarget") }],
  });
}
