import { parseSync } from "oxc-parser";

export type Import = { readonly from: string; readonly line: number };

/** The literal specifier of an `import()`. `no-hidden-import.grit` refuses any other specifier. */
const LITERAL = /^(["'])([^"']*)\1$/;

/**
 * Everything that a source file imports or re-exports, types and dynamic imports included. @throws Error if it
 * cannot be parsed.
 */
export function readImports(path: string, source: string): Import[] {
  const { program, module, errors } = parseSync(path, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const found = [
    ...program.body.flatMap((statement) =>
      "source" in statement && statement.source !== null
        ? [{ start: statement.start, from: statement.source.value }]
        : [],
    ),
    ...module.dynamicImports.flatMap(({ start, moduleRequest }) => {
      const from = LITERAL.exec(source.slice(moduleRequest.start, moduleRequest.end))?.[2];
      return from === undefined ? [] : [{ start, from }];
    }),
  ];
  const lineAt = lineFinder(source);
  return found.map(({ start, from }) => ({ from, line: lineAt(start) }));
}

function lineFinder(source: string): (offset: number) => number {
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => ends.filter((end) => end < offset).length + 1;
}
