import type { DepositAddress } from "@daric/sdk/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { callPage, ties } from "../../api/call.ts";
import { refreshMs } from "../../api/live.ts";
import type { RowPage } from "../../api/operations.ts";
import type { PaymentFilters } from "../../format/payment-filters.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Exports } from "../../ui/exports.tsx";
import { Empty, Loaded, Page } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";
import { Filters } from "./filters.tsx";
import { PaymentList } from "./payment-list.tsx";

const PAGE = 50;
/** How often the newest payments are read again. */
const LIVE_MS = 5_000;
const NAME = "GET /v1/deposit-addresses";

/** Every payment, newest first. The filters are the address of the page. */
export function PaymentsPage() {
  const filters = useSearch({ from: "/inside/payments" });
  const list = usePayments(filters);
  const isFiltered = Object.keys(filters).length > 0;
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  return (
    <Page title={words.payments.title} actions={<Actions />}>
      <Filters filters={filters} total={list.data?.pages[0]?.total} />
      <Loaded from={list}>
        {() =>
          rows.length === 0 ? (
            <Nothing isFiltered={isFiltered} />
          ) : (
            <PaymentList
              rows={rows}
              hasMore={list.hasNextPage}
              onMore={() => void (list.isFetchingNextPage || list.fetchNextPage())}
            />
          )
        }
      </Loaded>
    </Page>
  );
}

function usePayments(filters: PaymentFilters) {
  return useInfiniteQuery({
    queryKey: [ties.merchantId, NAME, filters],
    queryFn: ({ pageParam }): Promise<RowPage<DepositAddress>> =>
      callPage(NAME, { query: { ...filters, limit: PAGE, ...(pageParam && { after: pageParam }) } }),
    initialPageParam: "",
    getNextPageParam: ({ rows }) => (rows.length < PAGE ? undefined : rows.at(-1)?.id),
    // A list that was scrolled is not read again by itself: its rows would move.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? refreshMs(LIVE_MS) : false),
  });
}

function Actions() {
  return (
    <>
      <Exports list="payments" />
      <CreateLink />
    </>
  );
}

function CreateLink() {
  const mayCreate = useMay("charges:write");
  if (!mayCreate) return null;
  return (
    <Link className="button primary" to="/create-link">
      {words.shell.createLink}
    </Link>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const navigate = useNavigate();
  const { payments } = words;
  if (!isFiltered)
    return (
      <Empty title={payments.empty} hint={payments.emptyHint}>
        <CreateLink />
      </Empty>
    );
  return (
    <Empty title={payments.emptyFiltered}>
      <Button onClick={() => void navigate({ to: "/payments", search: {} })}>{payments.clear}</Button>
    </Empty>
  );
}
