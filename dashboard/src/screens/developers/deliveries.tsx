import type { WebhookDelivery } from "@daric/sdk/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { callPage, pageContext } from "../../api/call.ts";
import { refreshMs } from "../../api/live.ts";
import type { RowPage } from "../../api/operations.ts";
import { deliveryToneOf } from "../../format/payment-state.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField } from "../../ui/field.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { Ago, Badge } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";

const PAGE = 50;
const LIVE_MS = 5_000;
const NAME = "GET /v1/webhooks/deliveries";
const STATUSES = ["PENDING", "SENDING", "DELIVERED", "FAILED", "EXHAUSTED"] as const;

/** Every event on its way to every endpoint. */
export function DeliveriesPage() {
  const search = useSearch({ from: "/inside/deliveries" });
  const navigate = useNavigate();
  const status = STATUSES.find((each) => each === search.status);
  const list = useDeliveries(status, search.referenceId);
  const text = words.developers.deliveries;
  const isFiltered = status !== undefined || search.referenceId !== undefined;
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const choose = (chosen: string) =>
    void navigate({
      to: "/deliveries",
      search: { ...search, status: chosen === "all" ? undefined : chosen },
    });
  return (
    <ListPage title={text.title} exports={{ list: "deliveries" }}>
      <search className="filters">
        <SelectField
          label={words.common.status}
          options={{ all: text.all, ...text.statuses }}
          value={status ?? "all"}
          onChange={(event) => choose(event.target.value)}
        />
      </search>
      <Loaded from={list}>
        {() => (rows.length === 0 ? <NoDeliveries isFiltered={isFiltered} /> : <Deliveries rows={rows} />)}
      </Loaded>
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.common.loadMore}
        </Button>
      )}
    </ListPage>
  );
}

function NoDeliveries({ isFiltered }: { readonly isFiltered: boolean }) {
  const text = words.developers.deliveries;
  return isFiltered ? (
    <Empty title={text.emptyFiltered} />
  ) : (
    <Empty title={text.empty} hint={text.emptyHint} />
  );
}

function useDeliveries(status: (typeof STATUSES)[number] | undefined, referenceId: string | undefined) {
  return useInfiniteQuery({
    queryKey: [pageContext.merchantId, NAME, status, referenceId],
    queryFn: ({ pageParam }): Promise<RowPage<WebhookDelivery>> =>
      callPage(NAME, { query: { status, referenceId, limit: PAGE, ...(pageParam && { after: pageParam }) } }),
    initialPageParam: "",
    getNextPageParam: ({ rows }) => (rows.length < PAGE ? undefined : rows.at(-1)?.id),
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? refreshMs(LIVE_MS) : false),
  });
}

function Deliveries({ rows }: { readonly rows: readonly WebhookDelivery[] }) {
  const text = words.developers.deliveries;
  return (
    <ul className="rows">
      {rows.map(({ id, event_type, status, created_at, last_status_code, last_error }) => (
        <li key={id}>
          <Link data-row to="/deliveries/$id" params={{ id }} className="row" preload={false}>
            <span className="row-title">{event_type}</span>
            <span className="row-amount">
              {last_status_code ?? (last_error ? text.errors[last_error] : "")}
            </span>
            <Badge tone={deliveryToneOf(status)}>{text.statuses[status]}</Badge>
            <span className="row-time">
              <Ago at={created_at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
