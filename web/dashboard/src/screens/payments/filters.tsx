import { useNavigate } from "@tanstack/react-router";
import { countText } from "../../format/amount.ts";
import { type PaymentFilters, readPaymentFilters } from "../../format/payment-filters.ts";
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
      <p className="hint total" role="status">
        {total !== undefined && words.common.total({ count: countText(total) })}
      </p>
    </search>
  );
}
