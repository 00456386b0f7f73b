import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatted, writeGenerated } from "../server/scripts/generated-file.ts";
import { groups, homeless, type ImportRule } from "./import-rules.ts";

/** Makes biome.json out of biome.base.json and the import rules. */

function override(includes: readonly string[], importRules: readonly ImportRule[]) {
  const noRestrictedImports = { level: "error", options: { patterns: importRules } };
  return { includes, linter: { rules: { style: { noRestrictedImports } } } };
}

const base = JSON.parse(readFileSync(join(import.meta.dirname, "biome.base.json"), "utf8"));
// Of two overrides for the same rule the later one wins: a room's rules replace the default.
const importRules = [override(homeless.includes, [homeless.importRule])].concat(
  groups.map((group) => override(group.includes, group.importRules)),
);
const biome = formatted(
  JSON.stringify({ ...base, overrides: [...base.overrides, ...importRules] }),
  "import-rules.json",
);
await writeGenerated("biome.json", biome, process.argv);
