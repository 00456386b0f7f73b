import type { Socket } from "node:net";
import type { AllowedTargets } from "./allowed-targets.ts";
import { type Dial, dialSocket, WebhookFailure } from "./dial-socket.ts";
import { isAllowedAddress, type WebhookTarget } from "./guard-url.ts";
import { type Resolve, resolveHost } from "./resolve-host.ts";

/** The two ways to the network, injected so that a test of hostile names never reaches it. */
export type NetworkAccess = { readonly resolve: Resolve; readonly dial: Dial };

export const systemAccess: NetworkAccess = { resolve: resolveHost, dial: dialSocket };

/** Addresses of one host that are tried, in the order of the answer, before the attempt counts as failed. */
const MAX_DIALS = 4;

/**
 * Every address of the target, after each has been found good: one that is not refuses the host as a whole, so that
 * an answer cannot hide a private address among public ones.
 *
 * @throws WebhookFailure `blocked_address` when one is private, `dns_error` when there is none, `timeout` when the
 * signal aborts first.
 */
export async function vetAddresses(
  target: WebhookTarget,
  allowed: AllowedTargets,
  options: { resolve: Resolve; signal: AbortSignal },
): Promise<readonly string[]> {
  if (target.isAddress) return [target.host];
  const isNamed = allowed.names.has(target.host);
  const answer = options.resolve(target.host, { isNamed, signal: options.signal });
  const addresses = await unlessAborted(answer, options.signal);
  if (addresses.length === 0) throw new WebhookFailure("dns_error");
  // An answer may hold a thousand: our own addresses are read once for all of them.
  const own = allowed.ownAddresses();
  const now = { ...allowed, ownAddresses: () => own };
  for (const address of addresses) {
    if (!isAllowedAddress(address, now, target.host)) throw new WebhookFailure("blocked_address");
  }
  return addresses;
}

/**
 * Connects to an address that was vetted in this very call, so that a name which changes its mind between two
 * look-ups (DNS rebinding) gains nothing, and asks the socket once more where it ended up.
 */
export async function guardedDial(
  target: WebhookTarget,
  allowed: AllowedTargets,
  options: NetworkAccess & { signal: AbortSignal },
): Promise<Socket> {
  const addresses = await vetAddresses(target, allowed, options);
  const url = new URL(target.href);
  const isSecure = url.protocol === "https:";
  const port = url.port === "" ? (isSecure ? 443 : 80) : Number(url.port);
  const servername = target.isAddress ? undefined : target.host;
  let failure: unknown;
  for (const address of addresses.slice(0, MAX_DIALS)) {
    try {
      const socket = await options.dial({ address, port, isSecure, servername, signal: options.signal });
      return checkPeer(socket, target, allowed);
    } catch (error) {
      failure = error;
      if (options.signal.aborted) break;
    }
  }
  throw failure;
}

function checkPeer(socket: Socket, target: WebhookTarget, allowed: AllowedTargets): Socket {
  if (isAllowedAddress(socket.remoteAddress ?? "", allowed, target.host)) return socket;
  socket.destroy();
  throw new WebhookFailure("blocked_address");
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new WebhookFailure("timeout"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
