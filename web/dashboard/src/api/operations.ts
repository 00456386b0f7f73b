import type { Operations as Contract } from "@daric/sdk/contract";
import type { DashboardOperations } from "./dashboard-contract.ts";
import type { OverviewOperations } from "./operator-operations.ts";
import type { PasskeyOperations } from "./sign-in-operations.ts";

/** Operations whose parts have other types than their schemas. */
type Typed = PasskeyOperations & OverviewOperations;

/** Every operation that the pages call, by its method and path. */
export type Operations = Contract & Omit<DashboardOperations, keyof Typed> & Typed;

export type Operation = Extract<keyof Operations, string>;
/** The answer of an operation, without its envelope. */
export type Answer<Name extends Operation> = Operations[Name]["answer"];

type Part = "path" | "query" | "body";
/** The input of an operation: only its own parts. */
export type Input<Name extends Operation> = {
  readonly [Key in Part as Operations[Name][Key] extends undefined ? never : Key]: Operations[Name][Key];
} & {
  /** `updated_at` of the row that a form shows: the service refuses the form of an older one */
  readonly shownAt?: string;
};

/** A page of a list, with the number of all rows and the row after which to read on, if the list has them. */
export type RowPage<Row> = {
  readonly rows: Row[];
  readonly total: number | undefined;
  readonly next: string | undefined;
};
