import { useRouter, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../api/call.ts";
import { isRefusal } from "../../api/refusal.ts";
import type { Session } from "../../api/sign-in-operations.ts";
import { getPasskey, hasPasskeys, passkeyObstacle, passkeyProblem } from "../../session/passkeys.ts";
import { setSession } from "../../session/session-store.ts";
import { useSignIn } from "../../session/use-sign-in.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, Problem } from "../../ui/form.tsx";
import { words } from "../../words/words.ts";
import { Frame } from "./frame.tsx";

/** Sign-in by password and code, or by a passkey. Afterwards the person is on the page that was asked for. */
export function SignInPage() {
  const { ended } = useSearch({ from: "/sign-in" });
  const enter = useEnter();
  return (
    <Frame title={words.signIn.title}>
      {ended && <p className="notice">{words.signIn.ended}</p>}
      <PasswordForm onSignedIn={enter} />
      {hasPasskeys() ? <PasskeyButton onSignedIn={enter} /> : <p className="hint">{passkeyObstacle()}</p>}
      <p className="hint">{words.signIn.forgotten}</p>
    </Frame>
  );
}

type Props = { readonly onSignedIn: (session: Session) => void };

function useEnter(): (session: Session) => void {
  const { next = "/" } = useSearch({ from: "/sign-in" });
  const { history } = useRouter();
  return (session) => {
    setSession(session);
    // With the base in front, the page that was asked for can never be one of another host. A fragment is the token of its link.
    history.push(`/dashboard${next}${location.hash}`);
  };
}

function PasswordForm({ onSignedIn }: Props) {
  const { send, isPending, error } = useSignIn(onSignedIn);
  const isNext = isRefusal(error, "CODE_REQUIRED");
  const [needsCode, setNeedsCode] = useState(false);
  if (isNext && !needsCode) setNeedsCode(true);
  return (
    <Form submit={words.signIn.submit} isBusy={isPending} error={isNext ? undefined : error} onSubmit={send}>
      <TextField label={words.common.email} name="email" type="email" autoComplete="username" required />
      <TextField
        label={words.common.password}
        name="password"
        type="password"
        autoComplete="current-password"
        required
      />
      {needsCode && <CodeField />}
    </Form>
  );
}

function CodeField() {
  return (
    <>
      <p role="status">{words.signIn.codeNeeded}</p>
      <TextField
        label={words.signIn.code}
        hint={words.signIn.codeHint}
        name="code"
        autoComplete="one-time-code"
        autoFocus
        spellCheck={false}
      />
    </>
  );
}

function PasskeyButton({ onSignedIn }: Props) {
  const [error, setError] = useState<Error>();
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    try {
      const { options } = await call("POST /dashboard/v1/sign-in/passkey/options", { body: {} });
      const response = await getPasskey(options);
      onSignedIn(await call("POST /dashboard/v1/sign-in/passkey", { body: { response } }));
    } catch (fault) {
      setError(passkeyProblem(fault));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button isBusy={isBusy} onClick={() => void ask()}>
        {words.signIn.withPasskey}
      </Button>
      <Problem error={error} />
    </>
  );
}
