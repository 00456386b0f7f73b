import { WebhookVerificationError } from "./webhook-verification-error.ts";

/** Headers of Node, Fetch and their frameworks. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The signatures and their time in the Standard Webhooks headers. */
export type StandardHeaders = {
  readonly id: string;
  readonly timestampSeconds: number;
  /** the signatures of every entry with the version `v1` */
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
};

/**
 * The Standard Webhooks headers.
 *
 * @throws WebhookVerificationError MISSING_HEADER, MALFORMED_HEADER
 */
export function standardHeadersIn(headers: WebhookHeaders): StandardHeaders {
  const [id, timestamp, signature] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    requiredHeader(headers, name),
  ) as [string, string, string];
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError("MALFORMED_HEADER", "webhook-timestamp is not in seconds since 1970.");
  }
  const signatures = signature
    .split(" ")
    .filter((entry) => entry.startsWith("v1,"))
    .flatMap((entry) => bytesOfBase64(entry.slice(3)) ?? []);
  return { id, timestampSeconds: Number(timestamp), signatures };
}

/**
 * The signatures over the body alone: of the secret, and in a rotation of the previous one.
 *
 * @throws WebhookVerificationError MISSING_HEADER
 */
export function bodySignaturesIn(headers: WebhookHeaders): Uint8Array<ArrayBuffer>[] {
  const previous = headerIn(headers, "x-service-signature-previous");
  return [requiredHeader(headers, "x-service-signature"), previous].flatMap(
    (hex) => bytesOfHex(hex ?? "") ?? [],
  );
}

/** One header in any case; undefined if it is missing or repeated. */
export function headerIn(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof (headers as Headers).get === "function")
    return (headers as Headers).get(name)?.trim() || undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  const [only] = values;
  return values.length === 1 && typeof only === "string" ? only.trim() || undefined : undefined;
}

function requiredHeader(headers: WebhookHeaders, name: string): string {
  const value = headerIn(headers, name);
  if (value !== undefined) return value;
  throw new WebhookVerificationError(
    "MISSING_HEADER",
    `The header ${name} is missing. Pass all headers as they came; if they lack it, Daric did not send this, or a proxy removed it.`,
  );
}

function bytesOfHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[0-9a-f]{64}$/.test(text)) return undefined;
  return Uint8Array.from({ length: 32 }, (_, n) => Number.parseInt(text.slice(2 * n, 2 * n + 2), 16));
}

/** The bytes of base64, undefined for any other text. */
export function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
