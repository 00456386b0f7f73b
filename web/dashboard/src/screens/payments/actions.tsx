import type { CreatedDepositAddress, DepositAddress } from "@daric/sdk/contract";
import { useChange } from "../../api/use-call.ts";
import type { History } from "../../api/work-operations.ts";
import { moneyText } from "../../format/amount.ts";
import { useMay } from "../../session/session-store.ts";
import { AskForRest } from "../../ui/ask-for-rest.tsx";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { words } from "../../words/words.ts";

/** An operation of the inbox: it keeps the decision and its reason in one commit. */
const DECIDE = "POST /dashboard/v1/inbox/{id}/decide";

type ActionProps = {
  readonly charge: DepositAddress;
  readonly history: History | undefined;
  readonly onRest: (rest: CreatedDepositAddress) => void;
};

/** The actions on a payment now. Those that cannot be taken back state their effect before they run. */
export function Actions({ charge, history, onRest }: ActionProps) {
  const possible = useMay("charges:write") ? (history?.actions ?? []) : [];
  const mayAccept = useMay("orders:accept");
  const { checkout_url: url } = charge;
  /** It asks for the rest already. */
  const isOpenRest = charge.rest_of !== null && charge.status === "ACTIVE";
  return (
    <>
      {mayAccept && history && possible.includes("accept") && <Accept charge={charge} history={history} />}
      {possible.includes("rest") && !isOpenRest && <AskForRest id={charge.id} onAsked={onRest} />}
      {possible.includes("extend") && <Extend charge={charge} />}
      {url !== null && (
        <>
          <CopyButton text={url} kind="button" label={words.payments.copyPage} />
          <a className="button plain" href={url} target="_blank" rel="noreferrer">
            {words.payments.openPage} ↗
          </a>
        </>
      )}
      {possible.includes("archive") && <Archive charge={charge} />}
    </>
  );
}

type AcceptProps = { readonly charge: DepositAddress; readonly history: History };

function Accept({ charge, history }: AcceptProps) {
  const change = useChange(DECIDE);
  const { payments } = words;
  const received = moneyText(history.credited_amount, charge.currency);
  const due = moneyText(history.price_amount ?? "0", charge.currency);
  return (
    <ConfirmButton
      kind="primary"
      label={payments.accept}
      hint={payments.acceptHint({ received, due })}
      change={change}
      onConfirm={({ note = "" }) =>
        change.mutateAsync({ path: { id: charge.id }, body: { decision: "accept", note } })
      }
    >
      <Reason />
    </ConfirmButton>
  );
}

function Extend({ charge }: { readonly charge: DepositAddress }) {
  const change = useChange(DECIDE);
  const { payments } = words;
  return (
    <ConfirmButton
      label={payments.extend}
      hint={payments.extendHint}
      change={change}
      onConfirm={({ seconds, note = "" }) =>
        change.mutateAsync({
          path: { id: charge.id },
          body: { decision: "extend", seconds: Number(seconds), note },
        })
      }
    >
      <SelectField label={payments.moreTime} name="seconds" options={payments.times} defaultValue="3600" />
      <Reason />
    </ConfirmButton>
  );
}

/** A decision stands on the line of time with its person and reason. */
function Reason() {
  return <TextField label={words.payments.acceptReason} name="note" maxLength={500} />;
}

function Archive({ charge }: { readonly charge: DepositAddress }) {
  const change = useChange("POST /v1/deposit-addresses/{id}/archive");
  const { payments } = words;
  return (
    <ConfirmButton
      kind="danger"
      label={payments.archive}
      hint={payments.archiveHint}
      change={change}
      onConfirm={() => change.mutateAsync({ path: { id: charge.id } })}
    />
  );
}
