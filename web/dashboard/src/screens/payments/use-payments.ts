import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { callPage, pageContext } from "../../api/call.ts";
import { refreshMs } from "../../api/live.ts";
import type { RowPage } from "../../api/operations.ts";
import type { ListedRow } from "../../api/work-operations.ts";
import { type PaymentFilters, rangeOf } from "../../format/payment-filters.ts";

const PAGE = 50;
/** How often the newest payments are read again. */
const LIVE_MS = 5_000;
/** A page of a filter that few payments fit may have none. After so many the person says whether to look on. */
const MAX_EMPTY = 10;
const NAME = "GET /dashboard/v1/payments";

/** The payments that fit, read as far as the person has looked. */
export function usePayments(filters: PaymentFilters) {
  const query = { ...filters, ...rangeOf(filters), limit: String(PAGE) };
  const list = useInfiniteQuery({
    queryKey: [pageContext.merchantId, NAME, filters],
    queryFn: ({ pageParam }): Promise<RowPage<ListedRow>> =>
      callPage(NAME, { query: { ...query, ...(pageParam && { after: pageParam }) } }),
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    // A list that was scrolled is not read again by itself: its rows would move.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? refreshMs(LIVE_MS) : false),
  });
  const pages = list.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);
  const count = pages?.length ?? 0;
  const isFruitless =
    count > 0 && count % MAX_EMPTY === 0 && pages?.slice(-MAX_EMPTY).every((page) => page.rows.length === 0);
  const mayRead = list.hasNextPage && !list.isFetchNextPageError;
  return {
    list,
    rows,
    total: pages?.[0]?.total,
    /** the next page is read as soon as the person comes near */
    hasMore: mayRead && !isFruitless,
    /** nothing was found for long, or a page could not be read: the person decides */
    isPaused: list.hasNextPage && (isFruitless || list.isFetchNextPageError) && !list.isFetchingNextPage,
    readMore: () => void (list.isFetchingNextPage || list.fetchNextPage()),
  };
}
