import { lookup, Resolver } from "node:dns/promises";
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { WebhookError } from "@daric/domain/webhook-delivery";
import type { AllowedTargets } from "./allowed-targets.ts";
import { type EgressTarget, isAllowedAddress } from "./guard-url.ts";

/** The reason of a failed attempt. `code` is for merchants, the cause for the operator's log. */
export class EgressFailure extends Error {
  override readonly name = "EgressFailure";
  readonly code: WebhookError;

  constructor(code: WebhookError, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

export type DialTarget = {
  /** the address to connect to; it is never a name */
  readonly address: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** the host name for the certificate; undefined if the URL has an address */
  readonly servername: string | undefined;
  readonly signal: AbortSignal;
};

/** Opens a connection that is ready to write, after the TLS handshake. Rejects with an EgressFailure. */
export type Dial = (target: DialTarget) => Promise<Socket>;

const CONNECT_TIMEOUT_MS = 5_000;

export const dialSocket: Dial = (target) =>
  new Promise((resolve, reject) => {
    const socket = open(target);
    const fail = (failure: EgressFailure) => {
      stopWaiting();
      socket.destroy();
      reject(failure);
    };
    const timer = setTimeout(() => fail(new EgressFailure("connect_timeout")), CONNECT_TIMEOUT_MS);
    const abort = () => fail(new EgressFailure("timeout"));
    const stopWaiting = () => {
      clearTimeout(timer);
      target.signal.removeEventListener("abort", abort);
    };
    target.signal.addEventListener("abort", abort, { once: true });
    // Stays for the life of the socket: an unhandled error would end the process.
    socket.on("error", (error) => fail(failureOf(error, target.isSecure)));
    socket.once(target.isSecure ? "secureConnect" : "connect", () => {
      stopWaiting();
      resolve(socket);
    });
    if (target.signal.aborted) abort();
  });

/** Verification and the least version are named: environment variables could lower the defaults. */
function open({ address, port, isSecure, servername }: DialTarget): Socket {
  if (!isSecure) return connectTcp({ host: address, port, noDelay: true });
  const name = servername === undefined ? {} : { servername };
  const options = { host: address, port, ALPNProtocols: ["http/1.1"], ...name };
  return connectTls({ ...options, rejectUnauthorized: true, minVersion: "TLSv1.2" });
}

const FAILURES: Record<string, WebhookError> = {
  ECONNREFUSED: "connect_refused",
  ETIMEDOUT: "connect_timeout",
  ECONNRESET: "reset",
  EPIPE: "reset",
  EHOSTUNREACH: "connect_error",
  ENETUNREACH: "connect_error",
  EHOSTDOWN: "connect_error",
  ENETDOWN: "connect_error",
  EADDRNOTAVAIL: "connect_error",
  EACCES: "connect_error",
  EMFILE: "connect_error",
};

/** OpenSSL and certificate errors have hundreds of codes; all others are network errors. */
function failureOf(error: Error, isSecure: boolean): EgressFailure {
  const code = "code" in error ? FAILURES[String(error.code)] : undefined;
  return new EgressFailure(code ?? (isSecure ? "tls_error" : "connect_error"), error);
}

/** Finds every address of a host name, A and AAAA. Returns none if there is none in time. */
export type Resolve = (host: string, options: ResolveOptions) => Promise<readonly string[]>;
export type ResolveOptions = {
  /** the operator listed this host: it may be in the machine's own hosts file */
  readonly isNamed: boolean;
  readonly signal: AbortSignal;
};

const TRY_TIMEOUT_MS = 2_000;
const TRIES = 2;

/**
 * Queries the system's DNS servers directly. With getaddrinfo a slow name server could hold one of the few
 * threads of the pool and delay other look-ups. So getaddrinfo serves only listed names.
 */
export const resolveHost: Resolve = async (host, { isNamed, signal }) => {
  if (isNamed) return (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);
  const resolver = new Resolver({ timeout: TRY_TIMEOUT_MS, tries: TRIES });
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};

/** The access to the network, injected so that a test of hostile names never reaches it. */
export type NetworkAccess = { readonly resolve: Resolve; readonly dial: Dial };

export const systemAccess: NetworkAccess = { resolve: resolveHost, dial: dialSocket };

/** Addresses of one host that are tried, in order, before the attempt fails. */
const MAX_DIALS = 4;

/**
 * Returns the target's addresses, all of them vetted. One bad address refuses the host, so that an answer
 * cannot hide a private address among public ones.
 *
 * @throws EgressFailure `blocked_address` for a private one, `dns_error` without any, `timeout` when the
 * signal aborts first.
 */
export async function vetAddresses(
  target: EgressTarget,
  allowed: AllowedTargets,
  options: { resolve: Resolve; signal: AbortSignal },
): Promise<readonly string[]> {
  if (target.isAddress) return [target.host];
  const isNamed = allowed.names.has(target.host);
  const answer = options.resolve(target.host, { isNamed, signal: options.signal });
  const addresses = await unlessAborted(answer, options.signal);
  if (addresses.length === 0) throw new EgressFailure("dns_error");
  // An answer may have a thousand addresses: this machine's own addresses are read once for all of them.
  const own = allowed.ownAddresses();
  const now = { ...allowed, ownAddresses: () => own };
  for (const address of addresses) {
    if (!isAllowedAddress(address, now, target.host)) throw new EgressFailure("blocked_address");
  }
  return addresses;
}

/**
 * Connects to an address that this same call vetted, so that a name with changing answers (DNS rebinding)
 * gains nothing. Also verifies the socket's remote address.
 */
export async function guardedDial(
  target: EgressTarget,
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
      if (failure === undefined || !isWithoutRoute(error)) failure = error;
      if (options.signal.aborted) break;
    }
  }
  throw failure;
}

/** Says least of a host: mostly this machine has no way to IPv6, and another address says what is wrong. */
function isWithoutRoute(error: unknown): boolean {
  return error instanceof EgressFailure && error.code === "connect_error";
}

function checkPeer(socket: Socket, target: EgressTarget, allowed: AllowedTargets): Socket {
  if (isAllowedAddress(socket.remoteAddress ?? "", allowed, target.host)) return socket;
  socket.destroy();
  throw new EgressFailure("blocked_address");
}

async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new EgressFailure("timeout"));
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
