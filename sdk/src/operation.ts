import type { Operations } from "./contract.ts";

/** An operation of the contract by its method and path, `GET /v1/deposits/{id}`. */
export type Operation = keyof Operations;
/** Operations that answer a page of rows. */
export type ListOperation = {
  [Name in Operation]: Operations[Name]["answer"] extends unknown[] ? Name : never;
}[Operation];

export type QueryOf<Name extends Operation> = Operations[Name]["query"];
export type BodyOf<Name extends Operation> = Operations[Name]["body"];
export type AnswerOf<Name extends Operation> = Operations[Name]["answer"];
export type RowOf<Name extends ListOperation> = AnswerOf<Name>[number];

type Part = "path" | "query" | "body";
/** What goes into an operation: only the parts that it has. */
export type InputOf<Name extends Operation> = {
  readonly [Key in Part as Operations[Name][Key] extends undefined ? never : Key]: Operations[Name][Key];
};

/** What one call may have of its own. */
export type CallOptions = {
  /** gives the call up; it then fails with the signal's reason */
  readonly signal?: AbortSignal | undefined;
  /** for each try, instead of the client's */
  readonly timeoutMs?: number | undefined;
  /** sent as `x-correlation-id`, and repeated in errors and the operator's logs; at most 128 printable ASCII characters */
  readonly correlationId?: string | undefined;
};

/** The body of every answer to what was carried out, for who reads answers without the client. */
export type SuccessEnvelope<Data> = {
  readonly success: true;
  readonly message: string;
  readonly data: Data;
  /** of lists */
  readonly meta?: ListPage<Data>["meta"];
  /** to a test key only: which fields of the body were ignored, at most 10 */
  readonly warnings?: readonly string[];
};

/** One page of a list, newest first, and how many rows there are in all. */
export type ListPage<Row> = {
  readonly data: Row[];
  readonly meta: { readonly page: number; readonly limit: number; readonly total: number };
};
