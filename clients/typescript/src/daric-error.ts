import type { ErrorBody } from "./contract.ts";

/** The codes of the service. */
export type ErrorCode = ErrorBody["error"]["code"];

/**
 * The client's own codes: no answer in time, no connection, an answer that is not Daric's, or an order of
 * that reference at another price.
 */
export type ClientErrorCode = "TIMEOUT" | "CONNECTION" | "UNEXPECTED_ANSWER" | "ORDER_REF_CONFLICT";

/** The known codes, and any other that a newer service may add. */
export type DaricErrorCode = ErrorCode | ClientErrorCode | (string & Record<never, never>);

/** One failing field: its path as sent, and the broken rule. */
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

/** The failure of a call. Distinguish by `code`. */
export class DaricError extends Error {
  override readonly name = "DaricError";
  readonly code: DaricErrorCode;
  /** the operation, `POST /v1/deposit-addresses` */
  readonly operation: string;
  /** the HTTP status; undefined without an answer */
  readonly status: number | undefined;
  /** every failing field of a VALIDATION_ERROR */
  readonly details: readonly FieldFault[];
  /** the id of the call in the operator's logs */
  readonly correlationId: string | undefined;
  /** the seconds to wait before another try */
  readonly retryAfter: number | undefined;
  /** the page with the cause and the remedy */
  readonly docUrl: string | undefined;
  /** whether the call may have been carried out although it failed here: look before you send it again */
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
