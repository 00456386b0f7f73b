/**
 * The reason why a webhook was refused. `BODY_PARSED` and `BAD_SECRET` are faults of the receiver's code, the
 * others of the request: answer 400 to those.
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

/** A webhook that the receiver must ignore. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly code: WebhookVerificationCode;

  constructor(code: WebhookVerificationCode, message: string) {
    super(message);
    this.code = code;
  }
}
