import type { PaymentLink } from "@daric/sdk/contract";
import { useChange, useReread } from "../../api/use-call.ts";
import { groupDigits } from "../../format/amount.ts";
import { linkChangeBody } from "../../format/payment-link-body.ts";
import { localTimeText } from "../../format/time.ts";
import { sentAmount } from "../../format/typed-amount.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { useRowForm } from "../../ui/use-row-form.ts";
import { words } from "../../words/words.ts";
import { StockField } from "./link-fields.tsx";

const ONE = "GET /v1/payment-links/{id}";

type Props = { readonly link: PaymentLink; readonly onClose: () => void };

/** Changes what a link says and how much it sells. Orders that exist stay as they are. */
export function ChangeLink({ link, onClose }: Props) {
  const path = { id: link.id };
  const change = useChange("PATCH /v1/payment-links/{id}", [ONE, "GET /v1/payment-links"]);
  const form = useRowForm({ row: link, textsOf, reread: useReread(ONE, { path }) });
  const text = words.paymentLinks;
  const send = () =>
    form.save(({ maxPayments, ...typed }, shownAt) => {
      const count = maxPayments !== undefined && { maxPayments: sentAmount(maxPayments) };
      return change.mutateAsync({ path, body: linkChangeBody({ ...typed, ...count }), shownAt });
    });
  return (
    <Dialog title={text.edit} onClose={onClose}>
      <Form
        submit={words.common.save}
        isBusy={change.isPending}
        error={change.error}
        onCancel={onClose}
        onSubmit={() => void send().then(onClose, () => undefined)}
      >
        <TextField label={text.name} maxLength={120} {...form.field("title")} />
        <TextArea label={text.description} maxLength={500} {...form.field("description")} isOptional />
        <StockField {...form.field("maxPayments")} />
        <TextField
          label={text.end}
          type="datetime-local"
          {...form.field("expiresAt", { hint: text.endHint })}
          isOptional
        />
      </Form>
    </Dialog>
  );
}

function textsOf({ title, description, max_payments: most, expires_at: end }: PaymentLink) {
  return {
    title,
    description: description ?? "",
    maxPayments: most === null ? "" : groupDigits(String(most)),
    expiresAt: end === null ? "" : localTimeText(end),
  };
}
