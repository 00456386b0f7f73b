/**
 * Why a webhook was not accepted. `BODY_PARSED` and `BAD_SECRET` are mistakes of the receiver's code, the others of what
 * was sent: answer 400 to those.
 */
export type WebhookVerificationCode =
  | "MISSING_HEADER"
  | "MALFORMED_HEADER"
  | "BAD_SIGNATURE"
  | "TIMESTAMP_TOO_OLD"
  | "TIMESTAMP_IN_FUTURE"
  | "NOT_JSON"
  | "BODY_PARSED"
  | "BAD_SECRET";

/** A webhook that must not be acted on. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super(message);
    this.code = code;
  }
}
