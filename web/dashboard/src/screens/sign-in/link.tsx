import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { call } from "../../api/call.ts";
import { isRefusal } from "../../api/refusal.ts";
import type { LinkFacts } from "../../api/sign-in-operations.ts";
import { useChange } from "../../api/use-call.ts";
import { setSession } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, Problem, type Values } from "../../ui/form.tsx";
import { Loaded } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";
import { Frame } from "./frame.tsx";

/** People hand a link on with a bracket, a full stop or a blank behind it. */
const BEHIND_TOKEN = /[^\w-].*$/s;

/** A one-time link: the first sign-in, an invitation, or a new password. Its token never reaches a log. */
export function LinkPage() {
  const token = useLocation({ select: ({ hash }) => hash.replace(BEHIND_TOKEN, "") });
  const facts = useQuery({
    queryKey: ["link", token],
    queryFn: () => call("POST /dashboard/v1/links/look-up", { body: { token } }),
    retry: false,
  });
  if (isRefusal(facts.error, "LINK_NOT_VALID"))
    return (
      <Frame title={words.signIn.link.notValid}>
        <p>{words.signIn.link.notValidHint}</p>
      </Frame>
    );
  return (
    <Frame title={facts.data ? titleOf(facts.data) : words.signIn.link.checking}>
      <Loaded from={facts}>{(loaded) => <Accept key={token} token={token} facts={loaded} />}</Loaded>
    </Frame>
  );
}

function titleOf({ kind, merchant_name, role, is_operator }: LinkFacts): string {
  const { link } = words.signIn;
  if (kind === "reset") return link.reset;
  if (merchant_name !== null && role !== null)
    return link.invitedTo({ merchant: merchant_name, role: words.common.roles[role] });
  return is_operator ? link.operator : link.accept;
}

function Accept({ token, facts }: { readonly token: string; readonly facts: LinkFacts }) {
  const accept = useAccept(token);
  if (facts.has_account && facts.kind === "invitation") return <AcceptAsKnown facts={facts} token={token} />;
  const { link } = words.signIn;
  const isNew = facts.kind === "invitation";
  return (
    <Form
      submit={isNew ? link.accept : link.set}
      isBusy={accept.isPending}
      error={accept.error}
      onSubmit={({ name, password }) => accept.send({ name, password })}
    >
      <p className="hint">{link.forEmail({ email: facts.email })}</p>
      {isNew && <TextField label={link.yourName} name="name" autoComplete="name" />}
      <input type="hidden" name="username" autoComplete="username" value={facts.email} />
      <TextField
        label={link.newPassword}
        hint={link.passwordHint}
        name="password"
        type="password"
        autoComplete="new-password"
      />
    </Form>
  );
}

function AcceptAsKnown({ token, facts }: { readonly token: string; readonly facts: LinkFacts }) {
  const accept = useAccept(token);
  const navigate = useNavigate();
  const mustSignIn = isRefusal(accept.error, "SESSION_ENDED");
  // In the fragment, which the browser sends to no server: a search would be in its log after a reload.
  const signIn = () => navigate({ to: "/sign-in", search: { next: "/link" }, hash: token });
  return (
    <div className="form">
      <p className="hint">{words.signIn.link.forEmail({ email: facts.email })}</p>
      {mustSignIn && <p role="status">{words.signIn.link.signInFirst({ email: facts.email })}</p>}
      <Problem error={mustSignIn ? undefined : accept.error} />
      {mustSignIn ? (
        <Button kind="primary" onClick={() => void signIn()}>
          {words.signIn.submit}
        </Button>
      ) : (
        <Button kind="primary" isBusy={accept.isPending} onClick={() => accept.send({})}>
          {words.signIn.link.accept}
        </Button>
      )}
    </div>
  );
}

function useAccept(token: string) {
  const change = useChange("POST /dashboard/v1/links/accept", []);
  const navigate = useNavigate();
  const send = ({ name, password }: Partial<Values>) => {
    const body = { token, ...(name && { name }), ...(password && { password }) };
    change.mutate(
      { body },
      {
        onSuccess({ session }) {
          if (session === null) return void navigate({ to: "/sign-in", search: {} });
          setSession(session);
          void navigate({ to: session.second_factor_missing ? "/security" : "/" });
        },
      },
    );
  };
  return { ...change, send };
}
