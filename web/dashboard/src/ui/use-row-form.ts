import type { ChangeEvent } from "react";
import { useState } from "react";
import { isRefusal } from "../api/refusal.ts";
import { words } from "../words/words.ts";

type Row = { readonly updated_at: string };
type Edit<Fields> = {
  /** the stored texts at the first change: another text since then is another person's */
  readonly from: Fields;
  /** `updated_at` of the row that the person compares with */
  readonly shownAt: string;
  readonly typed: Partial<Fields>;
};

type Options<Found, Fields> = {
  /** the newest row that the page has read */
  readonly row: Found;
  /** the texts of the fields, by their names */
  readonly textsOf: (row: Found) => Fields;
  readonly reread: () => Promise<Found>;
};

type Look = {
  readonly hint?: string;
  /** a stored text as the person reads it */
  readonly show?: (text: string) => string;
};

/**
 * A form over a row that other persons change too. Fields that the person left alone follow the newest row, and only the changed ones are
 * sent. If another person changed one of those, the service refuses once, and the stored text stands beside it.
 */
export function useRowForm<Found extends Row, Fields extends Record<string, string>>(
  options: Options<Found, Fields>,
) {
  const { row, textsOf, reread } = options;
  const [edit, setEdit] = useState<Edit<Fields>>();
  const stored = textsOf(row);
  const set = (typed: Partial<Fields>) =>
    setEdit((former) => ({
      from: former?.from ?? stored,
      shownAt: former?.shownAt ?? row.updated_at,
      typed: { ...former?.typed, ...typed },
    }));
  const hintOf = (name: keyof Fields, { hint, show = (text) => text }: Look) => {
    const isElsewhere = edit?.typed[name] !== undefined && edit.from[name] !== stored[name];
    const now = isElsewhere ? words.common.storedNow({ text: show(stored[name] ?? "") }) : undefined;
    return [hint, now].filter(Boolean).join(" ");
  };
  return {
    texts: { ...stored, ...edit?.typed } as Fields,
    /** whether a text was typed since the row was saved */
    isEdited: edit !== undefined,
    set,
    hintOf,
    reset: () => setEdit(undefined),
    /** The properties of a field. */
    field: (name: keyof Fields & string, look: Look = {}) => ({
      name,
      value: edit?.typed[name] ?? stored[name] ?? "",
      hint: hintOf(name, look),
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>) =>
        set({ [name]: target.value } as Partial<Fields>),
    }),
    /** Sends the changed texts with the time of the row that the person sees. @throws what `send` throws. */
    async save(send: (typed: Partial<Fields>, updatedAt: string) => Promise<unknown>): Promise<void> {
      try {
        await send(trimmed(edit?.typed ?? {}), edit?.shownAt ?? row.updated_at);
        setEdit(undefined);
      } catch (failure) {
        if (isRefusal(failure, "CHANGED_MEANWHILE")) {
          const { updated_at: shownAt } = await reread();
          setEdit((former) => former && { ...former, shownAt });
        }
        throw failure;
      }
    },
  };
}

function trimmed<Fields>(typed: Partial<Fields>): Partial<Fields> {
  const entries = Object.entries<unknown>(typed).map(([name, text]) => [name, String(text).trim()]);
  return Object.fromEntries(entries) as Partial<Fields>;
}
