import { type ComponentProps, type ReactNode, useId } from "react";
import { words } from "../words/words.ts";
import { useFault } from "./form-error.ts";

type Frame = {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isOptional?: boolean;
};
/** With the rule that the value breaks. */
type Checked = Frame & { readonly fault: string | undefined };

/** The ids of the texts that describe a control. */
export function describedBy(id: string, { hint, fault }: Checked): string | undefined {
  const ids = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean);
  return ids.length === 0 ? undefined : ids.join(" ");
}

/** The label, hint and fault around a control. */
export function Around({ id, frame, children }: { id: string; frame: Checked; children: ReactNode }) {
  return (
    <div className="field">
      <label htmlFor={id}>
        {/* Without the blank, the letters of Arabic and Persian would join. */}
        {frame.label} {frame.isOptional && <span className="optional">{words.common.optional}</span>}
      </label>
      {children}
      {frame.hint && (
        <p className="hint" id={`${id}-hint`}>
          {frame.hint}
        </p>
      )}
      {frame.fault && (
        <p className="fault" id={`${id}-fault`}>
          {frame.fault}
        </p>
      )}
    </div>
  );
}

/** `doubt` is what the page itself finds in the text. */
type TextProps = Frame & ComponentProps<"input"> & { readonly doubt?: string | undefined };

/** A line of text with its label, its hint, and the fault that the service found in the field of this name. */
export function TextField({ label, hint, isOptional, doubt, ...rest }: TextProps) {
  const id = useId();
  const refused = useFault(rest.name);
  const fault = doubt ?? refused;
  const frame = { label, hint, fault, ...(isOptional && { isOptional }) };
  return (
    <Around id={id} frame={frame}>
      <input
        type="text"
        {...rest}
        id={id}
        aria-invalid={fault ? true : undefined}
        aria-describedby={describedBy(id, frame)}
      />
    </Around>
  );
}

/** Several lines of text. */
export function TextArea({ label, hint, isOptional, ...rest }: Frame & ComponentProps<"textarea">) {
  const id = useId();
  const fault = useFault(rest.name);
  const frame = { label, hint, fault, ...(isOptional && { isOptional }) };
  return (
    <Around id={id} frame={frame}>
      <textarea
        rows={3}
        {...rest}
        id={id}
        aria-invalid={fault ? true : undefined}
        aria-describedby={describedBy(id, frame)}
      />
    </Around>
  );
}

type Options = Readonly<Record<string, string>>;

type SelectProps = Frame &
  ComponentProps<"select"> & {
    readonly options: Options;
    /** values that are shown, and cannot be chosen */
    readonly closed?: readonly string[];
  };

/** A choice of one, by value and name. */
export function SelectField({ label, hint, options, closed, ...rest }: SelectProps) {
  const id = useId();
  const fault = useFault(rest.name);
  const frame = { label, hint, fault };
  return (
    <Around id={id} frame={frame}>
      <select
        {...rest}
        id={id}
        aria-invalid={fault ? true : undefined}
        aria-describedby={describedBy(id, frame)}
      >
        {Object.entries(options).map(([value, name]) => (
          <option key={value} value={value} disabled={closed?.includes(value)}>
            {name}
          </option>
        ))}
      </select>
    </Around>
  );
}

type Choices = {
  readonly label: string;
  /** of the field that holds the choice in the request */
  readonly name: string;
  readonly hint?: string;
  readonly options: Options;
  readonly chosen: readonly string[];
  /** options that cannot be chosen; the hint says why */
  readonly closed?: readonly string[];
  readonly onChoose: (chosen: string[]) => void;
};

/** A choice of several, as boxes to tick. */
export function CheckList({ label, name, hint, options, chosen, closed, onChoose }: Choices) {
  const id = useId();
  const fault = useFault(name);
  const toggle = (value: string) =>
    onChoose(chosen.includes(value) ? chosen.filter((choice) => choice !== value) : [...chosen, value]);
  return (
    <fieldset className="checks" aria-describedby={describedBy(id, { label, hint, fault })}>
      <legend>{label}</legend>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {Object.entries(options).map(([value, text]) => (
        <label key={value}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            disabled={closed?.includes(value)}
            onChange={() => toggle(value)}
          />
          {text}
        </label>
      ))}
      {fault && (
        <p className="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}
