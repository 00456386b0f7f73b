import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import { pageContext } from "../api/call.ts";
import { useRead } from "../api/use-call.ts";
import type { Elsewhere, SearchResult } from "../api/work-operations.ts";
import { moneyText } from "../format/amount.ts";
import { elsewhereText } from "../format/elsewhere.ts";
import { toneOf } from "../format/payment-state.ts";
import { useMembership, useSession } from "../session/session-store.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Ago, Badge } from "../ui/show.tsx";
import { useSettled } from "../ui/use-settled.ts";
import { words } from "../words/words.ts";
import { merchantPages, operatorPages, type PageLink } from "./pages.ts";

type Command = {
  readonly key: string;
  readonly name: string;
  readonly hint: string;
  readonly to: string;
  readonly payment?: SearchResult;
};

const SHORTEST = 2;

/** Finds a payment by whatever is known of it, and any page by its name. */
export function CommandMenu({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState("");
  const asked = useSettled(text.trim());
  const isSearch = asked.length >= SHORTEST && pageContext.merchantId !== undefined;
  const found = useRead("GET /dashboard/v1/search", { query: { q: asked } }, { isWanted: isSearch });
  const pages = usePages(text.trim().toLowerCase());
  const payments = isSearch ? (found.data?.results ?? []) : [];
  const commands = [...payments.map(commandOf), ...pages.map(pageCommand)];
  return (
    <Dialog title={words.shell.command} onClose={onClose}>
      <Choices
        text={text}
        onText={setText}
        commands={commands}
        isSearching={isSearch && found.isPending}
        isCut={isSearch && found.data?.is_cut === true}
        elsewhere={(isSearch && found.data?.transaction) || undefined}
        onClose={onClose}
      />
      <p className="hint">{words.shell.keyboard}</p>
    </Dialog>
  );
}

type ChoicesProps = {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly commands: readonly Command[];
  readonly isSearching: boolean;
  /** older payments may fit too */
  readonly isCut: boolean;
  /** a transaction that is no payment */
  readonly elsewhere: Elsewhere | undefined;
  readonly onClose: () => void;
};

function Choices({ text, onText, commands, isSearching, isCut, elsewhere, onClose }: ChoicesProps) {
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const id = useId();
  const at = Math.min(chosen, Math.max(0, commands.length - 1));
  const follow = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    void navigate({ to: command.to });
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((at + step + commands.length) % Math.max(1, commands.length));
    }
    if (event.key === "Enter") follow(commands[at]);
  };
  return (
    <>
      <input
        className="command-input"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={commands.length === 0 ? undefined : `${id}-${at}`}
        aria-label={words.shell.search}
        placeholder={words.shell.searchHint}
        value={text}
        onChange={(event) => {
          setChosen(0);
          onText(event.target.value);
        }}
        onKeyDown={onKey}
      />
      <CommandList id={id} commands={commands} at={at} onFollow={follow} />
      <p role="status" className={elsewhere ? "command-answer" : "hint"}>
        {statusOf({ isSearching, isCut, elsewhere, isEmpty: commands.length === 0 })}
      </p>
    </>
  );
}

type Standstill = Pick<ChoicesProps, "isSearching" | "isCut" | "elsewhere"> & { readonly isEmpty: boolean };

function statusOf(search: Standstill): string {
  if (search.isSearching) return words.shell.searching;
  if (search.elsewhere) return elsewhereText(search.elsewhere);
  if (search.isCut) return words.shell.searchIsCut;
  return search.isEmpty ? words.shell.noCommand : "";
}

type ListProps = {
  readonly id: string;
  readonly commands: readonly Command[];
  readonly at: number;
  readonly onFollow: (command: Command) => void;
};

function CommandList({ id, commands, at, onFollow }: ListProps) {
  return (
    <div id={id} role="listbox" aria-label={words.shell.goTo} className="commands">
      {commands.map((command, index) => (
        <button
          key={command.key}
          id={`${id}-${index}`}
          type="button"
          role="option"
          aria-selected={index === at}
          tabIndex={-1}
          onClick={() => onFollow(command)}
        >
          <span dir="auto">{command.name}</span>
          <span className="hint">{command.hint}</span>
          {command.payment && <Standing of={command.payment} />}
        </button>
      ))}
    </div>
  );
}

/** The state of a found payment, and when it was made. */
function Standing({ of: payment }: { readonly of: SearchResult }) {
  const { state } = payment;
  return (
    <span className="command-standing">
      <Badge tone={toneOf(state)}>{words.payments.states[state]}</Badge>
      <Ago at={payment.created_at} />
    </span>
  );
}

function usePages(text: string): readonly PageLink[] {
  const groups = [
    ...merchantPages(useMembership()),
    ...operatorPages(useSession()?.person.is_operator ?? false),
  ];
  const own = { to: "/security", name: words.shell.security };
  return [...groups.flatMap(({ links }) => links), own].filter(({ name }) =>
    name.toLowerCase().includes(text),
  );
}

function pageCommand({ to, name }: PageLink): Command {
  return { key: to, to, name, hint: words.shell.goTo };
}

function commandOf(found: SearchResult): Command {
  const amount = found.amount_due === null ? "" : moneyText(found.amount_due, found.currency);
  const name = [found.order_ref ?? found.label ?? words.payments.noReference, amount]
    .filter(Boolean)
    .join(" · ");
  const to = `/payments/${found.id}`;
  return { key: to, to, name, hint: words.shell.foundBy[found.why] ?? "", payment: found };
}
