import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import { isRefusal, type Refusal } from "../api/refusal.ts";
import { ruleText } from "../format/field-rule.ts";
import { words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { FormError } from "./form-error.ts";
import { Said } from "./said.tsx";

/** The values of a form by the names of its fields. An empty field is left out. */
export type Values = Readonly<Record<string, string>>;

type Props = {
  readonly submit: string;
  readonly isBusy: boolean;
  readonly error?: unknown;
  readonly onSubmit: (values: Values, form: HTMLFormElement) => void;
  readonly onCancel?: (() => void) | undefined;
  /** gets the texts of the fields while they are typed */
  readonly onTyped?: (texts: Values) => void;
  readonly kind?: "primary" | "danger";
  /** shows the values to a person that may not change them, and offers no button */
  readonly isReadOnly?: boolean;
  readonly children: ReactNode;
};

/** A form. Its fields keep what was typed when the service refuses, and the first refused one gets the focus. */
export function Form({ submit, isBusy, error, onSubmit, onCancel, ...rest }: Props) {
  const { kind = "primary", isReadOnly = false, onTyped, children } = rest;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error)
      form.current?.querySelector<HTMLElement>("[aria-invalid], fieldset:has(> .fault) input")?.focus();
  }, [error]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const doubtful = event.currentTarget.querySelector<HTMLElement>("[data-doubt]");
    if (doubtful) doubtful.focus();
    else if (!isBusy) onSubmit(valuesOf(event.currentTarget), event.currentTarget);
  };
  return (
    <form
      ref={form}
      onSubmit={send}
      onChange={({ currentTarget }) => onTyped?.(textsIn(currentTarget))}
      noValidate
    >
      <fieldset className="form" disabled={isReadOnly}>
        <FormError value={error}>{children}</FormError>
      </fieldset>
      <Problem error={error} />
      {!isReadOnly && (
        <div className="buttons">
          <Button type="submit" kind={kind} isBusy={isBusy}>
            {submit}
          </Button>
          {onCancel && (
            <Button kind="quiet" onClick={onCancel}>
              {words.common.cancel}
            </Button>
          )}
        </div>
      )}
      <Said>{submit === words.common.saved && submit}</Said>
    </form>
  );
}

/** The texts of a form as they stand in its fields. */
function textsIn(form: HTMLFormElement): Values {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

/** The texts of a form, without blanks around them, and amounts as they were read; a password is kept as it is. */
export function valuesOf(form: HTMLFormElement): Values {
  const entries = [...new FormData(form)].flatMap(([name, value]): [string, string][] => {
    if (typeof value !== "string" || value === "") return [];
    const field = form.elements.namedItem(name);
    const amount = field instanceof HTMLElement ? field.dataset.amount : undefined;
    return [[name, amount ?? (/password/i.test(name) ? value : value.trim())]];
  });
  return Object.fromEntries(entries);
}

/** The rules that were broken. Where a field says its own, they are not seen here again. */
function faultsText({ faults, message }: Refusal): string {
  return faults.every(({ rule }) => rule) ? faults.map(ruleText).join(" ") : message;
}

/** The service's message, with the number of the request for the operator. */
export function Problem({ error }: { readonly error: unknown }) {
  if (!error) return null;
  const message = error instanceof Error ? error.message : words.common.problem;
  const isFault = isRefusal(error) && error.status >= 500;
  const text = isRefusal(error) ? words.problems[error.code] : undefined;
  return (
    <div className="problem" role="alert">
      <p>{text ?? message}</p>
      {isRefusal(error, "VALIDATION_ERROR") && <p className="hint faults">{faultsText(error)}</p>}
      {isFault && error.correlationId && (
        <p className="hint">{words.common.problemId({ id: error.correlationId })}</p>
      )}
    </div>
  );
}
