import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runDaric } from "../apps/daric/src/cli/daric.ts";
import { processTerminal } from "../apps/daric/src/cli/terminal.ts";
import { workspaceOf } from "./workspaces.ts";

/** The sources of the service: those of the programs beside it have no aim. */
const SERVICE = /^(?:packages\/(?!(?:tron|postgres)\b)|apps\/daric\/src)/;

/** The aimed sizes. They stop no commit: one that adds something says what it replaces, or why it is worth it. */
const aims = [
  { name: "lines of the service", measure: "lines", of: SERVICE, max: 66_000 },
  { name: "files of the service", measure: "files", of: SERVICE, max: 700 },
  { name: "lines of the repository", measure: "lines", of: /^/, max: 123_000 },
  { name: "lines of lint", measure: "lines", of: /^lint$/, max: 2_500 },
  { name: "lines of testing", measure: "lines", of: /^tests\/testing$/, max: 8_000 },
  { name: "settings", measure: "settings", of: /^/, max: 70 },
  { name: "commands", measure: "commands", of: /^/, max: 50 },
  { name: "live tables", measure: "tables", of: /^/, max: 66 },
] as const;

const measures = ["lines", "files", "settings", "commands", "tables", "routes"] as const;
type Size = Record<(typeof measures)[number], number>;

const root = join(import.meta.dirname, "..");

/** A table of what each room holds, without tests, and the sums beside their aims. */
export async function sizesOfRooms(): Promise<string> {
  const sizes = new Map<string, Size>();
  const tables = liveTables();
  const add = (room: string, more: Partial<Size>) => {
    const size = sizes.get(room) ?? { lines: 0, files: 0, settings: 0, commands: 0, tables: 0, routes: 0 };
    for (const [measure, count] of Object.entries(more)) size[measure as keyof Size] += count;
    sizes.set(room, size);
  };
  // The tests of `tests/testing/` are its content.
  const isTest = (path: string) => /\.test\.tsx?$/.test(path) && !path.startsWith("tests/testing/");
  for (const path of listed("*.ts", "*.tsx").filter((path) => !isTest(path))) {
    const source = readFileSync(join(root, path), "utf8");
    add(roomOf(path), { lines: source.split("\n").length - 1, files: 1 });
    if (!SERVICE.test(path)) continue;
    if (/(?:settings|context)\.ts$/.test(path)) add(roomOf(path), { settings: countOf(source, /\benv: "/g) });
    add(roomOf(path), { routes: countOf(source, /\bapp\.(?:get|post|put|patch|delete)\(/g) });
    // A table belongs to the room that inserts into it. The few that have one row from the start have no room.
    const inserted = [...source.matchAll(/\binsert into (\w+)/g)].map(([, table = ""]) => table);
    add(roomOf(path), { tables: inserted.filter((table) => tables.delete(table)).length });
  }
  add("apps/daric/migrations", { tables: tables.size });
  add("apps/daric/src/cli", { commands: (await commandsBelow([])).length });
  return `${tableOf(sizes)}\n${aimsOf(sizes)}\n`;
}

function listed(...patterns: string[]): string[] {
  const git = ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns];
  const paths = execFileSync("git", git, { cwd: root, encoding: "utf8" }).split("\n");
  return [...new Set(paths)].filter((path) => path !== "" && existsSync(join(root, path)));
}

/** A workspace, or a folder of the program's own sources. */
function roomOf(path: string): string {
  const [own] = /^apps\/daric\/src(?:\/[\w-]+(?=\/))?/.exec(path) ?? [];
  const [top = ""] = path.split("/");
  return own ?? workspaceOf(path) ?? (top === path ? "(root)" : top);
}

function countOf(source: string, pattern: RegExp): number {
  return source.match(pattern)?.length ?? 0;
}

/** The tables that the migrations leave; a partition is a part of its table. */
function liveTables(): Set<string> {
  const step =
    /\bcreate (?:unlogged )?table (?:if not exists )?(\w+)(?!\w| partition of)|\bdrop table (?:if exists )?([\w, ]+)/g;
  const tables = new Set<string>();
  for (const path of listed("apps/daric/migrations/*.sql").sort()) {
    const statements = readFileSync(join(root, path), "utf8").replace(/--.*$/gm, "");
    for (const [, made, dropped = ""] of statements.matchAll(step)) {
      if (made !== undefined) tables.add(made);
      for (const table of dropped.split(/[\s,]+/)) tables.delete(table);
    }
  }
  return tables;
}

/** Every command that an operator can run, as the help of `daric` lists them. */
async function commandsBelow(path: readonly string[]): Promise<string[]> {
  let help = "";
  await runDaric([...path, "--help"], { ...processTerminal, variables: {}, write: (text) => (help += text) });
  const [own = "", below = ""] = help.split("\nCommands:\n");
  const names = [...below.matchAll(/^ {2}(?!help)([\w-]+)/gm)].map(([, name = ""]) => name);
  const isCommand = path.length > 0 && (names.length === 0 || /^ {2}-(?!h)/m.test(own));
  const lower = await Promise.all(names.map((name) => commandsBelow([...path, name])));
  return [...(isCommand ? [path.join(" ")] : []), ...lower.flat()];
}

function tableOf(sizes: ReadonlyMap<string, Size>): string {
  const rows = [...sizes]
    .sort(([, one], [, other]) => other.lines - one.lines)
    .map(([room, size]) => [room, ...measures.map((measure) => String(size[measure] || "–"))]);
  return [["room", ...measures], ...rows]
    .map(([room = "", ...cells]) => room.padEnd(26) + cells.map((cell) => cell.padStart(10)).join(""))
    .join("\n");
}

function aimsOf(sizes: ReadonlyMap<string, Size>): string {
  return aims
    .map(({ name, measure, of, max }) => {
      const within = [...sizes].filter(([room]) => of.test(room));
      const sum = within.reduce((total, [, size]) => total + size[measure], 0);
      return `${name}: ${sum} (aim ${max}${sum > max ? `, ${sum - max} over` : ""})`;
    })
    .join("\n");
}
