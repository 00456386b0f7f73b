import type { ReactNode } from "react";
import { countText } from "../format/amount.ts";
import { words } from "../words/words.ts";

export type Column<Row> = {
  readonly name: string;
  readonly cell: (row: Row) => ReactNode;
  /** numbers and buttons stand at the end */
  readonly isEnd?: boolean;
};

type Props<Row> = {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string;
  /** the rows that the service answers at most */
  readonly max?: number;
};

/** A short table. On a phone each row becomes a card, whose cells carry the names of their columns. */
export function Table<Row>({ label, rows, columns, keyOf, max = Infinity }: Props<Row>) {
  return (
    <div className="table-frame">
      <table>
        <caption className="visually-hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isEnd }) => (
              <th key={name} scope="col" className={isEnd ? "end" : ""}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isEnd }) => (
                <td key={name} data-name={name} className={isEnd ? "end" : ""}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length >= max && <p className="hint">{words.common.mayBeMore({ count: countText(max) })}</p>}
    </div>
  );
}
