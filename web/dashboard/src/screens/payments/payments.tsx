import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { rangeOf } from "../../format/payment-filters.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Exports } from "../../ui/exports.tsx";
import { Empty, Loaded, Page } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";
import { Filters } from "./filters.tsx";
import { PaymentList } from "./payment-list.tsx";
import { usePayments } from "./use-payments.ts";

/** Every payment, newest first. The filters are the address of the page. */
export function PaymentsPage() {
  const filters = useSearch({ from: "/inside/payments" });
  const { list, rows, total, hasMore, isPaused, readMore } = usePayments(filters);
  const isFiltered = Object.keys(filters).length > 0;
  const { payments } = words;
  const actions = (
    <>
      <Exports list="payments" filter={{ ...filters, from: undefined, to: undefined, ...rangeOf(filters) }} />
      <AskForPayment />
    </>
  );
  return (
    <Page title={payments.title} actions={actions}>
      <Filters filters={filters} total={total} />
      <Loaded from={list}>
        {() => (
          <>
            {rows.length === 0 && !list.hasNextPage && <Nothing isFiltered={isFiltered} />}
            <PaymentList rows={rows} hasMore={hasMore} onMore={readMore} />
            {list.hasNextPage && rows.length === 0 && (
              <p className="hint" role="status">
                {isPaused ? payments.nothingYet : payments.looking}
              </p>
            )}
            {isPaused && <Button onClick={readMore}>{payments.lookOn}</Button>}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function AskForPayment() {
  const mayCreate = useMay("charges:write");
  if (!mayCreate) return null;
  return (
    <Link className="button primary" to="/ask-for-payment">
      {words.shell.askForPayment}
    </Link>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const navigate = useNavigate();
  const { payments } = words;
  if (!isFiltered)
    return (
      <Empty title={payments.empty} hint={payments.emptyHint}>
        <AskForPayment />
      </Empty>
    );
  return (
    <Empty title={payments.emptyFiltered}>
      <Button onClick={() => void navigate({ to: "/payments", search: {} })}>{payments.clear}</Button>
    </Empty>
  );
}
