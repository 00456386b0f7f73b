import type { ErrorBody } from "./contract.ts";

/** What the service refuses with. */
export type ErrorCode = ErrorBody["error"]["code"];

/**
 * What the client itself says: nobody answered in time, nobody could be reached, what answered is not Daric, or an order
 * of that reference exists at another price.
 */
export type ClientErrorCode = "TIMEOUT" | "CONNECTION" | "UNEXPECTED_ANSWER" | "ORDER_REF_CONFLICT";

/** Known codes, and any that a newer service may add. */
export type DaricErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>);

/** One failing field: its path as it was sent, and the rule it broke. */
export type FieldFault = { path: string; message: string };

type Facts = {
  readonly code: DaricErrorCode;
  readonly operation: string;
  readonly status?: number | undefined;
  readonly details?: readonly FieldFault[] | undefined;
  readonly correlationId?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly docUrl?: string | undefined;
  readonly isOutcomeUnknown?: boolean | undefined;
  readonly cause?: unknown;
};

/** Why a call did not succeed. Tell them apart by `code`. */
export class DaricError extends Error {
  override readonly name = "DaricError";
  readonly code: DaricErrorCode;
  /** what was called, `POST /v1/deposit-addresses` */
  readonly operation: string;
  /** the HTTP status; undefined where nothing was answered */
  readonly status: number | undefined;
  /** every failing field of a VALIDATION_ERROR */
  readonly details: readonly FieldFault[];
  /** under which the operator finds the call in the logs */
  readonly correlationId: string | undefined;
  /** seconds after which another try makes sense */
  readonly retryAfter: number | undefined;
  /** the page with cause and cure */
  readonly docUrl: string | undefined;
  /** whether the call may have been carried out although it failed here: look before it is sent again */
  readonly isOutcomeUnknown: boolean;

  constructor(message: string, facts: Facts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = facts.code;
    this.operation = facts.operation;
    this.status = facts.status;
    this.details = facts.details ?? [];
    this.correlationId = facts.correlationId;
    this.retryAfter = facts.retryAfter;
    this.docUrl = facts.docUrl;
    this.isOutcomeUnknown = facts.isOutcomeUnknown ?? false;
  }
}
