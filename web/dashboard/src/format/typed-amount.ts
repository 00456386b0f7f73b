import { readTypedAmount, type TypedAmount } from "@daric/domain/typed-amount";
import { numberMarks } from "./amount.ts";

/** The amount that a person of the language of the pages means by a text; undefined if it is none. */
export function readAmount(text: string): TypedAmount | undefined {
  return readTypedAmount(text, numberMarks());
}

/** The amount as the service takes it. Any other text is sent as it is: the service names the fault. */
export function sentAmount(text: string): string {
  return readAmount(text)?.amount ?? text;
}
