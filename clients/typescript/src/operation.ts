import type { Downloads, Operations } from "./contract.ts";

/** An operation of the contract by its method and path, `GET /v1/deposits/{id}`. */
export type Operation = keyof Operations;
/** Operations that return a page of rows. */
export type ListOperation = {
  [Name in Operation]: Operations[Name]["answer"] extends unknown[] ? Name : never;
}[Operation];

export type QueryOf<Name extends Operation> = Operations[Name]["query"];
export type BodyOf<Name extends Operation> = Operations[Name]["body"];
export type AnswerOf<Name extends Operation> = Operations[Name]["answer"];
export type RowOf<Name extends ListOperation> = AnswerOf<Name>[number];

type Part = "path" | "query" | "body";
/** The input of an operation: only its own parts. */
export type InputOf<Name extends Operation> = {
  readonly [Key in Part as Operations[Name][Key] extends undefined ? never : Key]: Operations[Name][Key];
};

/** An operation that answers a file, or does so for a `format`. */
export type DownloadOperation = keyof Downloads | "GET /v1/statements";

/** Whatever can be called. */
export type AnyOperation = Operation | DownloadOperation;

/** A downloaded file, held in memory. */
export type DownloadedFile = {
  readonly content: Uint8Array<ArrayBuffer>;
  /** its media type: `text/csv; charset=utf-8` */
  readonly type: string;
  /** the name that the service gave it, without a folder; undefined without one */
  readonly name: string | undefined;
};

/** The options of one call. */
export type CallOptions = {
  /** aborts the call, which then fails with the signal's reason */
  readonly signal?: AbortSignal | undefined;
  /** the limit of each try, instead of the client's; instead of 120 s for a file */
  readonly timeoutMs?: number | undefined;
  /**
   * sent as `x-correlation-id`, and repeated in errors and the operator's logs; at most 128 printable ASCII
   * characters
   */
  readonly correlationId?: string | undefined;
};

/** The body of every successful answer, for code without the client. */
export type SuccessEnvelope<Data> = {
  readonly success: true;
  readonly message: string;
  readonly data: Data;
  /** only in answers with a list */
  readonly meta?: ListPage<Data>["meta"];
  /** for a test key only: the ignored fields of the body, at most 10 */
  readonly warnings?: readonly string[];
};

/** One page of a feed, oldest first. */
export type CursorPage<Row> = {
  readonly data: Row[];
  readonly meta: {
    readonly limit: number;
    /** the `after` of the next call; null while there is no event */
    readonly next: string | null;
    /** whether more may follow now */
    readonly has_more: boolean;
  };
};

/** One page of a list, newest first, and the number of all rows. */
export type ListPage<Row> = {
  readonly data: Row[];
  readonly meta: { readonly page: number; readonly limit: number; readonly total: number };
};
