import { useState } from "react";
import type { OperatedMerchant } from "../../api/operator-operations.ts";
import { useChange, useReread } from "../../api/use-call.ts";
import { sentAmount } from "../../format/typed-amount.ts";
import { AmountField } from "../../ui/amount-field.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { TextField } from "../../ui/field.tsx";
import { useRowForm } from "../../ui/use-row-form.ts";
import { operatorWords } from "../../words/words.ts";
import { InviteByOperator } from "./invite.tsx";

const LIST = "GET /dashboard/v1/operator/merchants";
type Props = { readonly merchant: OperatedMerchant };

/** The changes that an operator may make to a merchant: never its fee terms. */
export function MerchantActions({ merchant }: Props) {
  const [isInviting, setInviting] = useState(false);
  const text = operatorWords.merchants;
  return (
    <div className="buttons">
      <Button onClick={() => setInviting(true)}>{text.inviteOwner}</Button>
      <ChangeCap merchant={merchant} />
      {merchant.suspended_at === null ? <Suspend merchant={merchant} /> : <Resume merchant={merchant} />}
      {isInviting && <InviteByOperator merchantId={merchant.id} onClose={() => setInviting(false)} />}
    </div>
  );
}

function ChangeCap({ merchant }: Props) {
  const change = useChange("PATCH /dashboard/v1/operator/merchants/{id}", [LIST]);
  const rereadList = useReread(LIST, {});
  const reread = async () => (await rereadList()).find(({ id }) => id === merchant.id) ?? merchant;
  const form = useRowForm({ row: merchant, textsOf, reread });
  const reset = () => {
    form.reset();
    change.reset();
  };
  const text = operatorWords.merchants;
  const path = { id: merchant.id };
  return (
    <ConfirmButton
      label={text.edit}
      hint={merchant.name}
      change={{ ...change, reset }}
      onConfirm={() =>
        form.save((_, updatedAt) =>
          change.mutateAsync({
            path,
            body: { activeAddressCap: sentAmount(form.texts.activeAddressCap), updatedAt },
          }),
        )
      }
    >
      <AmountField label={text.cap} inputMode="numeric" {...form.field("activeAddressCap")} />
    </ConfirmButton>
  );
}

function textsOf({ active_address_cap: cap }: OperatedMerchant) {
  return { activeAddressCap: String(cap) };
}

function Suspend({ merchant: { id } }: Props) {
  const change = useChange("POST /dashboard/v1/operator/merchants/{id}/suspend", [LIST]);
  const text = operatorWords.merchants;
  return (
    <ConfirmButton
      kind="danger"
      label={text.suspend}
      hint={text.suspendHint}
      change={change}
      onConfirm={({ reason = "" }) => change.mutateAsync({ path: { id }, body: { reason } })}
    >
      <TextField label={text.reason} name="reason" maxLength={500} />
    </ConfirmButton>
  );
}

function Resume({ merchant: { id, name } }: Props) {
  const change = useChange("POST /dashboard/v1/operator/merchants/{id}/resume", [LIST]);
  const text = operatorWords.merchants;
  return (
    <ConfirmButton
      label={text.resume}
      hint={name}
      change={change}
      onConfirm={({ reason = "" }) => change.mutateAsync({ path: { id }, body: { reason } })}
    >
      <TextField label={text.reason} name="reason" maxLength={500} />
    </ConfirmButton>
  );
}
