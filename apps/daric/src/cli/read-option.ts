import { InvalidArgumentError } from "commander";

/**
 * Returns a parser for a whole number within these inclusive limits.
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

/** A reason for a log: not empty, 500 characters at most. */
export function readPhrase(text: string): string {
  const phrase = text.trim();
  if (phrase.length > 0 && phrase.length <= 500) return phrase;
  throw new InvalidArgumentError("It must not be empty, and has 500 characters at most.");
}
