import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { WebhookError } from "../../domain/webhook-delivery.ts";

/** Why an attempt came to nothing. `code` is for merchants, the cause for the operator's log. */
export class WebhookFailure extends Error {
  override readonly name = "WebhookFailure";
  readonly code: WebhookError;

  constructor(code: WebhookError, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

export type DialTarget = {
  /** the very address to connect to; no name is ever looked up here */
  readonly address: string;
  readonly port: number;
  readonly isSecure: boolean;
  /** the host name the certificate must be for; undefined where the URL has an address */
  readonly servername: string | undefined;
  readonly signal: AbortSignal;
};

/** Opens a connection, ready to write to: with TLS, the handshake is done. Rejects with a WebhookFailure. */
export type Dial = (target: DialTarget) => Promise<Socket>;

const CONNECT_TIMEOUT_MS = 5_000;

export const dialSocket: Dial = (target) =>
  new Promise((resolve, reject) => {
    const socket = open(target);
    const fail = (failure: WebhookFailure) => {
      stopWaiting();
      socket.destroy();
      reject(failure);
    };
    const timer = setTimeout(() => fail(new WebhookFailure("connect_timeout")), CONNECT_TIMEOUT_MS);
    const abort = () => fail(new WebhookFailure("timeout"));
    const stopWaiting = () => {
      clearTimeout(timer);
      target.signal.removeEventListener("abort", abort);
    };
    target.signal.addEventListener("abort", abort, { once: true });
    // Stays for the life of the socket: an error between two owners of it must not end the process.
    socket.on("error", (error) => fail(failureOf(error, target.isSecure)));
    socket.once(target.isSecure ? "secureConnect" : "connect", () => {
      stopWaiting();
      resolve(socket);
    });
    if (target.signal.aborted) abort();
  });

/** Certificates are checked by our own word: left to the default, an environment variable could switch that off. */
function open({ address, port, isSecure, servername }: DialTarget): Socket {
  if (!isSecure) return connectTcp({ host: address, port, noDelay: true });
  const name = servername === undefined ? {} : { servername };
  const options = { host: address, port, ALPNProtocols: ["http/1.1"], ...name };
  return connectTls({ ...options, rejectUnauthorized: true });
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

/** OpenSSL and certificate errors have hundreds of codes; whatever is not the network's is one of them. */
function failureOf(error: Error, isSecure: boolean): WebhookFailure {
  const code = "code" in error ? FAILURES[String(error.code)] : undefined;
  return new WebhookFailure(code ?? (isSecure ? "tls_error" : "connect_error"), error);
}
