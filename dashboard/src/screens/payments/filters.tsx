import { useNavigate } from "@tanstack/react-router";
import { countText } from "../../format/amount.ts";
import { type PaymentFilters, readPaymentFilters } from "../../format/payment-filters.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { words } from "../../words/words.ts";

type Props = { readonly filters: PaymentFilters; readonly total: number | undefined };

/** Changes the address of the page; Back undoes it. */
export function Filters({ filters, total }: Props) {
  const navigate = useNavigate();
  const set = (name: string, value: string) =>
    void navigate({ to: "/payments", search: readPaymentFilters({ ...filters, [name]: value }) });
  const { kinds, statuses } = words.payments;
  return (
    <search className="filters">
      <SelectField
        label={words.payments.kind}
        options={kinds}
        value={filters.kind ?? "all"}
        onChange={(event) => set("kind", event.target.value)}
      />
      <SelectField
        label={words.common.status}
        options={statuses}
        value={filters.status ?? "all"}
        onChange={(event) => set("status", event.target.value)}
      />
      <form
        key={filters.orderRef}
        onSubmit={(event) => {
          event.preventDefault();
          set("orderRef", String(new FormData(event.currentTarget).get("orderRef") ?? "").trim());
        }}
      >
        <TextField
          label={words.payments.filterReference}
          name="orderRef"
          type="search"
          maxLength={120}
          defaultValue={filters.orderRef ?? ""}
        />
      </form>
      <p className="hint total" role="status">
        {total !== undefined && words.common.total(countText(total))}
      </p>
    </search>
  );
}
