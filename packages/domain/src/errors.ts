import type { FieldRule } from "./field-rule.ts";

/** Every error code of the API with status and default message. The first eight are the contract's, section "Errors". */
export const errorCatalog = {
  EXPECTED_AMOUNT_REQUIRED: { status: 422, message: "amount is required because the payer pays the fee." },
  USD_AMOUNT_REQUIRED: { status: 422, message: "pricingCurrency USD needs a positive amount." },
  RATE_UNAVAILABLE: { status: 503, message: "No fresh exchange rate is available. Retry shortly." },
  MAX_ACTIVE_ADDRESSES: {
    status: 429,
    message:
      "The cap of active addresses is reached: archive some that are not needed, wait until some expire, or ask the " +
      "operator for a higher cap.",
  },
  SETTLEMENT_ACCOUNT_NOT_FOUND: {
    status: 404,
    message:
      "You have no settlement account of this id: compare settlementAccountId with the one you were given, or leave it out.",
  },
  NO_SETTLEMENT_ACCOUNT: {
    status: 422,
    message:
      "A reusable address needs an active settlement account, and there is none: ask the operator to add one " +
      "(daric settlement-account add).",
  },
  INVALID_WEBHOOK_URL: { status: 422, message: "This URL is not allowed as a webhook target." },
  INVALID_EVENT_TYPE: { status: 422, message: "An event type is not supported." },
  INVALID_JSON: { status: 400, message: "The request body is not valid JSON." },
  UNAUTHORIZED: { status: 401, message: "This API key is unknown, expired or revoked." },
  WRONG_ENVIRONMENT: {
    status: 401,
    message:
      "The API key belongs to the other environment: test keys work at the test address, live keys at the live one.",
  },
  INSUFFICIENT_SCOPE: { status: 403, message: "The API key lacks the scope for this operation." },
  NOT_FOUND: { status: 404, message: "No such resource." },
  METHOD_NOT_ALLOWED: { status: 405, message: "This path does not take this method." },
  ORDER_ALREADY_PAID: { status: 409, message: "The order is paid already." },
  PAYMENT_IN_PROGRESS: {
    status: 409,
    message: "A payment of this order is in progress: ask again when it is final.",
  },
  NOTHING_RECEIVED: {
    status: 409,
    message: "Nothing that was sent to the order is confirmed: ask again when a payment is.",
  },
  ORDER_NOT_EXPIRED: { status: 409, message: "The order has not expired, so nothing comes late to it." },
  ORDER_CLOSED: {
    status: 409,
    message:
      "It is closed, since it has expired or is archived: create a new one. What is paid to this one is still credited.",
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: "The request body is larger than 64 kB." },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: "The request body must be application/json." },
  LINK_CLOSED: { status: 409, message: "This payment link takes no more orders." },
  REFUND_CLOSED: {
    status: 409,
    message: "The refund takes no address and no payment any more: ask the merchant for a new link.",
  },
  REFUND_REF_TAKEN: { status: 409, message: "This refundRef belongs to a refund of another order." },
  REFUND_EXCEEDS_RECEIVED: { status: 422, message: "The amount is more than is left to refund." },
  EXPORT_TOO_LARGE: { status: 422, message: "The file would be too large for its format: take CSV." },
  LINK_SOLD_OUT: { status: 409, message: "Every order of this payment link is taken or paid." },
  VALIDATION_ERROR: { status: 422, message: "Some fields are not valid." },
  FIAT_AMOUNT_REQUIRED: { status: 422, message: "A price in fiat needs a positive amount." },
  NOT_FIAT_PRICED: { status: 422, message: "The order is not priced in fiat, so it has no quote." },
  SETTLEMENT_ACCOUNT_DISABLED: {
    status: 422,
    message:
      "The settlement account is disabled: name an active one in settlementAccountId, or leave it out.",
  },
  TOO_MANY_ENDPOINTS: { status: 422, message: "The cap of webhook endpoints is reached. Delete one first." },
  CAP_REACHED: { status: 422, message: "The cap is reached: no more can be added." },
  NOT_RESENDABLE: { status: 422, message: "This delivery cannot be sent again." },
  SIGN_IN_FAILED: { status: 401, message: "The e-mail address or the password is wrong." },
  CODE_REQUIRED: { status: 401, message: "Send the code of your authenticator app too, or a recovery code." },
  WRONG_CODE: { status: 401, message: "The code is wrong." },
  SESSION_ENDED: { status: 401, message: "You are not signed in, or your session has ended: sign in again." },
  CSRF_REFUSED: {
    status: 403,
    message: "This request does not come from a page of this service: load the page again.",
  },
  REAUTHENTICATION_REQUIRED: {
    status: 403,
    message: "Prove again that it is you: with password and code, or with a passkey.",
  },
  SECOND_FACTOR_REQUIRED: {
    status: 403,
    message: "A live service needs a second factor: set up an authenticator app or a passkey.",
  },
  MERCHANT_SUSPENDED: {
    status: 403,
    message: "The operator has suspended this account: it takes no new orders. What exists goes on.",
  },
  WALLET_NOT_CONFIRMED: {
    status: 409,
    message: "Other keys have permissions on this wallet: confirm them, or choose another wallet.",
  },
  CHANGED_MEANWHILE: { status: 409, message: "This was changed since you read it: read it again." },
  LINK_NOT_VALID: {
    status: 404,
    message: "This link is unknown, was used or withdrawn, or is too old: ask for a new one.",
  },
  SHOP_CODE_NOT_VALID: {
    status: 404,
    message: "This code is unknown, was used or replaced, or is too old: make a new one in the dashboard.",
  },
  LAST_OWNER: { status: 409, message: "A merchant needs an owner: make another member one first." },
  RATE_LIMITED: { status: 429, message: "Too many requests." },
  INTERNAL_ERROR: { status: 500, message: "Something went wrong on our side." },
  SERVICE_UNAVAILABLE: { status: 503, message: "The service is not available right now. Retry shortly." },
} as const satisfies Record<string, { status: number; message: string }>;

