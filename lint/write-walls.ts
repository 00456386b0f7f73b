import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatted, writeGenerated } from "../server/scripts/generated-file.ts";
import { type Room, rooms, workspaceOf } from "./rooms.ts";
import { groups, homeless, type Wall, WIRE } from "./walls.ts";

/** Makes biome.json out of biome.base.json and the walls, and the table of rooms in ARCHITECTURE.md. */
const ROOT = join(import.meta.dirname, "..");
const TABLE = /(?<=<!-- rooms: .* -->\n)[\s\S]*(?=<!-- end of rooms -->)/;

function override(includes: readonly string[], walls: readonly Wall[]) {
  const noRestrictedImports = { level: "error", options: { patterns: walls } };
  return { includes, linter: { rules: { style: { noRestrictedImports } } } };
}

function row([name, { may, speaksHttp, why }]: [string, Room]): string {
  const own = (other: string) => workspaceOf(other) === workspaceOf(name);
  const here = may.filter(own).map((other) => other.slice(workspaceOf(name).length + 1));
  const said = speaksHttp ? [`http (${WIRE.join(", ")})`] : [];
  const there = may.filter((other) => !own(other));
  return `| \`${name}\` | ${cell([...here, ...said])} | ${cell(there)} | ${why} |`;
}

function cell(names: readonly string[]): string {
  return names.length === 0 ? "–" : names.join(", ");
}

const base = JSON.parse(readFileSync(join(import.meta.dirname, "biome.base.json"), "utf8"));
// Where two overrides set the same rule the later one replaces the earlier: a room overrules the homeless.
const walls = [override(homeless.includes, [homeless.wall])].concat(
  groups.map((group) => override(group.includes, group.walls)),
);
const biome = formatted(JSON.stringify({ ...base, overrides: [...base.overrides, ...walls] }), "walls.json");
await writeGenerated("biome.json", biome, process.argv);

const page = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
if (!TABLE.test(page)) throw new Error("ARCHITECTURE.md has no place for the table of rooms");
const table = `
| Room | imports of its workspace | of others | because |
|---|---|---|---|
${Object.entries(rooms).map(row).join("\n")}

`;
await writeGenerated(
  "ARCHITECTURE.md",
  page.replace(TABLE, () => table),
  process.argv,
);
