import type { WebhookEvent } from "./webhook-event.ts";
import {
  bodySignaturesIn,
  bytesOfBase64,
  headerIn,
  type StandardHeaders,
  standardHeadersIn,
  type WebhookHeaders,
} from "./webhook-headers.ts";
import { WebhookVerificationError } from "./webhook-verification-error.ts";

/** The body of the request exactly as received, before any parser. */
export type RawBody = string | Uint8Array | ArrayBuffer;

export type VerifyOptions = {
  /**
   * the allowed difference between the time of sending and now in seconds, 300 by default. `Infinity` accepts a
   * delivery of any age, and then `x-service-signature` alone is enough: a recorded delivery can be replayed
   */
  readonly toleranceSeconds?: number | undefined;
  /** the current time, for tests */
  readonly now?: Date | undefined;
};

type Bytes = Uint8Array<ArrayBuffer>;

const DEFAULT_TOLERANCE_SECONDS = 300;
const SECRET = /^whsec_[0-9a-f]{64}$/;
const HMAC = { name: "HMAC", hash: "SHA-256" };

/**
 * Returns the event of a webhook that Daric signed with one of these secrets, and sent just now. Several
 * secrets serve a rotation, or several endpoints behind one URL. You must check by its `id` whether you have
 * handled it before.
 *
 * The signature is compared in constant time, by the Web Crypto of the runtime.
 *
 * @throws WebhookVerificationError with a `code` for each reason not to act on it.
 */
// biome-ignore lint/complexity/useMaxParams: body, headers and secret first is how verifiers of webhooks are called
export async function verifyWebhook(
  rawBody: RawBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const body = bytesOf(rawBody);
  const keys = checkedSecrets(secrets);
  const tolerance = options.toleranceSeconds ?? DEFAULT_TOLERANCE_SECONDS;
  const isAnyAgeFine = tolerance === Number.POSITIVE_INFINITY;
  if (isAnyAgeFine && headerIn(headers, "webhook-signature") === undefined) {
    await requireSignature(body, bodySignaturesIn(headers), keys.map(utf8));
  } else {
    const standard = standardHeadersIn(headers);
    await requireSignature(signedBy(standard, body), standard.signatures, keys.map(standardKey));
    requireRecent(standard, tolerance, options.now ?? new Date());
  }
  return eventIn(body);
}

function signedBy({ id, timestampSeconds }: StandardHeaders, body: Bytes): Bytes {
  const prefix = utf8(`${id}.${timestampSeconds}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  return signed;
}

/** Tries every signature with every key. */
async function requireSignature(
  signed: Bytes,
  signatures: readonly Bytes[],
  keys: readonly Bytes[],
): Promise<void> {
  const { subtle } = globalThis.crypto;
  for (const bytes of keys) {
    const key = await subtle.importKey("raw", bytes, HMAC, false, ["verify"]);
    for (const signature of signatures) {
      if (await subtle.verify("HMAC", key, signature, signed)) return;
    }
  }
  throw new WebhookVerificationError(
    "BAD_SIGNATURE",
    "No signature matches this body under any of the secrets. Is the secret that of this endpoint, and the body untouched: not parsed and written again, not decoded, not trimmed?",
  );
}

function requireRecent({ timestampSeconds }: StandardHeaders, tolerance: number, now: Date): void {
  const age = Math.floor(now.getTime() / 1_000) - timestampSeconds;
  if (age > tolerance) {
    throw new WebhookVerificationError(
      "TIMESTAMP_TOO_OLD",
      `It was sent ${age} s ago, and ${tolerance} s are accepted: it is a replay, or the clock here is ahead.`,
    );
  }
  if (!(age >= -tolerance)) {
    throw new WebhookVerificationError(
      "TIMESTAMP_IN_FUTURE",
      `Its time is ${-age} s ahead: the clock here is behind.`,
    );
  }
}

function eventIn(body: Bytes): WebhookEvent {
  try {
    const event: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (typeof event === "object" && event !== null && "event" in event) return event as WebhookEvent;
  } catch {
    // Reported below.
  }
  throw new WebhookVerificationError("NOT_JSON", "The body is signed, and is no event in JSON.");
}

function bytesOf(body: unknown): Bytes {
  if (typeof body === "string") return utf8(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  if (ArrayBuffer.isView(body))
    return new Uint8Array(body.buffer as ArrayBuffer, body.byteOffset, body.byteLength);
  throw new WebhookVerificationError("BODY_PARSED", notRawMessage(body));
}

function notRawMessage(body: unknown): string {
  const found = body === undefined || body === null ? "nothing" : "a parsed value or a stream";
  return `The signature is over the bytes of the body as they came, and ${found} was passed. Take the raw body:
- Express: app.post("/hook", express.raw({ type: "*/*" }), …) before any express.json(), then request.body;
- Fastify: app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body)), then request.body;
- Next.js: await request.text() in a route handler; in pages/api: export const config = { api: { bodyParser: false } } and read the stream;
- Hono and other Fetch servers: await request.text().`;
}

function checkedSecrets(secrets: unknown): string[] {
  const list: unknown[] = Array.isArray(secrets) ? secrets : [secrets];
  const isFine = list.length > 0 && list.every((secret) => typeof secret === "string" && SECRET.test(secret));
  if (isFine) return list as string[];
  throw new WebhookVerificationError(
    "BAD_SECRET",
    "A secret is missing or not whole: it is whsec_ and 64 characters, as the endpoint's creation answered it, without blanks around it.",
  );
}

/** The key as Standard Webhooks verifiers derive it: the base64-decoded secret without its prefix. */
function standardKey(secret: string): Bytes {
  return bytesOfBase64(secret.slice("whsec_".length)) ?? new Uint8Array();
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}
