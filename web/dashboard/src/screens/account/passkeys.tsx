import { useState } from "react";
import { call } from "../../api/call.ts";
import type { Passkey } from "../../api/sign-in-operations.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { makePasskey, passkeyObstacle, passkeyProblem } from "../../session/passkeys.ts";
import { setSession } from "../../session/session-store.ts";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Section } from "../../ui/page.tsx";
import { When } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";

const LIST = "GET /dashboard/v1/me/passkeys";

/** The passkeys of a person. */
export function Passkeys() {
  const list = useRead(LIST, {});
  const text = words.signIn.security;
  const obstacle = passkeyObstacle();
  return (
    <Section title={text.passkeys}>
      <p className="hint">{text.passkeysHint}</p>
      <Loaded from={list}>
        {(rows) => (
          <ul className="lines">
            {rows.map((row) => (
              <OnePasskey key={row.id} passkey={row} />
            ))}
            {rows.length === 0 && <li className="hint">{text.noPasskeys}</li>}
          </ul>
        )}
      </Loaded>
      {obstacle === undefined ? <AddPasskey /> : <p className="notice">{obstacle}</p>}
    </Section>
  );
}

function OnePasskey({ passkey: { id, name, last_used_at } }: { readonly passkey: Passkey }) {
  const change = useChange("DELETE /dashboard/v1/me/passkeys/{passkeyId}", [LIST]);
  return (
    <li>
      <strong>{name}</strong>
      <span className="hint">
        {words.signIn.security.lastUsed}: <When at={last_used_at} />
      </span>
      <ConfirmButton
        kind="danger"
        label={words.common.remove}
        hint={name}
        change={change}
        onConfirm={() => change.mutateAsync({ path: { passkeyId: id } })}
      />
    </li>
  );
}

function AddPasskey() {
  const change = useChange("POST /dashboard/v1/me/passkeys", [LIST]);
  const [error, setError] = useState<unknown>();
  const text = words.signIn.security;
  const add = async (name: string) => {
    setError(undefined);
    try {
      const { options } = await call("POST /dashboard/v1/me/passkeys/options", { body: {} });
      await change.mutateAsync({ body: { name, response: await makePasskey(options) } });
      setSession(await call("GET /dashboard/v1/session", {}));
    } catch (fault) {
      setError(passkeyProblem(fault));
    }
  };
  return (
    <Form
      submit={text.addPasskey}
      isBusy={change.isPending}
      error={error}
      onSubmit={({ name }) => void add(name ?? text.passkeys)}
    >
      <TextField label={text.passkeyName} name="name" maxLength={60} isOptional />
    </Form>
  );
}
