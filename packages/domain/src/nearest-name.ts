const MAX_LENGTH = 64;
/** Typing errors: one letter too many, too few or wrong, or two swapped. */
const MAX_TYPOS = 2;
const FAR = 2 * MAX_LENGTH;

/**
 * The name that a misspelt text means. It differs in case and separators alone, or by at most two typing errors that are
 * fewer than a third of its length. Undefined if no name is that near, or if the text itself is a name.
 */
export function nearestName<Name extends string>(text: string, names: readonly Name[]): Name | undefined {
  if (text.length > MAX_LENGTH || names.some((name) => name === text)) return undefined;
  const wanted = lettersOf(text);
  const near = names
    .map((name) => ({ name, typos: typosBetween(wanted, lettersOf(name)) }))
    .filter(({ name, typos }) => typos <= MAX_TYPOS && typos * 3 < lettersOf(name).length)
    .sort((a, b) => a.typos - b.typos);
  return near[0]?.name;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The optimal string alignment distance. */
function typosBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? FAR;
  for (let row = 1; row <= a.length; row += 1) {
    const typos = [row];
    rows.push(typos);
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      typos.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : FAR,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
