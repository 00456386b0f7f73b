import { Engine, type Node } from "php-parser";

/** Functions that PHP got after 7.4. */
const FUNCTIONS = new Set([
  ...["str_contains", "str_starts_with", "str_ends_with", "get_debug_type", "get_resource_id", "fdiv"],
  ...["array_is_list", "array_find", "array_any", "array_all", "json_validate", "mb_str_pad", "mb_trim"],
]);
/** Names that are no types in PHP 7.4. */
const TYPES = ["mixed", "never", "static", "false", "true", "null"];
const REFERENCES = ["name", "selfreference", "parentreference", "staticreference"];

const engine = new Engine({ parser: { version: "7.4", extractDoc: false }, ast: { withPositions: true } });

// biome-ignore lint/suspicious/noExplicitAny: the fields of a node depend on its kind
type AnyNode = Node & Record<string, any>;

/** The newer syntax that the parser reads in its mode of 7.4. It refuses the rest itself. */
const newer: readonly (readonly [reason: string, isSo: (node: AnyNode) => boolean])[] = [
  ["a promoted property", ({ kind, flags }) => kind === "parameter" && flags > 0],
  ["a type of several types", ({ kind }) => kind === "uniontype" || kind === "intersectiontype"],
  ["readonly", ({ readonly, isReadonly }) => readonly === true || isReadonly === true],
  ["a newer type", ({ kind, raw }) => kind === "typereference" && TYPES.includes(raw)],
  ["a constant with a type", ({ kind, type }) => kind === "classconstant" && Boolean(type)],
  [
    "new in a default value",
    ({ kind, value }) => ["parameter", "property", "constant"].includes(kind) && value?.kind === "new",
  ],
  [
    "::class of an object",
    ({ kind, offset, what }) =>
      kind === "staticlookup" && offset?.name === "class" && !REFERENCES.includes(what.kind),
  ],
  ["an octal number with 0o", ({ kind, value }) => kind === "number" && /^0o/i.test(String(value))],
  [
    "a newer function",
    ({ kind, what }) => kind === "call" && FUNCTIONS.has(String(what?.name).replace(/^\\/, "")),
  ],
];

/** The places of a PHP source that PHP 7.4 cannot read or run, as `line: reason`. */
export function newerPhp(source: string): string[] {
  const faults = hiddenCode(source);
  try {
    visit(engine.parseCode(source, "source.php"), (node) => {
      for (const [reason, isSo] of newer) if (isSo(node)) faults.push(`${node.loc?.start.line}: ${reason}`);
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    faults.push(`${(error as SyntaxError & { readonly lineNumber?: number }).lineNumber}: ${error.message}`);
  }
  return faults;
}

/** PHP 7.4 reads an attribute as a comment, which ends with its line: code behind it there would vanish. */
function hiddenCode(source: string): string[] {
  return source
    .split("\n")
    .flatMap((line, index) =>
      /#\[[^\]]*\]\s*\S/.test(line) ? [`${index + 1}: code behind an attribute`] : [],
    );
}

function visit(value: unknown, look: (node: AnyNode) => void): void {
  if (typeof value !== "object" || value === null) return;
  if ("kind" in value) look(value as AnyNode);
  for (const [name, field] of Object.entries(value)) if (name !== "loc") visit(field, look);
}
