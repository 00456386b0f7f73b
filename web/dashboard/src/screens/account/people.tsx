import { useState } from "react";
import type { Member } from "../../api/account-operations.ts";
import type { Role } from "../../api/sign-in-operations.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { useMay, useSession } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { Exports } from "../../ui/exports.tsx";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { Badge, When } from "../../ui/show.tsx";
import { Table } from "../../ui/table.tsx";
import { words } from "../../words/words.ts";
import { INVITATIONS, Invitations, Invite } from "./invitations.tsx";
import { RoleField } from "./role-field.tsx";

const PEOPLE = "GET /dashboard/v1/people";

/** The people of a merchant, their roles, and invitations. */
export function PeoplePage() {
  const [isInviting, setInviting] = useState(false);
  const people = useRead(PEOPLE, {});
  const mayWrite = useMay("people:write");
  const text = words.account.people;
  const invite = mayWrite && (
    <Button kind="primary" onClick={() => setInviting(true)}>
      {text.invite}
    </Button>
  );
  return (
    <Page
      title={text.title}
      hint={text.hint}
      actions={
        <>
          <Exports list="people" />
          {invite}
        </>
      }
    >
      <Section>
        <Loaded from={people}>{(rows) => <PeopleTable rows={rows} />}</Loaded>
      </Section>
      <Invitations />
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </Page>
  );
}

function PeopleTable({ rows }: { readonly rows: readonly Member[] }) {
  const text = words.account.people;
  return (
    <Table
      label={text.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { name: words.common.name, cell: (member) => <Name member={member} /> },
        { name: text.role, cell: ({ role }) => words.common.roles[role] },
        {
          name: text.secondFactor,
          cell: ({ has_second_factor: has }) => (
            <Badge tone={has ? "good" : "attention"}>{has ? text.on : text.off}</Badge>
          ),
        },
        { name: text.lastSeen, cell: ({ last_seen_at }) => <When at={last_seen_at} /> },
        { name: words.common.actions, isEnd: true, cell: (member) => <MemberActions member={member} /> },
      ]}
    />
  );
}

function Name({ member }: { readonly member: Member }) {
  const own = useSession()?.person.id;
  return (
    <>
      {member.name} {member.id === own && <span className="hint">({words.common.you})</span>}
      {member.disabled && <Badge tone="bad">{words.account.people.disabled}</Badge>}
      <p className="hint">{member.email}</p>
    </>
  );
}

function MemberActions({ member }: { readonly member: Member }) {
  const isOwn = useSession()?.person.id === member.id;
  const mayWrite = useMay("people:write");
  const mayOwners = useMay("owners:write");
  const mayChange = mayWrite && (member.role !== "owner" || mayOwners);
  const text = words.account.people;
  const remove = useChange("DELETE /dashboard/v1/people/{id}", [PEOPLE, INVITATIONS]);
  return (
    <div className="buttons">
      {mayChange && <ChangeRole member={member} />}
      {(mayChange || isOwn) && (
        <ConfirmButton
          kind="danger"
          label={isOwn ? text.leave : words.common.remove}
          hint={text.removeHint({ name: member.name })}
          change={remove}
          onConfirm={() => remove.mutateAsync({ path: { id: member.id } })}
        />
      )}
    </div>
  );
}

function ChangeRole({ member }: { readonly member: Member }) {
  const change = useChange("PATCH /dashboard/v1/people/{id}", [PEOPLE, INVITATIONS]);
  const [role, setRole] = useState<Role>(member.role);
  const text = words.account.people;
  return (
    <ConfirmButton
      label={text.role}
      hint={member.email}
      change={change}
      onConfirm={() =>
        change.mutateAsync({ path: { id: member.id }, body: { role, shownRole: member.role } })
      }
    >
      <RoleField value={role} onChange={setRole} />
    </ConfirmButton>
  );
}
