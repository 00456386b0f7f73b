/** The rules that a comment may silence for a line. The project's own rules are not among them. */
const SILENCEABLE = [
  "complexity/noImportantStyles",
  "complexity/useMaxParams",
  "style/noProcessEnv",
  "style/useConsistentTypeDefinitions",
  "suspicious/noConsole",
  "suspicious/noExplicitAny",
];

/** The comments of a source file that silence any other rule, or a whole file. */
export function silencedIn(source: string): string[] {
  const allowed = SILENCEABLE.map((rule) => `biome-ignore lint/${rule}:`);
  const found = source.match(/biome-ignore\S*(?:\s+\S+)?/g) ?? [];
  return found.filter((comment) => !allowed.includes(comment));
}
