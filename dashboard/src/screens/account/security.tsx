import type { Session } from "../../api/sign-in-operations.ts";
import { useChange } from "../../api/use-call.ts";
import { setSession, useSession } from "../../session/session-store.ts";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";
import { AuthenticatorApp } from "./authenticator-app.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Sessions } from "./sessions.tsx";

/** How a person signs in, and where. */
export function SecurityPage() {
  const session = useSession();
  const text = words.signIn.security;
  if (session === undefined) return null;
  return (
    <Page title={text.title} hint={session.person.email}>
      {session.second_factor_missing && <p className="notice">{text.needed}</p>}
      <div className="columns">
        <div>
          <AuthenticatorApp person={session.person} />
          <Passkeys />
          <Sessions />
        </div>
        <div>
          <Name session={session} />
          <Password />
        </div>
      </div>
    </Page>
  );
}

function Name({ session }: { readonly session: Session }) {
  const change = useChange("PATCH /dashboard/v1/me", []);
  return (
    <Section>
      <Form
        submit={change.isSuccess ? words.common.saved : words.common.save}
        isBusy={change.isPending}
        error={change.error}
        onSubmit={({ name = "" }) => change.mutate({ body: { name } }, { onSuccess: setSession })}
      >
        <TextField
          label={words.signIn.security.nameLabel}
          name="name"
          autoComplete="name"
          defaultValue={session.person.name}
          onChange={() => change.isSuccess && change.reset()}
        />
      </Form>
    </Section>
  );
}

function Password() {
  const change = useChange("POST /dashboard/v1/me/password", []);
  const text = words.signIn.security;
  return (
    <Section title={text.changePassword}>
      <Form
        key={String(change.isSuccess)}
        submit={text.changePassword}
        isBusy={change.isPending}
        error={change.error}
        onSubmit={({ password = "", newPassword = "" }) =>
          change.mutate({ body: { password, newPassword } }, { onSuccess: setSession })
        }
      >
        <TextField label={text.current} name="password" type="password" autoComplete="current-password" />
        <TextField
          label={words.signIn.link.newPassword}
          hint={words.signIn.link.passwordHint}
          name="newPassword"
          type="password"
          autoComplete="new-password"
        />
        <p role="status">{change.isSuccess && words.common.saved}</p>
      </Form>
    </Section>
  );
}
