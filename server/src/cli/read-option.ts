import { InvalidArgumentError } from "commander";

/**
 * Reads the value of an option that is a whole number from one to another, both included.
 *
 * @throws InvalidArgumentError for any other text.
 */
export function wholeNumber(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= minimum && number <= maximum) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}
