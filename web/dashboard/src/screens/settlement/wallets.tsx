import { useState } from "react";
import type { WalletRequest } from "../../api/account-operations.ts";
import { faultOf, isRefusal } from "../../api/refusal.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { ruleText } from "../../format/field-rule.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { Code } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Exports } from "../../ui/exports.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Section } from "../../ui/page.tsx";
import { Ago, Badge } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";

const REQUESTS = "GET /dashboard/v1/wallet-requests";
const MAX_ROWS = 100;

/** The wallets that are paid, and requests for new ones. */
export function Wallets() {
  const [isAsking, setAsking] = useState(false);
  const mayAsk = useMay("wallets:write");
  const wallets = useRead("GET /v1/settlement-accounts", { query: { limit: MAX_ROWS } });
  const { money } = words;
  const ask = mayAsk && <Button onClick={() => setAsking(true)}>{money.ask}</Button>;
  return (
    <Section
      title={money.wallets}
      actions={
        <>
          <Exports list="wallets" />
          {ask}
        </>
      }
    >
      <p className="hint">{money.walletsHint}</p>
      <Loaded from={wallets}>
        {(rows) => (
          <ul className="lines">
            {rows.map(({ id, address, label, is_default, status }) => (
              <li key={id}>
                <Code text={address} />
                {label && <span>{label}</span>}
                {is_default && <Badge tone="progress">{money.default}</Badge>}
                <Badge tone={status === "active" ? "good" : "quiet"}>{money[status]}</Badge>
              </li>
            ))}
            {rows.length === 0 && <li>{money.noWallets}</li>}
          </ul>
        )}
      </Loaded>
      <Requests />
      {isAsking && <AskForWallet onClose={() => setAsking(false)} />}
    </Section>
  );
}

function Requests() {
  const requests = useRead(REQUESTS, {});
  const { money } = words;
  const rows = requests.data?.filter(({ status }) => status === "waiting") ?? [];
  if (rows.length === 0) return null;
  return (
    <>
      <h3 className="label">{money.requests}</h3>
      <ul className="lines">
        {rows.map((row) => (
          <Request key={row.id} request={row} />
        ))}
      </ul>
    </>
  );
}

function Request({ request }: { readonly request: WalletRequest }) {
  const change = useChange("DELETE /dashboard/v1/wallet-requests/{id}", [REQUESTS]);
  const mayAsk = useMay("wallets:write");
  const { money } = words;
  const { id, address, label, status, created_at, command, approve_command: approveCommand } = request;
  return (
    <li>
      <Code text={address} />
      {label && <span>{label}</span>}
      <Badge tone="attention">{money.requestStates[status]}</Badge>
      <Ago at={created_at} />
      <details>
        <summary>{money.forOperator}</summary>
        <Code text={command} />
        <Code text={approveCommand} />
      </details>
      {mayAsk && (
        <ConfirmButton
          kind="danger"
          label={money.withdraw}
          hint={address}
          change={change}
          onConfirm={() => change.mutateAsync({ path: { id } })}
        />
      )}
    </li>
  );
}

function AskForWallet({ onClose }: { readonly onClose: () => void }) {
  const change = useChange("POST /dashboard/v1/wallet-requests", [REQUESTS]);
  const { money } = words;
  return (
    <Dialog title={money.ask} onClose={onClose}>
      <Form
        submit={money.ask}
        isBusy={change.isPending}
        error={change.error}
        onCancel={onClose}
        onSubmit={({ address = "", label, permissions }) =>
          change.mutate(
            { body: { address, ...(label && { label }), ...(permissions && { permissions }) } },
            { onSuccess: onClose },
          )
        }
      >
        <p className="hint">{money.askHint}</p>
        <TextField
          label={money.walletAddress}
          hint={money.addressHint}
          name="address"
          spellCheck={false}
          autoComplete="off"
        />
        <TextField label={words.payments.label} name="label" maxLength={120} isOptional />
        <OtherKeys error={change.error} />
      </Form>
    </Dialog>
  );
}

/** Names the keys beside the wallet's own. The tick confirms exactly these, so new ones need a new tick. */
function OtherKeys({ error }: { readonly error: unknown }) {
  const fault = isRefusal(error, "WALLET_NOT_CONFIRMED") ? faultOf(error, "permissions") : undefined;
  const [digest] = fault?.rule?.limits ?? [];
  if (fault === undefined) return null;
  return (
    <div key={digest}>
      <p className="fault">{ruleText(fault)}</p>
      <label className="check">
        <input type="checkbox" name="permissions" value={digest} />
        {words.money.confirmKeys}
      </label>
    </div>
  );
}
