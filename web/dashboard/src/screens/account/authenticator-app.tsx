import { useState } from "react";
import type { Person } from "../../api/sign-in-operations.ts";
import { useChange } from "../../api/use-call.ts";
import { setSession } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { Code } from "../../ui/copy.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form, Problem } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { words } from "../../words/words.ts";

/** Codes from an app, and the recovery codes for a lost phone. */
export function AuthenticatorApp({ person }: { readonly person: Person }) {
  const text = words.signIn.security;
  const start = useChange("POST /dashboard/v1/me/totp", []);
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Section title={text.totp}>
      <p>{person.has_totp ? text.totpOn : text.totpOff}</p>
      {person.has_totp ? (
        <TurnOff />
      ) : (
        <Button kind="primary" isBusy={start.isPending} onClick={() => start.mutate({})}>
          {text.setUp}
        </Button>
      )}
      <Problem error={start.error} />
      {(person.has_totp || person.passkeys > 0) && (
        <Recovery left={person.recovery_codes_left} onCodes={setCodes} />
      )}
      {start.data && !person.has_totp && (
        <SetUp {...start.data} onClose={() => start.reset()} onCodes={setCodes} />
      )}
      {codes && (
        <ShownOnce
          title={text.recovery}
          secrets={{ [text.recoveryHint]: codes.join("\n") }}
          onClose={() => setCodes(undefined)}
        />
      )}
    </Section>
  );
}

type SetUpProps = {
  readonly secret: string;
  readonly qr: string;
  readonly onClose: () => void;
  readonly onCodes: (codes: readonly string[]) => void;
};

function SetUp({ secret, qr, onClose, onCodes }: SetUpProps) {
  const change = useChange("POST /dashboard/v1/me/totp/confirm", []);
  const text = words.signIn.security;
  return (
    <Dialog title={text.setUp} onClose={onClose}>
      <Form
        submit={words.signIn.confirm}
        isBusy={change.isPending}
        error={change.error}
        onCancel={onClose}
        onSubmit={({ code = "" }) =>
          change.mutate(
            { body: { secret, code } },
            {
              onSuccess({ recovery_codes, session }) {
                onCodes(recovery_codes);
                setSession(session);
                onClose();
              },
            },
          )
        }
      >
        <p>{text.scan}</p>
        <img className="qr" alt={text.scan} src={`data:image/svg+xml,${encodeURIComponent(qr)}`} />
        <p className="hint">{text.secret}</p>
        <Code text={secret} />
        <TextField label={words.signIn.code} name="code" inputMode="numeric" autoComplete="one-time-code" />
      </Form>
    </Dialog>
  );
}

function TurnOff() {
  const change = useChange("DELETE /dashboard/v1/me/totp", []);
  const text = words.signIn.security;
  return (
    <ConfirmButton
      kind="danger"
      label={text.turnOff}
      hint={text.totpOff}
      change={change}
      onConfirm={async () => setSession(await change.mutateAsync({}))}
    />
  );
}

/** Recovery codes stand in for the app, and for a passkey that is not at hand. */
type RecoveryProps = { readonly left: number; readonly onCodes: (codes: readonly string[]) => void };

function Recovery({ left, onCodes }: RecoveryProps) {
  const renew = useChange("POST /dashboard/v1/me/recovery-codes", ["GET /dashboard/v1/session"]);
  const text = words.signIn.security;
  return (
    <>
      <h3 className="label">{text.recovery}</h3>
      <p className="hint">
        {text.recoveryLeft({ count: left })} {text.recoveryHint}
      </p>
      <div className="buttons">
        <Button
          isBusy={renew.isPending}
          onClick={() => renew.mutate({}, { onSuccess: ({ recovery_codes }) => onCodes(recovery_codes) })}
        >
          {text.newCodes}
        </Button>
      </div>
      <Problem error={renew.error} />
    </>
  );
}
