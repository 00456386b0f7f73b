import type { Session } from "../../api/sign-in-operations.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { setSession, useSession } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { Ago } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";
import { AuthenticatorApp } from "./authenticator-app.tsx";
import { Passkeys } from "./passkeys.tsx";

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

const LIST = "GET /dashboard/v1/sessions";

/** Every browser in which the person is signed in. */
function Sessions() {
  const list = useRead(LIST, {});
  const endOthers = useChange("POST /dashboard/v1/sessions/end-others", [LIST]);
  const end = useChange("DELETE /dashboard/v1/sessions/{id}", [LIST]);
  const text = words.signIn.security;
  const others = (
    <Button isBusy={endOthers.isPending} onClick={() => endOthers.mutate({})}>
      {text.endOthers}
    </Button>
  );
  return (
    <Section title={text.sessions} actions={others}>
      <p role="status">{endOthers.data && text.ended({ count: endOthers.data.ended })}</p>
      <Loaded from={list}>
        {(rows) => (
          <ul className="lines">
            {rows.map(({ id, user_agent, address, seen_at, is_current }) => (
              <li key={id}>
                <span>{browserOf(user_agent)}</span>
                <span className="hint">
                  {address} · <Ago at={seen_at} />
                </span>
                {is_current ? (
                  <strong>{text.thisOne}</strong>
                ) : (
                  <Button kind="quiet" isBusy={end.isPending} onClick={() => end.mutate({ path: { id } })}>
                    {text.endSession}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

const BROWSERS = ["Firefox", "Edg", "OPR", "Chrome", "Safari"];
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"];

/** The browser and the system out of what the browser says of itself. */
function browserOf(userAgent: string | null): string {
  const find = (names: readonly string[]) => names.find((name) => userAgent?.includes(name));
  return [find(BROWSERS), find(SYSTEMS)].filter(Boolean).join(", ") || "–";
}
