import type { OperatedPerson, ServiceLink } from "../../api/operator-operations.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { ConfirmButton } from "../../ui/confirm.tsx";
import { OpenLinks } from "../../ui/open-links.tsx";
import { operatorWords, words } from "../../words/words.ts";

export const LINKS = "GET /dashboard/v1/operator/links";

/** Open links that invite operators or reset passwords. */
export function ServiceLinks({ people }: { readonly people: readonly OperatedPerson[] }) {
  const { data: links = [] } = useRead(LINKS, {});
  return (
    <OpenLinks
      title={operatorWords.people.links}
      links={links}
      people={people}
      gives={{ name: words.account.audit.what, cell: (link) => <Gives link={link} /> }}
      withdraw={(link) => <Withdraw link={link} />}
    />
  );
}

function Gives({ link: { kind, resets_second_factor } }: { readonly link: ServiceLink }) {
  const text = operatorWords.people;
  return (
    <>
      {kind === "reset" ? text.reset : text.invite}
      {resets_second_factor && <p className="hint">{text.resetSecond}</p>}
    </>
  );
}

function Withdraw({ link: { id, email } }: { readonly link: ServiceLink }) {
  const change = useChange("DELETE /dashboard/v1/operator/links/{id}", [LINKS]);
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
