import { useChange } from "../../api/use-call.ts";
import type { Decision, InboxRow } from "../../api/work-operations.ts";
import { moneyText } from "../../format/amount.ts";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { TextField } from "../../ui/field.tsx";
import { words } from "../../words/words.ts";

type DecideProps = {
  /** of the payment */
  readonly id: string;
  readonly decision: Decision & ("accept" | "dismiss");
  /** for `accept` alone */
  readonly money?: Pick<InboxRow, "credited_amount" | "price_amount" | "currency">;
};

/** A decision with its reason, which is written down beside it. */
export function Decide({ id, decision, money }: DecideProps) {
  const change = useChange("POST /dashboard/v1/inbox/{id}/decide");
  const { inbox } = words.work;
  const isAccept = decision === "accept";
  return (
    <ConfirmButton
      kind={isAccept ? "primary" : "plain"}
      label={isAccept ? words.payments.accept : inbox.dismiss}
      hint={isAccept && money !== undefined ? acceptText(money) : inbox.dismissHint}
      change={change}
      onConfirm={({ note = "" }) => change.mutateAsync({ path: { id }, body: { decision, note } })}
    >
      <TextField label={inbox.note} name="note" maxLength={500} />
    </ConfirmButton>
  );
}

function acceptText(money: Pick<InboxRow, "credited_amount" | "price_amount" | "currency">): string {
  const { credited_amount: credited, price_amount: price, currency } = money;
  const received = moneyText(credited, currency);
  return words.payments.acceptHint({ received, due: moneyText(price ?? credited, currency) });
}
