import type { PaymentLink } from "@daric/sdk/contract";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { callPage, pageContext } from "../../api/call.ts";
import { refreshMs } from "../../api/live.ts";
import type { RowPage } from "../../api/operations.ts";
import { countText } from "../../format/amount.ts";
import { linkToneOf, priceText } from "../../format/payment-link.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Empty, Loaded, Page, Section } from "../../ui/page.tsx";
import { Badge } from "../../ui/show.tsx";
import { Table } from "../../ui/table.tsx";
import { words } from "../../words/words.ts";

const PAGE = 50;
const LIVE_MS = 5_000;
const NAME = "GET /v1/payment-links";

/** The payment links of a merchant, newest first. The filter is the address of the page. */
export function PaymentLinksPage() {
  const search = useSearch({ from: "/inside/payment-links" });
  const navigate = useNavigate();
  const status = (["active", "disabled", "sold_out", "expired"] as const).find(
    (one) => one === search.status,
  );
  const list = useLinks(status);
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = list.data?.pages[0]?.total;
  const text = words.paymentLinks;
  return (
    <Page title={text.title} hint={text.hint} actions={<Create />}>
      <search className="filters">
        <SelectField
          label={words.common.status}
          options={text.statuses}
          value={status ?? "all"}
          onChange={({ target: { value } }) =>
            void navigate({ to: "/payment-links", search: { status: value === "all" ? undefined : value } })
          }
        />
        <p className="hint total" role="status">
          {total !== undefined && words.common.total({ count: countText(total) })}
        </p>
      </search>
      <Loaded from={list}>
        {() => (rows.length === 0 ? <NoLinks isFiltered={status !== undefined} /> : <Links rows={rows} />)}
      </Loaded>
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.common.loadMore}
        </Button>
      )}
    </Page>
  );
}

function useLinks(status: PaymentLink["status"] | undefined) {
  return useInfiniteQuery({
    queryKey: [pageContext.merchantId, NAME, { status }],
    queryFn: ({ pageParam }): Promise<RowPage<PaymentLink>> =>
      callPage(NAME, { query: { status, limit: PAGE, ...(pageParam && { after: pageParam }) } }),
    initialPageParam: "",
    getNextPageParam: ({ rows }) => (rows.length < PAGE ? undefined : rows.at(-1)?.id),
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? refreshMs(LIVE_MS) : false),
  });
}

function Create() {
  const mayCreate = useMay("charges:write");
  if (!mayCreate) return null;
  return (
    <Link className="button primary" to="/payment-links/new">
      {words.paymentLinks.create}
    </Link>
  );
}

function NoLinks({ isFiltered }: { readonly isFiltered: boolean }) {
  const text = words.paymentLinks;
  if (isFiltered) return <Empty title={text.emptyFiltered} />;
  return (
    <Empty title={text.empty} hint={text.emptyHint}>
      <Create />
    </Empty>
  );
}

function Links({ rows }: { readonly rows: readonly PaymentLink[] }) {
  const { common, payments, paymentLinks: text, work } = words;
  return (
    <Section>
      <Table
        label={text.title}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          {
            name: text.name,
            cell: ({ id, title }) => (
              <Link data-row to="/payment-links/$id" params={{ id }} dir="auto">
                {title}
              </Link>
            ),
          },
          { name: payments.price, cell: (link) => <span className="money">{priceText(link)}</span> },
          {
            name: common.status,
            cell: ({ status }) => <Badge tone={linkToneOf(status)}>{text.statuses[status]}</Badge>,
          },
          { name: text.openOrders, cell: ({ orders_open: open }) => countText(open) },
          { name: work.home.orders, cell: paidText },
          { name: text.share, isEnd: true, cell: ({ url }) => url !== null && <CopyUrl url={url} /> },
        ]}
      />
    </Section>
  );
}

function CopyUrl({ url }: { readonly url: string }) {
  return (
    <div className="buttons">
      <CopyButton text={url} kind="button" label={words.paymentLinks.copyLink} />
    </div>
  );
}

/** The paid orders, of how many there may be. */
function paidText({ orders_paid: paid, max_payments: most }: PaymentLink): string {
  if (most === null) return countText(paid);
  return words.paymentLinks.paidOf({ paid: countText(paid), most: countText(most) });
}
