import { useState } from "react";
import type { Invitation } from "../../api/account-operations.ts";
import type { Role } from "../../api/sign-in-operations.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Exports } from "../../ui/exports.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { OneTimeLink } from "../../ui/one-time-link.tsx";
import { Section } from "../../ui/page.tsx";
import { When } from "../../ui/show.tsx";
import { Table } from "../../ui/table.tsx";
import { words } from "../../words/words.ts";

const LIST = "GET /dashboard/v1/invitations";

/** Invitations that were not accepted yet. */
export function Invitations() {
  const { data = [] } = useRead(LIST, {});
  const text = words.account.people;
  if (data.length === 0) return null;
  return (
    <Section title={text.invitations} actions={<Exports list="invitations" />}>
      <Table
        label={text.invitations}
        rows={data}
        keyOf={({ id }) => id}
        columns={[
          { name: words.common.email, cell: ({ email }) => email },
          { name: text.role, cell: ({ role }) => role && words.common.roles[role] },
          { name: text.expires, cell: ({ expires_at }) => <When at={expires_at} /> },
          {
            name: words.common.actions,
            isEnd: true,
            cell: (invitation) => <Withdraw invitation={invitation} />,
          },
        ]}
      />
    </Section>
  );
}

function Withdraw({ invitation: { id } }: { readonly invitation: Invitation }) {
  const change = useChange("DELETE /dashboard/v1/invitations/{id}", [LIST]);
  const mayWrite = useMay("people:write");
  if (!mayWrite) return null;
  return (
    <Button kind="quiet" isBusy={change.isPending} onClick={() => change.mutate({ path: { id } })}>
      {words.account.people.withdraw}
    </Button>
  );
}

/** Invites a person; the link is shown once. */
export function Invite({ onClose }: { readonly onClose: () => void }) {
  const change = useChange("POST /dashboard/v1/invitations", [LIST]);
  const mayOwners = useMay("owners:write");
  const text = words.account.people;
  const { owner, ...others } = words.common.roles;
  const roles = mayOwners ? { ...others, owner } : others;
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
          <SelectField
            label={text.role}
            hint={words.common.roleHints[role]}
            options={roles}
            value={role}
            onChange={(event) => setRole(event.target.value as Role)}
          />
        </Form>
      )}
    </Dialog>
  );
}
