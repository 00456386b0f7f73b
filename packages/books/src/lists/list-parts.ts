import type { AcceptingContext } from "@daric/charges/context";
import type { CallerScope } from "@daric/domain/api-scope";
import type { Caller } from "@daric/domain/caller";
import type { SealingContext } from "@daric/refunds/refund";
import { PART, type ReadPart } from "../files/export.ts";

/** The range of an export: rows made from `from` on and before `to`. */
export type RowRange = { readonly from?: Date | undefined; readonly to?: Date | undefined };
export type ListSource = Pick<Caller, "merchantId" | "scopes"> & {
  readonly config: AcceptingContext["config"] & SealingContext["config"];
};

/** A list that can be exported: the right that it needs, its columns, and its reader by the filters of its page. */
export type ExportList<Filter extends RowRange> = {
  readonly scope: CallerScope;
  readonly columns: readonly string[];
  /** Called once for a file. */
  open(source: ListSource, filter: Filter): ReadPart;
};

/** Fields of a row of a list that is read from its newest row. */
export type Listed = { readonly id: string | bigint; readonly createdAt?: Date };
type Part = { readonly read: readonly Listed[]; readonly shown: readonly object[] };

/** The exported fields of a row, in the order of their columns. */
export function pickColumns(row: object, columns: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(columns.map((name) => [name, (row as Record<string, unknown>)[name] ?? null]));
}

/**
 * Reads a list with its newest rows first, a part at a time. It reads little outside the range, however long the history is.
 */
export function newestFirst(
  columns: readonly string[],
  range: RowRange,
  read: (...part: Parameters<ReadPart>) => Promise<Part>,
): ReadPart {
  return async (db, after) => {
    const part = await read(db, after);
    const next = nextOf(part.read, range);
    return { rows: part.shown.map((row) => pickColumns(row, columns)), next };
  };
}

export const page = <Id>(after: Id | undefined) => ({ limit: PART, offset: 0, after });

export function within<Row extends { readonly createdAt: Date }>(
  range: RowRange,
  rows: readonly Row[],
): Row[] {
  return rows.filter(({ createdAt }) => isOfRange(range, createdAt));
}

export function isOfRange({ from, to }: RowRange, time: Date): boolean {
  return (to === undefined || time < to) && (from === undefined || time >= from);
}

/** The most that the order of ids differs from that of times: an id is made after its transaction began, by another clock. */
const OUT_OF_ORDER_MS = 3_600_000;

/** Where the next part begins; undefined past the end of the list or the beginning of the range. */
function nextOf(rows: readonly Listed[], { from }: RowRange): string | undefined {
  const last = rows.at(-1);
  if (last === undefined || rows.length < PART) return undefined;
  const isBefore =
    from !== undefined &&
    last.createdAt !== undefined &&
    Number(last.createdAt) < Number(from) - OUT_OF_ORDER_MS;
  return isBefore ? undefined : String(last.id);
}
