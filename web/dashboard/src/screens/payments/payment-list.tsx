import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { ListedRow } from "../../api/work-operations.ts";
import { PaymentRow } from "../../ui/payment-row.tsx";

type Props = {
  readonly rows: readonly ListedRow[];
  readonly hasMore: boolean;
  readonly onMore: () => void;
};

const ROW_PX = 60;
/** So many rows beyond the window are drawn: each costs time before a key or a tap is answered. */
const DRAWN_BEYOND = 5;
/** So many rows before the last the next page is read. */
const AHEAD = 12;

/** A list that draws only the rows in the window. j and k move in it, Enter opens. */
export function PaymentList({ rows, hasMore, onMore }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => ROW_PX,
    overscan: DRAWN_BEYOND,
    scrollMargin: list.current?.offsetTop ?? 0,
    getItemKey: (index) => rows[index]?.id ?? index,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= rows.length - AHEAD) onMore();
  }, [hasMore, last, rows.length, onMore]);
  return (
    <ul ref={list} className="rows is-virtual" style={{ height: virtual.getTotalSize() }}>
      {items.map(({ index, start, key }) => {
        const row = rows[index];
        const style = { transform: `translateY(${start - virtual.options.scrollMargin}px)` };
        return (
          row && (
            <li key={key} style={style} aria-setsize={hasMore ? -1 : rows.length} aria-posinset={index + 1}>
              <PaymentRow row={row} />
            </li>
          )
        );
      })}
    </ul>
  );
}