export type ApiErrorCode = keyof typeof errorCatalog;

/** One invalid field: its `path` as the caller wrote it (`amount`, `eventTypes.0`, `(body)`), and the broken rule. */
export type ErrorDetail = {
  readonly path: string;
  readonly message: string;
  /** for pages, which say it in another language */
  readonly rule?: FieldRule | undefined;
};

export type SpentLimit = {
  /** requests that may come at once; `resetSeconds` is the wait until that many may come again */
  readonly limit: number;
  readonly resetSeconds: number;
};

const MAX_NAME_SHOWN = 100;

/** The first fault as a sentence, with the number of others: most callers log only the message. */
function firstFault([first, ...others]: readonly ErrorDetail[]): string | undefined {
  if (first === undefined) return undefined;
  const { path, message } = first;
  const name = path.length > MAX_NAME_SHOWN ? `${path.slice(0, MAX_NAME_SHOWN)}…` : path;
  return `${name} ${message}${others.length === 0 ? "" : ` (and ${others.length} more)`}`;
}

/** A refusal. Features throw it, which rolls a transaction back; the HTTP layer turns it into a response. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  readonly details: readonly ErrorDetail[];
  /** seconds until a retry makes sense, sent as Retry-After */
  readonly retryAfterSeconds: number | undefined;
  /** the limit that refused the request, sent as RateLimit-* */
  readonly spent: SpentLimit | undefined;

  constructor(
    code: ApiErrorCode,
    options: {
      message?: string;
      details?: readonly ErrorDetail[];
      retryAfterSeconds?: number;
      spent?: SpentLimit;
    } = {},
  ) {
    const { details = [] } = options;
    const fault = code === "VALIDATION_ERROR" ? firstFault(details) : undefined;
    super(options.message ?? fault ?? errorCatalog[code].message);
    this.code = code;
    this.details = details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.spent = options.spent;
  }

  get status(): number {
    return errorCatalog[this.code].status;
  }
}
