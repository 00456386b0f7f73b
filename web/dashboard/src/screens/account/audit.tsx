import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { callPage, pageContext } from "../../api/call.ts";
import type { RowPage } from "../../api/operations.ts";
import { useRead } from "../../api/use-call.ts";
import type { AuditEntry } from "../../api/work-operations.ts";
import { actionText, changesOf } from "../../format/audit-entry.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Exports } from "../../ui/exports.tsx";
import { Empty, Loaded, Page, Section } from "../../ui/page.tsx";
import { When } from "../../ui/show.tsx";
import { Table } from "../../ui/table.tsx";
import { loadBookWords } from "../../words/book-words.ts";
import { loadShopWords } from "../../words/shop-words.ts";
import { words } from "../../words/words.ts";

await Promise.all([loadBookWords(), loadShopWords()]);

const NAME = "GET /dashboard/v1/audit";
const PAGE = 50;

/** Every change with its person, its time and its address. */
export function AuditPage() {
  const list = useInfiniteQuery({
    queryKey: [pageContext.merchantId, NAME],
    queryFn: ({ pageParam }): Promise<RowPage<AuditEntry>> =>
      callPage(NAME, { query: { limit: String(PAGE), ...(pageParam && { after: pageParam }) } }),
    initialPageParam: "",
    getNextPageParam: ({ rows }) => (rows.length < PAGE ? undefined : rows.at(-1)?.id),
  });
  const isWhole = useMay("audit:read");
  const text = words.account.audit;
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Page title={text.title} {...(isWhole && { hint: text.hint })} actions={<Exports list="audit" />}>
      <Loaded from={list}>
        {() => (rows.length === 0 ? <Empty title={text.empty} /> : <Entries rows={rows} />)}
      </Loaded>
      {list.hasNextPage && (
        <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {words.common.loadMore}
        </Button>
      )}
    </Page>
  );
}

function Entries({ rows }: { readonly rows: readonly AuditEntry[] }) {
  const text = words.account.audit;
  return (
    <Section>
      <Table
        label={text.title}
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          { name: words.common.created, cell: ({ at }) => <When at={at} /> },
          { name: text.who, cell: ({ actor }) => <Who actor={actor} /> },
          { name: text.what, cell: (entry) => <What entry={entry} /> },
          { name: text.change, cell: (entry) => <Changes entry={entry} /> },
          { name: text.where, cell: ({ address }) => address ?? text.commandLine },
        ]}
      />
    </Section>
  );
}

/** The name of a person of this merchant; otherwise what the log says. */
function Who({ actor }: { readonly actor: string }) {
  const { data = [] } = useRead("GET /dashboard/v1/people", {});
  return data.find(({ id }) => actor.endsWith(id))?.name ?? actor;
}

const PAYMENT = /^(?:deposit address|charge) ([0-9a-f-]{36})$/;

/** The act with its reason; an act on a payment leads to it. */
function What({ entry: { action, reason, subject } }: { readonly entry: AuditEntry }) {
  const [, payment] = PAYMENT.exec(subject) ?? [];
  const text = actionText(action);
  return (
    <>
      {payment === undefined ? (
        text
      ) : (
        <Link to="/payments/$id" params={{ id: payment }}>
          {text}
        </Link>
      )}
      {reason && (
        <p className="hint" dir="auto">
          {reason}
        </p>
      )}
    </>
  );
}

function Changes({ entry }: { readonly entry: AuditEntry }) {
  const changes = changesOf(entry);
  const text = words.account.audit;
  if (changes.length === 0) return "–";
  return (
    <ul className="changes">
      {changes.map(({ field, before, after }) => (
        <li key={field}>
          <span className="hint">{field}</span>{" "}
          {before !== undefined && (
            <>
              <span className="visually-hidden">{text.before}: </span>
              <span dir="auto">{before}</span>
            </>
          )}
          {before !== undefined && after !== undefined && (
            <span aria-hidden="true" className="arrow">
              →
            </span>
          )}
          {after !== undefined && (
            <>
              <span className="visually-hidden">{text.after}: </span>
              <strong dir="auto">{after}</strong>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
