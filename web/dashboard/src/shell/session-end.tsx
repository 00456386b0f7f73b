import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { pageContext } from "../api/call.ts";
import { currentSession, setSession, useSession } from "../session/session-store.ts";
import { useSignIn } from "../session/use-sign-in.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextField } from "../ui/field.tsx";
import { Form, type Values } from "../ui/form.tsx";
import { words } from "../words/words.ts";

/**
 * Asks the same person to sign in again over the page, which is hidden and keeps what was typed. A person that gives up, or prefers a
 * passkey, is led to the page of sign-in.
 */
export function SessionEndDialog() {
  const [isEnded, setEnded] = useState(false);
  const leave = useLeave();
  const client = useQueryClient();
  useEffect(() => {
    pageContext.onSessionEnded = () => setEnded(currentSession() !== undefined);
    return () => {
      pageContext.onSessionEnded = undefined;
    };
  }, []);
  if (!isEnded) return null;
  const goOn = () => {
    setEnded(false);
    void client.invalidateQueries();
  };
  return (
    <Dialog title={words.signIn.title} onClose={leave} isOpaque>
      <SignInAgain onSignedIn={goOn} onCancel={leave} />
    </Dialog>
  );
}

type Props = { readonly onSignedIn: () => void; readonly onCancel: () => void };

function SignInAgain({ onSignedIn, onCancel }: Props) {
  const person = useSession()?.person;
  const { send, isPending, error } = useSignIn((session) => {
    setSession(session);
    onSignedIn();
  });
  const sendAgain = ({ password, code }: Values) =>
    send({ ...(person && { email: person.email }), ...(password && { password }), ...(code && { code }) });
  return (
    <Form
      submit={words.signIn.submit}
      isBusy={isPending}
      error={error}
      onSubmit={sendAgain}
      onCancel={onCancel}
    >
      <p>{words.problems.SESSION_ENDED}</p>
      <p className="hint">{person?.email}</p>
      <TextField
        label={words.common.password}
        name="password"
        type="password"
        autoComplete="current-password"
      />
      {person?.has_totp && (
        <TextField
          label={words.signIn.code}
          hint={words.signIn.codeHint}
          name="code"
          autoComplete="one-time-code"
        />
      )}
    </Form>
  );
}

/** Leads to sign-in, and remembers the page. */
function useLeave(): () => void {
  const navigate = useNavigate();
  const client = useQueryClient();
  return () => {
    client.clear();
    setSession(undefined);
    const base = "/dashboard";
    const next = `${location.pathname}${location.search}`.slice(base.length) || "/";
    void navigate({ to: "/sign-in", search: { next, ended: true } });
  };
}
