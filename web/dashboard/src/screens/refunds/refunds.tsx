import type { Refund } from "@daric/sdk/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { callPage, pageContext } from "../../api/call.ts";
import { refreshMs } from "../../api/live.ts";
import type { RowPage } from "../../api/operations.ts";
import { countText } from "../../format/amount.ts";
import { type RefundStatus, refundStatuses } from "../../format/refund-state.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Exports } from "../../ui/exports.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Empty, Loaded, Page } from "../../ui/page.tsx";
import { RefundRow } from "../../ui/refund-row.tsx";
import { refundWords } from "../../words/refund-words.ts";
import { words } from "../../words/words.ts";
import { PayFiles } from "./pay-files.tsx";

const PAGE = 50;
const LIVE_MS = 5_000;
const NAME = "GET /v1/refunds";

/** The refunds of a merchant, newest first. The filter is the address of the page. */
export function RefundsPage() {
  const search = useSearch({ from: "/inside/refunds" });
  const navigate = useNavigate();
  const status = refundStatuses.find((one) => one === search.status);
  const list = useRefunds(status);
  const mayPay = useMay("refunds:pay");
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = list.data?.pages[0]?.total;
  return (
    <Page
      title={refundWords.title}
      hint={refundWords.hint}
      actions={
        <>
          {mayPay && <PayFiles />}
          <Exports list="refunds" />
        </>
      }
    >
      <search className="filters">
        <SelectField
          label={words.common.status}
          options={refundWords.statuses}
          value={status ?? "all"}
          onChange={({ target: { value } }) =>
            void navigate({ to: "/refunds", search: { status: value === "all" ? undefined : value } })
          }
        />
        <p className="hint total" role="status">
          {total !== undefined && words.common.total({ count: countText(total) })}
        </p>
      </search>
      <Loaded from={list}>
        {() => (rows.length === 0 ? <NoRefunds isFiltered={status !== undefined} /> : <Rows rows={rows} />)}
      </Loaded>
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.common.loadMore}
        </Button>
      )}
    </Page>
  );
}

function useRefunds(status: RefundStatus | undefined) {
  return useInfiniteQuery({
    queryKey: [pageContext.merchantId, NAME, { status }],
    queryFn: ({ pageParam }): Promise<RowPage<Refund>> =>
      callPage(NAME, { query: { status, limit: PAGE, ...(pageParam && { after: pageParam }) } }),
    initialPageParam: "",
    getNextPageParam: ({ rows }) => (rows.length < PAGE ? undefined : rows.at(-1)?.id),
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? refreshMs(LIVE_MS) : false),
  });
}

function NoRefunds({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title={refundWords.emptyFiltered} />;
  return <Empty title={refundWords.empty} hint={refundWords.emptyHint} />;
}

function Rows({ rows }: { readonly rows: readonly Refund[] }) {
  return (
    <ul className="rows">
      {rows.map((refund) => (
        <li key={refund.id}>
          <RefundRow refund={refund} />
        </li>
      ))}
    </ul>
  );
}
