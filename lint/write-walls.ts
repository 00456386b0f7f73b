import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatted, writeGenerated } from "../server/scripts/generated-file.ts";
import { groups, homeless, type Wall } from "./walls.ts";

/** Makes biome.json out of biome.base.json and the walls. */

function override(includes: readonly string[], walls: readonly Wall[]) {
  const noRestrictedImports = { level: "error", options: { patterns: walls } };
  return { includes, linter: { rules: { style: { noRestrictedImports } } } };
}

const base = JSON.parse(readFileSync(join(import.meta.dirname, "biome.base.json"), "utf8"));
// Where two overrides set the same rule the later one replaces the earlier: a room overrules the homeless.
const walls = [override(homeless.includes, [homeless.wall])].concat(
  groups.map((group) => override(group.includes, group.walls)),
);
const biome = formatted(JSON.stringify({ ...base, overrides: [...base.overrides, ...walls] }), "walls.json");
await writeGenerated("biome.json", biome, process.argv);
