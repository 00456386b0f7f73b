import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useRead } from "../../api/use-call.ts";
import { countText } from "../../format/amount.ts";
import { type PaymentFilters, readPaymentFilters } from "../../format/payment-filters.ts";
import { Button } from "../../ui/button.tsx";
import { ends } from "../../ui/copy.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { words } from "../../words/words.ts";

type Props = { readonly filters: PaymentFilters; readonly total: number | undefined };

/** Changes the address of the page; Back undoes it. */
export function Filters({ filters, total }: Props) {
  const navigate = useNavigate();
  const set = (name: keyof PaymentFilters, value: string) =>
    void navigate({ to: "/payments", search: readPaymentFilters({ ...filters, [name]: value }) });
  const { payments } = words;
  const selects = [
    ["kind", payments.kind, payments.kinds],
    ["status", words.common.status, payments.statuses],
    ["payment", payments.one, payments.paid],
  ] as const;
  return (
    <search className="filters">
      {selects.map(([name, label, options]) => (
        <SelectField
          key={name}
          label={label}
          options={options}
          value={filters[name] ?? "all"}
          onChange={(event) => set(name, event.target.value)}
        />
      ))}
      {(["from", "to"] as const).map((name) => (
        <TextField
          key={name}
          label={payments[name === "from" ? "fromDay" : "toDay"]}
          type="date"
          value={filters[name] ?? ""}
          onChange={(event) => set(name, event.target.value)}
        />
      ))}
      <form
        key={filters.reference}
        onSubmit={(event) => {
          event.preventDefault();
          set("reference", String(new FormData(event.currentTarget).get("reference") ?? "").trim());
        }}
      >
        <TextField
          label={payments.filterReference}
          name="reference"
          type="search"
          maxLength={120}
          defaultValue={filters.reference ?? ""}
          onBlur={({ target }) => target.form?.requestSubmit()}
        />
      </form>
      {filters.paymentLinkId && (
        <Narrowing label={words.paymentLinks.one} onEnd={() => set("paymentLinkId", "")}>
          <LinkTitle id={filters.paymentLinkId} />
        </Narrowing>
      )}
      {filters.payerRef && (
        <Narrowing label={words.paymentLinks.typed.ref} onEnd={() => set("payerRef", "")}>
          {filters.payerRef}
        </Narrowing>
      )}
      <p className="hint total" role="status">
        {total !== undefined && words.common.total({ count: countText(total) })}
      </p>
    </search>
  );
}

type NarrowingProps = { readonly label: string; readonly onEnd: () => void; readonly children: ReactNode };

/** A filter that another page chose: it can only be ended. */
function Narrowing({ label, onEnd, children }: NarrowingProps) {
  return (
    <div className="field">
      <span className="label">{label}</span>
      <Button onClick={onEnd} title={words.common.remove}>
        <bdi>{children}</bdi> <span aria-hidden="true">×</span>
        <span className="visually-hidden">{words.common.remove}</span>
      </Button>
    </div>
  );
}

function LinkTitle({ id }: { readonly id: string }) {
  const link = useRead("GET /v1/payment-links/{id}", { path: { id } });
  return <>{link.data?.title ?? ends(id)}</>;
}
