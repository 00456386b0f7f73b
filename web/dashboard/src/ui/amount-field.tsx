import { type ComponentProps, useState } from "react";
import { groupDigits, moneyText } from "../format/amount.ts";
import { readAmount } from "../format/typed-amount.ts";
import { words } from "../words/words.ts";
import { TextField } from "./field.tsx";

type Props = ComponentProps<typeof TextField> & {
  /** the currency behind the amount that the field repeats */
  readonly currency?: string;
};

/**
 * A number as its reader types it. The field repeats what it read, and a form sends that. A form is not sent while the number can be
 * two: the field says which.
 */
export function AmountField({ currency, hint, onChange, ...rest }: Props) {
  const [own, setOwn] = useState("");
  const text = String(rest.value ?? own);
  const read = text === "" ? undefined : readAmount(text);
  const show = (amount: string) =>
    currency === undefined ? groupDigits(amount) : moneyText(amount, currency);
  const doubt =
    read?.other === undefined
      ? undefined
      : words.common.amountDoubt({ one: written(read.amount), other: written(read.other) });
  const repeated = read && doubt === undefined && read.amount !== text ? `= ${show(read.amount)}` : undefined;
  return (
    <TextField
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      hint={<span aria-live="polite">{repeated ?? hint}</span>}
      doubt={doubt}
      data-amount={read?.amount}
      data-doubt={doubt && ""}
      onChange={(event) => {
        setOwn(event.target.value);
        onChange?.(event);
      }}
    />
  );
}

/** An amount in a form that can be read in one way: with no group, and two decimals if it has a fraction of less. */
function written(amount: string): string {
  const [whole = "", fraction = ""] = amount.split(".");
  const decimal = groupDigits("0.5").replace(/\d/g, "");
  return fraction === "" ? whole : whole + decimal + fraction.padEnd(2, "0");
}
