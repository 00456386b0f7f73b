import { useId } from "react";
import { type DurationUnit, durationOf, durationParts, durationUnits, unitName } from "../format/setting.ts";
import { readAmount } from "../format/typed-amount.ts";
import { words } from "../words/words.ts";
import { Around, describedBy } from "./field.tsx";
import { useFault } from "./form-error.ts";

type Props = {
  readonly label: string;
  readonly hint: string;
  readonly name: string;
  /** the typed number with the letter of its unit */
  readonly value: string;
  readonly onText: (text: string) => void;
};

/** A number as its reader types it, and its unit. */
export function DurationField({ label, hint, name, value, onText }: Props) {
  const id = useId();
  const refused = useFault(name);
  const { number, unit } = durationParts(value) ?? { number: value, unit: "m" as const };
  const other = readAmount(number)?.other;
  const doubt =
    other === undefined
      ? undefined
      : words.common.amountDoubt({ one: readAmount(number)?.amount ?? "", other });
  const frame = { label, hint, fault: doubt ?? refused };
  return (
    <Around id={id} frame={frame}>
      <span className="with-unit">
        <input
          id={id}
          type="text"
          name={name}
          inputMode="decimal"
          autoComplete="off"
          value={number}
          onChange={({ target }) => onText(durationOf(target.value, unit))}
          data-doubt={doubt && ""}
          aria-invalid={frame.fault ? true : undefined}
          aria-describedby={describedBy(id, frame)}
        />
        <select
          aria-label={words.account.settings.unitOf({ field: label })}
          value={unit}
          onChange={({ target }) => onText(`${number} ${target.value as DurationUnit}`)}
        >
          {durationUnits.map((durationUnit) => (
            <option key={durationUnit} value={durationUnit}>
              {unitName(durationUnit)}
            </option>
          ))}
        </select>
      </span>
    </Around>
  );
}
