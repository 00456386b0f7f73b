import type { ReactNode } from "react";
import { words } from "../words/words.ts";
import { Section } from "./page.tsx";
import { When } from "./show.tsx";
import { type Column, Table } from "./table.tsx";

type OpenLink = {
  readonly id: string;
  readonly email: string;
  /** null for the command line */
  readonly invited_by: string | null;
  readonly expires_at: string;
};

type Props<Link> = {
  readonly title: string;
  readonly links: readonly Link[];
  /** the people among whom are those that made the links */
  readonly people: readonly { readonly id: string; readonly name: string }[];
  /** what a link gives */
  readonly gives: Column<Link>;
  /** the button that withdraws a link */
  readonly withdraw: (link: Link) => ReactNode;
  readonly actions?: ReactNode;
};

/** One-time links that were not used yet: for whom, from whom, and until when. Nothing without a link. */
export function OpenLinks<Link extends OpenLink>(props: Props<Link>) {
  const { title, links, people, gives, withdraw, actions } = props;
  const { madeBy, expires } = words.account.people;
  if (links.length === 0) return null;
  return (
    <Section title={title} actions={actions}>
      <Table
        label={title}
        rows={links}
        keyOf={({ id }) => id}
        columns={[
          { name: words.common.email, cell: ({ email }) => email },
          gives,
          { name: madeBy, cell: ({ invited_by }) => makerOf(invited_by, people) },
          { name: expires, cell: ({ expires_at }) => <When at={expires_at} /> },
          { name: words.common.actions, isEnd: true, cell: withdraw },
        ]}
      />
    </Section>
  );
}

function makerOf(id: string | null, people: Props<OpenLink>["people"]): string {
  if (id === null) return words.account.audit.commandLine;
  return people.find((person) => person.id === id)?.name ?? id;
}
