import type { Session } from "../api/sign-in-operations.ts";
import { useChange } from "../api/use-call.ts";

type Given = { readonly email?: string; readonly password?: string; readonly code?: string };

/** Sign-in by password, with a code where the person has an authenticator app. `onSignedIn` keeps the new session. */
export function useSignIn(onSignedIn: (session: Session) => void) {
  const change = useChange("POST /dashboard/v1/sign-in", []);
  const send = ({ email = "", password = "", code }: Given) => {
    const body = { email, password, ...(code !== undefined && { code }) };
    change.mutate({ body }, { onSuccess: onSignedIn });
  };
  return { ...change, send };
}
