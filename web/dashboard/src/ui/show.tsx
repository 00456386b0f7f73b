import { type ReactNode, useSyncExternalStore } from "react";
import { moneyText } from "../format/amount.ts";
import type { Tone } from "../format/payment-state.ts";
import { exactTimeText, relativeTime, timeText } from "../format/time.ts";
import { language, words } from "../words/words.ts";
import { CopyButton } from "./copy.tsx";

const MINUTE_MS = 60_000;

/** Every time on the page has one clock, which stands still without any. */
const shownTimes = new Set<() => void>();
let clock: ReturnType<typeof setInterval> | undefined;

function onceAMinute(listener: () => void): () => void {
  shownTimes.add(listener);
  clock ??= setInterval(() => {
    for (const tell of shownTimes) tell();
  }, MINUTE_MS);
  return () => {
    shownTimes.delete(listener);
    if (shownTimes.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };
}

type MoneyProps = { readonly amount: string; readonly currency: string; readonly canCopy?: boolean };

/** An amount with every digit. The copy is the bare decimal text. */
export function Money({ amount, currency, canCopy = false }: MoneyProps) {
  return (
    <span className="money">
      {moneyText(amount, currency)}
      {canCopy && <CopyButton text={amount} />}
    </span>
  );
}

/** A time relative to now, which stays true while the page is open; its exact time is the title. */
export function Ago({ at }: { readonly at: string }) {
  const text = useSyncExternalStore(onceAMinute, () => relativeTime(at, Date.now(), language));
  return (
    <time dateTime={at} title={exactTimeText(at, language)}>
      {text}
    </time>
  );
}

/** A date and time of day. */
export function When({ at }: { readonly at: string | null }) {
  if (at === null) return <>{words.common.never}</>;
  return (
    <time dateTime={at} title={exactTimeText(at, language)}>
      {timeText(at, language)}
    </time>
  );
}

/** A state in words, with a colour that says the same. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}

export type Fact = readonly [label: string, value: ReactNode] | false | null | undefined;

/** Facts by name; those that are not known are left out. */
export function Facts({ rows }: { readonly rows: readonly Fact[] }) {
  return (
    <dl className="facts">
      {rows.flatMap((row) =>
        row
          ? [
              <div key={row[0]}>
                <dt>{row[0]}</dt>
                <dd>{row[1]}</dd>
              </div>,
            ]
          : [],
      )}
    </dl>
  );
}
