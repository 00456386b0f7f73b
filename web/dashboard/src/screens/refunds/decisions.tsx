import type { Refund } from "@daric/sdk/contract";
import { useChange } from "../../api/use-call.ts";
import type { RefundFacts } from "../../api/work-operations.ts";
import { useMay } from "../../session/session-store.ts";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { TextArea } from "../../ui/field.tsx";
import { refundWords } from "../../words/refund-words.ts";

type Props = { readonly refund: Refund; readonly facts: RefundFacts };

/** The decisions about a refund that is not on the chain. */
export function Decisions({ refund, facts }: Props) {
  const mayChange = useMay("refunds:write");
  const mayConfirm = useMay("refunds:pay");
  const { status, needs_confirmation: doubt } = refund;
  const isOpen = (status === "REQUESTED" || status === "READY") && facts.is_ours;
  if (!isOpen) return null;
  const isDoubted = mayConfirm && status === "REQUESTED" && doubt !== null;
  return (
    <>
      {isDoubted && facts.may_confirm && <Confirm refund={refund} />}
      {isDoubted && !facts.may_confirm && <p className="hint">{refundWords.confirmOther}</p>}
      {mayChange && <AskAgain id={refund.id} />}
      {mayChange && <Cancel id={refund.id} />}
    </>
  );
}

function Confirm({ refund: { id, address, default_address: sender } }: { readonly refund: Refund }) {
  const change = useChange("POST /v1/refunds/{id}/confirm");
  const needsReason = address !== null && sender !== null && address !== sender;
  return (
    <ConfirmButton
      kind="primary"
      label={refundWords.confirm}
      hint={refundWords.confirmHint}
      change={change}
      onConfirm={({ reason }) =>
        change.mutateAsync({ path: { id }, body: { address, ...(reason && { reason }) } })
      }
    >
      {needsReason && <TextArea label={refundWords.why} name="reason" maxLength={500} />}
    </ConfirmButton>
  );
}

function AskAgain({ id }: { readonly id: string }) {
  const change = useChange("POST /v1/refunds/{id}/ask-again");
  return (
    <ConfirmButton
      label={refundWords.askAgain}
      hint={refundWords.askAgainHint}
      change={change}
      onConfirm={() => change.mutateAsync({ path: { id }, body: {} })}
    />
  );
}

function Cancel({ id }: { readonly id: string }) {
  const change = useChange("POST /v1/refunds/{id}/cancel");
  return (
    <ConfirmButton
      kind="danger"
      label={refundWords.cancel}
      hint={refundWords.cancelHint}
      change={change}
      onConfirm={() => change.mutateAsync({ path: { id } })}
    />
  );
}
