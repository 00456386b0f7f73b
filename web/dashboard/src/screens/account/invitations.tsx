import { useState } from "react";
import type { Invitation } from "../../api/account-operations.ts";
import type { Role } from "../../api/sign-in-operations.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { useMay } from "../../session/session-store.ts";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Exports } from "../../ui/exports.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { OneTimeLink } from "../../ui/one-time-link.tsx";
import { OpenLinks } from "../../ui/open-links.tsx";
import { words } from "../../words/words.ts";
import { RoleField } from "./role-field.tsx";

export const INVITATIONS = "GET /dashboard/v1/invitations";

/** Invitations that were not accepted yet. */
export function Invitations() {
  const { data: links = [] } = useRead(INVITATIONS, {});
  const { data: people = [] } = useRead("GET /dashboard/v1/people", {});
  const text = words.account.people;
  return (
    <OpenLinks
      title={text.invitations}
      actions={<Exports list="invitations" />}
      links={links}
      people={people}
      gives={{ name: text.role, cell: ({ role }) => role && words.common.roles[role] }}
      withdraw={(invitation) => <Withdraw invitation={invitation} />}
    />
  );
}

function Withdraw({ invitation: { id, email } }: { readonly invitation: Invitation }) {
  const change = useChange("DELETE /dashboard/v1/invitations/{id}", [INVITATIONS]);
  const mayWrite = useMay("people:write");
  if (!mayWrite) return null;
  return (
    <ConfirmButton
      kind="danger"
      label={words.account.people.withdraw}
      hint={email}
      change={change}
      onConfirm={() => change.mutateAsync({ path: { id } })}
    />
  );
}

/** Invites a person; the link is shown once. */
export function Invite({ onClose }: { readonly onClose: () => void }) {
  const change = useChange("POST /dashboard/v1/invitations", [INVITATIONS]);
  const text = words.account.people;
  const [role, setRole] = useState<Role>("viewer");
  return (
    <Dialog title={text.invite} onClose={onClose}>
      {change.data ? (
        <OneTimeLink issued={change.data} />
      ) : (
        <Form
          submit={text.invite}
          isBusy={change.isPending}
          error={change.error}
          onCancel={onClose}
          onSubmit={({ email = "" }) => change.mutate({ body: { email, role } })}
        >
          <TextField label={words.common.email} name="email" type="email" />
          <RoleField value={role} onChange={setRole} />
        </Form>
      )}
    </Dialog>
  );
}
