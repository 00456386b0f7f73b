import type { LogOutput } from "./logger.ts";

/** Characters that could steer a terminal or reverse the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const PLAIN = /^[\w.:/@+*-]+$/;

/** SGR parameters, https://www.ecma-international.org/publications-and-standards/standards/ecma-48/ */
const COLOURS: Record<string, number> = { fatal: 31, error: 31, warn: 33, info: 32 };
const DIM = 2;

type Line = { time: string; level: string; msg?: string; err?: { type?: string; stack?: string } };

/**
 * Formats log lines for people: time, level, message, then each field as name=value. An unexpected error is
 * followed by its indented stack. No field can break a line or steer the terminal.
 */
export function prettyOutput(output: LogOutput, { isColoured }: { isColoured: boolean }): LogOutput {
  const coloured = (text: string, colour: number | undefined): string =>
    isColoured && colour !== undefined ? `\u001b[${colour}m${text}\u001b[0m` : text;
  return {
    write: (text) => {
      const { time, level, msg = "", err, ...fields } = JSON.parse(text) as Line;
      const named = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
      const parts = [
        coloured(time, DIM),
        coloured(level.toUpperCase().padEnd(5), COLOURS[level]),
        printable(msg),
        coloured(named.join(" "), DIM),
      ];
      output.write(`${parts.filter((part) => part !== "").join(" ")}\n${indented(err)}`);
    },
  };
}

function shown(value: unknown): string {
  return typeof value === "string" && PLAIN.test(value) ? value : printable(JSON.stringify(value));
}

function printable(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function indented(err: Line["err"]): string {
  if (err === undefined) return "";
  const text = err.stack ?? JSON.stringify(err);
  return text
    .split("\n")
    .map((line) => `    ${printable(line.trim())}\n`)
    .join("");
}
