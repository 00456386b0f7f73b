import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { rooms, workspaceOf } from "./rooms.ts";

/** A forbidden group of imports, and the linter's message. */
export type ImportRule = { group: string[]; message: string };

/**
 * The files of a folder with the same import rules. `may` is everything that they may import besides the
 * folder itself.
 */
export type Group = {
  label: string;
  room: string;
  folder: string;
  /** Names of the group's files. */
  files: string[];
  includes: string[];
  may: readonly string[];
  /** Patterns of the allowed packages and Node modules. */
  packages: readonly string[];
  importRules: ImportRule[];
};

type Manifest = {
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  exports?: Record<string, string>;
  workspaces?: string[];
};

export const WIRE = ["routes.ts", "schema.ts"];

const NODE = ["node:*", "node:*/**"];

export function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(import.meta.dirname, "..", folder, "package.json"), "utf8"));
}

/** `server/domain` → `server/src/domain`, and the same for a file. */
export function pathOf(name: string): string {
  const [workspace = "", ...rest] = name.split("/");
  return isStart(name) ? name : posix.join(workspace, "src", ...rest);
}

/** A bin and its build start are beside the sources. */
function isStart(name: string): boolean {
  return /^[^/]+\/(bin|dist)\b/.test(name);
}

/** Every group of files with its import rules, from the table of rooms. */
export const groups: readonly Group[] = Object.entries(rooms).flatMap(([room, row]) => {
  const folder = pathOf(room);
  const common = { label: room, room, folder, may: row.may, packages: row.packages ?? declaredBy(room) };
  const tests = `!${folder}/*.test.ts`;
  if (!row.speaksHttp) {
    return [withImportRules({ ...common, files: ["a-file.ts"], includes: [`${folder}/*`, tests] }, row.why)];
  }
  const speakers = WIRE.map((file) => `${folder}/${file}`);
  const silent = [`${folder}/*`, tests, ...speakers.map((file) => `!${file}`)];
  const why = `${row.why}; server/http is for ${WIRE.join(" and ")}`;
  return [
    withImportRules({ ...common, files: ["a-file.ts"], includes: silent }, why),
    withImportRules(
      {
        ...common,
        label: `${room} (${WIRE.join(", ")})`,
        files: WIRE,
        includes: speakers,
        may: [...row.may, "server/http"],
      },
      row.why,
    ),
  ];
});

/** The rule for a file in no listed folder: it imports only its neighbours. */
export const homeless: { includes: string[]; importRule: ImportRule } = {
  includes: [
    ...new Set(
      Object.keys(rooms).flatMap((room) => [`${workspaceOf(room)}/src/**`, `${workspaceOf(room)}/bin/**`]),
    ),
    "!**/*.test.ts",
  ],
  importRule: {
    group: ["./*/**", "../**", "@daric/**"],
    message: "This folder is no room of lint/rooms.ts yet: say there what it may import.",
  },
};

/** Node's own modules, and the runtime dependencies of the workspace's package.json. */
function declaredBy(room: string): string[] {
  const names = Object.keys(manifestOf(workspaceOf(room)).dependencies ?? {});
  return [
    ...NODE,
    ...names.filter((name) => !name.startsWith("@daric/")).flatMap((name) => [name, `${name}/**`]),
  ];
}

/** Adds four import rules; no import breaks two of them. */
function withImportRules(group: Omit<Group, "importRules">, why: string): Group {
  const own = workspaceOf(group.room);
  const depth = group.folder.split("/").length;
  const beyond = `${"../".repeat(isStart(group.room) ? depth : depth - 1)}**`;
  const inside = group.may.filter((name) => workspaceOf(name) === own);
  const outside = group.may.filter((name) => workspaceOf(name) !== own);
  const importRules = [
    {
      group: [
        "./**",
        "../**",
        `!${beyond}`,
        "!./*",
        ...inside.map((name) => `!${specifier(group.folder, name)}`),
      ],
      message: `${group.label}: ${why}. Here it imports ${listed(inside)}.`,
    },
    {
      group: ["@daric/**", ...outside.map((name) => `!@daric/${name}`)],
      message: `${group.label}: ${why}. Of other workspaces it imports ${listed(outside)}.`,
    },
    {
      group: [beyond],
      message: `${group.label}: what stands outside the sources is imported by the name of its workspace, never by a path.`,
    },
  ];
  const free = ["./**", "../**", "@daric/**", ...group.packages].map((name) => `!${name}`);
  const few = rooms[group.room]?.packages;
  const declared = few === undefined ? "those that its package.json declares to run" : listed(few);
  const message = `${group.label}: ${why}. Of packages it imports ${declared}.`;
  return { ...group, importRules: [...importRules, { group: ["**", ...free], message }] };
}

/** The specifier of an import, from `folder`, of one file or of any file of a folder. */
function specifier(folder: string, name: string): string {
  const path = posix.relative(folder, pathOf(name));
  const written = path.startsWith(".") ? path : `./${path}`;
  return /\.[jt]s$/.test(name) ? written : `${written}/*`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : names.join(", ");
}
