import type { Terminal } from "./terminal.ts";

/** A record as a command prints it: as JSON, and in text one line for each field. */
export type View = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export type OutputOptions = { readonly json?: true | undefined };

/** Prints a result as JSON, or as this text. */
export function printFound(
  terminal: Terminal,
  options: OutputOptions,
  { json, text }: { json: object; text: () => string },
): void {
  terminal.write(options.json ? jsonOf(json) : text());
}

/** Prints one record: pretty JSON, or the title and a line for each field. */
export function printOne(
  terminal: Terminal,
  options: OutputOptions,
  { title, view }: { title: string; view: View },
): void {
  terminal.write(options.json ? jsonOf(view) : textOfOne(title, view));
}

/** A title and a line for each field. */
export function textOfOne(title: string, view: View): string {
  const labels = Object.keys(view).map(labelOf);
  const width = Math.max(...labels.map((label) => label.length));
  const lines = Object.values(view).map(
    (value, index) => `  ${(labels[index] ?? "").padEnd(width)}  ${textOf(value)}`,
  );
  return `${[inOneLine(title), ...lines].join("\n")}\n`;
}

/** Prints a list: all fields as a JSON array, or these columns as a table. */
export function printTable(
  terminal: Terminal,
  options: OutputOptions,
  { views, columns }: { views: readonly View[]; columns: readonly string[] },
): void {
  terminal.write(options.json ? jsonOf(views) : tableOf(views, columns));
}

/** These columns of the views, under their headings. */
export function tableOf(views: readonly View[], columns: readonly string[]): string {
  const rows = views.map((view) => columns.map((column) => textOf(view[column] ?? null)));
  const table = [columns.map((column) => labelOf(column).toUpperCase()), ...rows];
  const widths = columns.map((_, index) => Math.max(...table.map((cells) => (cells[index] ?? "").length)));
  const lines = table.map((cells) =>
    cells
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

/**
 * A text for a terminal: control and format characters, which could forge lines or turn their direction, are shown as `\\u001b`. The mark
 * before a CSV stays, and so do the joiners of scripts and emoji.
 */
export function printable(text: string): string {
  return text.replace(/(?!^\uFEFF|\r\n|[\n\t\u200C\u200D])[\p{Cc}\p{Cf}]/gu, (character) =>
    character.split("").map(escaped).join(""),
  );
}

/** A stored text that stands in a line of a screen: its line ends, which would begin a forged line, are shown as `\\u000a`. */
export function inOneLine(text: string): string {
  return text.replace(/[\n\r\t\u2028\u2029]/g, escaped);
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function jsonOf(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function labelOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textOf(value: View[string]): string {
  if (value === null) return "-";
  return inOneLine(Array.isArray(value) ? value.join(" ") : String(value));
}
