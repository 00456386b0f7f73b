/** Matches `NAME=` or `export NAME=`, and the rest of the line. */
const ASSIGNMENT = /^\s*(?:export\s{1,99})?[A-Za-z_]\w{0,255}\s{0,99}=\s{0,99}(.*)$/;
const NOTHING = /^\s*(?:#.*)?$/;

/**
 * Finds lines of an environment file that readers would parse differently. A fault has the line number and none of
 * its text, which may be secret. Also returns the assignments for Node's parser. Node reads an empty line with a
 * blank as the beginning of the next name, and an indented comment as a name.
 */
export function lintEnvLines(text: string): { faults: string[]; assignments: string } {
  if (text.includes("\0")) return { faults: ["it is no text in UTF-8"], assignments: "" };
  const lines = text.split(/\r?\n/);
  const faults: string[] = [];
  const assignments: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    if (NOTHING.test(lines[index] ?? "")) continue;
    const { fault, more } = lintEnvLine(lines, index);
    if (fault !== undefined) faults.push(`line ${index + 1} ${fault}`);
    assignments.push(...lines.slice(index, index + more + 1));
    index += more;
  }
  return { faults, assignments: assignments.join("\n") };
}

type LintedLine = {
  readonly fault?: string /** the number of further lines of the value */;
  readonly more: number;
};

function lintEnvLine(lines: readonly string[], index: number): LintedLine {
  const line = lines[index] ?? "";
  const value = ASSIGNMENT.exec(line)?.[1];
  if (value === undefined) return { fault: "is not like NAME=value", more: 0 };
  const [quote = ""] = value;
  const isQuoted = ["'", '"', "`"].includes(quote);
  const unquoted = isQuoted ? line.slice(0, line.indexOf(quote)) : line.split("#", 1)[0];
  if (unquoted?.includes("\t"))
    return { fault: "has a tab, which is read like a letter: use blanks", more: 0 };
  if (isQuoted) return lintQuoted([value, ...lines.slice(index + 1)], quote);
  return /(^|\S)#/.test(value)
    ? { fault: "has a # that begins a comment: put the value in quotes", more: 0 }
    : { more: 0 };
}

/** A quoted value, over several lines if needed; it ends at the next mark of its kind. */
function lintQuoted([first = "", ...others]: readonly string[], quote: string): LintedLine {
  const lines = [first.slice(1), ...others];
  const more = lines.findIndex((line) => line.includes(quote));
  if (more === -1) return { fault: "has a quote that is not closed", more: 0 };
  const line = lines[more] ?? "";
  return NOTHING.test(line.slice(line.indexOf(quote) + 1))
    ? { more }
    : {
        fault: "has something behind the closing quote, which is ignored: use another kind of quotes",
        more,
      };
}
