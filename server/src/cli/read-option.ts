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

/** Words for a log: some, and 500 characters at most. */
export function readPhrase(text: string): string {
  const phrase = text.trim();
  if (phrase.length > 0 && phrase.length <= 500) return phrase;
  throw new InvalidArgumentError("It must say something, in 500 characters at most.");
}
