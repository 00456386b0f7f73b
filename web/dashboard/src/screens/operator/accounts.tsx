import { useState } from "react";
import type { IssuedLink } from "../../api/account-operations.ts";
import type { OperatedPerson } from "../../api/operator-operations.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ListPage } from "../../ui/list-page.tsx";
import { OneTimeLink } from "../../ui/one-time-link.tsx";
import { Loaded, Section } from "../../ui/page.tsx";
import { Badge } from "../../ui/show.tsx";
import { Table } from "../../ui/table.tsx";
import { operatorWords, words } from "../../words/words.ts";
import { InviteByOperator } from "./invite.tsx";
import { MerchantName } from "./merchant-name.tsx";
import { LINKS, ServiceLinks } from "./service-links.tsx";

const LIST = "GET /dashboard/v1/operator/people";

/** Every person that can sign in. */
export function AccountsPage() {
  const [isInviting, setInviting] = useState(false);
  const [link, setLink] = useState<IssuedLink>();
  const list = useRead(LIST, {});
  const text = operatorWords.people;
  return (
    <ListPage
      title={text.title}
      exports={{ operatorList: "people" }}
      create={{ label: text.invite, onOpen: () => setInviting(true) }}
    >
      <Section>
        <Loaded from={list}>{(rows) => <Accounts rows={rows} onLink={setLink} />}</Loaded>
      </Section>
      <ServiceLinks people={list.data ?? []} />
      {isInviting && <InviteByOperator onClose={() => setInviting(false)} />}
      {link && (
        <Dialog title={text.reset} onClose={() => setLink(undefined)}>
          <OneTimeLink issued={link} />
        </Dialog>
      )}
    </ListPage>
  );
}

type AccountsProps = {
  readonly rows: readonly OperatedPerson[];
  readonly onLink: (link: IssuedLink) => void;
};

function Accounts({ rows, onLink }: AccountsProps) {
  const text = operatorWords.people;
  const { secondFactor, on, off, disabled } = words.account.people;
  return (
    <Table
      label={text.title}
      rows={rows}
      max={500}
      keyOf={({ id }) => id}
      columns={[
        {
          name: words.common.name,
          cell: ({ name, email, is_operator, disabled_at }) => (
            <>
              {name} {is_operator && <Badge tone="progress">{text.operator}</Badge>}
              {disabled_at !== null && <Badge tone="bad">{disabled}</Badge>}
              <p className="hint">{email}</p>
            </>
          ),
        },
        {
          name: text.of,
          cell: ({ memberships }) =>
            memberships.map(({ merchant_id, role }) => (
              <p key={merchant_id}>
                <MerchantName id={merchant_id} /> <span className="hint">{words.common.roles[role]}</span>
              </p>
            )),
        },
        {
          name: secondFactor,
          cell: ({ has_second_factor: has }) => (
            <Badge tone={has ? "good" : "attention"}>{has ? on : off}</Badge>
          ),
        },
        {
          name: words.common.actions,
          isEnd: true,
          cell: (person) => <AccountActions person={person} onLink={onLink} />,
        },
      ]}
    />
  );
}

type ActionProps = { readonly person: OperatedPerson; readonly onLink: (link: IssuedLink) => void };

function AccountActions({ person: { id, disabled_at }, onLink }: ActionProps) {
  const disable = useChange("POST /dashboard/v1/operator/people/{id}/disable", [LIST, LINKS]);
  const enable = useChange("POST /dashboard/v1/operator/people/{id}/enable", [LIST]);
  const reset = useChange("POST /dashboard/v1/operator/people/{id}/reset", [LIST, LINKS]);
  const text = operatorWords.people;
  const input = { path: { id }, body: {} };
  return (
    <div className="buttons">
      <ConfirmButton
        label={text.reset}
        hint={text.resetHint}
        change={reset}
        onConfirm={async ({ secondFactor }) => {
          const body = { secondFactor: secondFactor === "on" };
          onLink(await reset.mutateAsync({ path: { id }, body }));
        }}
      >
        <label className="check">
          <input type="checkbox" name="secondFactor" /> {text.resetSecond}
        </label>
      </ConfirmButton>
      {disabled_at === null ? (
        <ConfirmButton
          kind="danger"
          label={text.disable}
          hint={text.disableHint}
          change={disable}
          onConfirm={() => disable.mutateAsync(input)}
        />
      ) : (
        <Button isBusy={enable.isPending} onClick={() => enable.mutate(input)}>
          {text.enable}
        </Button>
      )}
    </div>
  );
}
