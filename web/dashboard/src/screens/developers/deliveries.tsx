import type { WebhookDelivery } from "@daric/sdk/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { callPage, pageContext } from "../../api/call.ts";
import { refreshMs } from "../../api/live.ts";
import type { RowPage } from "../../api/operations.ts";
import { useRead } from "../../api/use-call.ts";
import { deliveryToneOf } from "../../format/payment-state.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { Empty, Loaded } from "../../ui/page.tsx";
import { Ago, Badge } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";

const PAGE = 50;
const LIVE_MS = 5_000;
const NAME = "GET /v1/webhooks/deliveries";
const STATUSES = ["PENDING", "SENDING", "DELIVERED", "FAILED", "EXHAUSTED"] as const;

/** Every event on its way to every endpoint, or those of an endpoint and of an order. */
export function DeliveriesPage() {
  const search = useSearch({ from: "/inside/deliveries" });
  const status = STATUSES.find((status) => status === search.status);
  const list = useDeliveries({ ...search, status });
  const isFiltered = Object.values({ ...search, status }).some((value) => value !== undefined);
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <ListPage title={words.developers.deliveries.title} exports={{ list: "deliveries" }}>
      <Filters chosen={{ ...search, status }} />
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

type Chosen = {
  readonly status: (typeof STATUSES)[number] | undefined;
  readonly referenceId?: string | undefined;
  readonly endpointId?: string | undefined;
  readonly orderRef?: string | undefined;
};

/** Changes the address of the page; Back undoes it. */
function Filters({ chosen }: { readonly chosen: Chosen }) {
  const navigate = useNavigate();
  const endpoints = useRead("GET /v1/webhooks/endpoints", { query: { limit: 100 } });
  const text = words.developers.deliveries;
  const set = (name: keyof Chosen, value: string) =>
    void navigate({
      to: "/deliveries",
      search: { ...chosen, [name]: value === "all" || value === "" ? undefined : value },
    });
  const urls = Object.fromEntries((endpoints.data ?? []).map(({ id, url }) => [id, url]));
  const { endpointId } = chosen;
  return (
    <search className="filters">
      <SelectField
        label={words.common.status}
        options={{ all: text.all, ...text.statuses }}
        value={chosen.status ?? "all"}
        onChange={(event) => set("status", event.target.value)}
      />
      <SelectField
        label={text.endpoint}
        options={{ all: text.anyEndpoint, ...(endpointId && { [endpointId]: endpointId }), ...urls }}
        value={endpointId ?? "all"}
        onChange={(event) => set("endpointId", event.target.value)}
      />
      <form
        key={chosen.orderRef}
        onSubmit={(event) => {
          event.preventDefault();
          set("orderRef", String(new FormData(event.currentTarget).get("orderRef") ?? "").trim());
        }}
      >
        <TextField
          label={words.common.reference}
          name="orderRef"
          type="search"
          maxLength={120}
          defaultValue={chosen.orderRef ?? ""}
          onBlur={({ target }) => target.form?.requestSubmit()}
        />
      </form>
    </search>
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

function useDeliveries(chosen: Chosen) {
  return useInfiniteQuery({
    queryKey: [pageContext.merchantId, NAME, chosen],
    queryFn: ({ pageParam }): Promise<RowPage<WebhookDelivery>> =>
      callPage(NAME, { query: { ...chosen, limit: PAGE, ...(pageParam && { after: pageParam }) } }),
    initialPageParam: "",
    getNextPageParam: ({ rows }) => (rows.length < PAGE ? undefined : rows.at(-1)?.id),
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? refreshMs(LIVE_MS) : false),
  });
}

function Deliveries({ rows }: { readonly rows: readonly WebhookDelivery[] }) {
  const text = words.developers.deliveries;
  return (
    <ul className="rows">
      {rows.map(({ id, event_type, order_ref, endpoint_url, status, ...row }) => (
        <li key={id}>
          <Link data-row to="/deliveries/$id" params={{ id }} className="row has-more" preload={false}>
            <span className="row-title" dir="auto">
              {order_ref ?? event_type}
            </span>
            <span className="row-amount">
              {row.last_status_code ?? (row.last_error ? text.errors[row.last_error] : "")}
            </span>
            <span className="row-more" dir="ltr">
              {[order_ref && event_type, endpoint_url?.replace(/^https?:\/\//, "")]
                .filter(Boolean)
                .join(" · ")}
            </span>
            <Badge tone={deliveryToneOf(status)}>{text.statuses[status]}</Badge>
            <span className="row-time">
              <Ago at={row.created_at} />
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
