import { useEffect, useState } from "react";
import { call, pageContext } from "../api/call.ts";
import { Refusal } from "../api/refusal.ts";
import { useChange } from "../api/use-call.ts";
import { getPasskey, hasPasskeys, passkeyProblem } from "../session/passkeys.ts";
import { setSession, useSession } from "../session/session-store.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Form, type Values } from "../ui/form.tsx";
import { words } from "../words/words.ts";

type Waiting = { resolve: () => void; reject: (error: Error) => void };
const NAME = "POST /dashboard/v1/session/reauthenticate";

/** Asks for the password again when the service wants it, and then lets the waiting call go on. */
export function ReauthenticationDialog() {
  const [waiting, setWaiting] = useState<Waiting>();
  useEffect(() => {
    pageContext.reauthenticate = () => new Promise((resolve, reject) => setWaiting({ resolve, reject }));
    return () => {
      pageContext.reauthenticate = undefined;
    };
  }, []);
  if (waiting === undefined) return null;
  const end = () => setWaiting(undefined);
  const giveUp = () => {
    end();
    waiting.reject(new Refusal(words.signIn.againHint, { code: "GIVEN_UP", status: 0 }));
  };
  const goOn = () => {
    end();
    waiting.resolve();
  };
  return (
    <Dialog title={words.signIn.again} onClose={giveUp}>
      <Proof onProven={goOn} onCancel={giveUp} />
    </Dialog>
  );
}

function Proof({ onProven, onCancel }: { readonly onProven: () => void; readonly onCancel: () => void }) {
  const person = useSession()?.person;
  const hasPasskey = (person?.passkeys ?? 0) > 0;
  const change = useChange(NAME, []);
  const [passkeyError, setPasskeyError] = useState<Error>();
  const prove = async (body: { password: string; code?: string } | { response: unknown }) => {
    setSession(await change.mutateAsync({ body }));
    onProven();
  };
  const byPassword = ({ password = "", code }: Values) => {
    setPasskeyError(undefined);
    // The form shows the error of the change.
    void prove({ password, ...(code !== undefined && { code }) }).catch(() => undefined);
  };
  const byPasskey = async () => {
    setPasskeyError(undefined);
    try {
      const { options } = await call("POST /dashboard/v1/sign-in/passkey/options", { body: {} });
      await prove({ response: await getPasskey(options) });
    } catch (fault) {
      setPasskeyError(passkeyProblem(fault));
    }
  };
  return (
    <Form
      submit={words.signIn.confirm}
      isBusy={change.isPending}
      error={passkeyError ?? change.error}
      onSubmit={byPassword}
      onCancel={onCancel}
    >
      <p>{words.signIn.againHint}</p>
      <TextField
        label={words.common.password}
        name="password"
        type="password"
        autoComplete="current-password"
      />
      {(person?.has_totp || hasPasskey) && (
        <TextField
          label={words.signIn.code}
          hint={words.signIn.codeHint}
          name="code"
          autoComplete="one-time-code"
          spellCheck={false}
          isOptional={!person?.has_totp}
        />
      )}
      {hasPasskey && hasPasskeys() && (
        <Button onClick={() => void byPasskey()}>{words.signIn.withPasskey}</Button>
      )}
    </Form>
  );
}
