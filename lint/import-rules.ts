import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { rooms, workspaceOf } from "./rooms.ts";

/** A rule of a folder: the specifiers that it forbids, and the message of a violation. */
export type ImportRule = { readonly message: string; forbids(from: string): boolean };

/**
 * The files of a folder with the same import rules. `may` is everything that they may import besides the
 * folder itself.
 */
export type Group = {
  label: string;
  room: string;
  folder: string;
  /** Names of the group's files, by example. */
  files: readonly string[];
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
  return isOutsideSources(name) ? name : posix.join(workspace, "src", ...rest);
}

/** Whether the name is a folder beside the sources: `bin`, or the build in `dist` that a bin starts. */
function isOutsideSources(name: string): boolean {
  return /^[^/]+\/(bin|dist)\b/.test(name);
}

/** Every group of files with its import rules, from the table of rooms. */
export const groups: readonly Group[] = Object.entries(rooms).flatMap(([room, row]) => {
  const common = { label: room, room, folder: pathOf(room), packages: row.packages ?? declaredBy(room) };
  const others = { ...common, may: row.may, files: ["a-file.ts"] };
  if (!row.speaksHttp) return [withImportRules(others, row.why)];
  const wire = {
    ...common,
    label: `${room} (${WIRE.join(", ")})`,
    files: WIRE,
    may: [...row.may, "server/http"],
  };
  const why = `${row.why}; server/http is for ${WIRE.join(" and ")}`;
  return [withImportRules(others, why), withImportRules(wire, row.why)];
});

/** The rule for a file in no listed folder: it imports only files of its own folder. */
export const unlistedFolderRule: ImportRule = {
  message: "This folder is missing in lint/rooms.ts: list there what it may import.",
  forbids: (from) => (isRelative(from) ? posix.dirname(from) !== "." : from.startsWith("@daric/")),
};

const roots = new Set(
  Object.keys(rooms).flatMap((room) => [`${workspaceOf(room)}/src/`, `${workspaceOf(room)}/bin/`]),
);

/** The import rules of a file. Tests, and files outside the sources and bins of the listed workspaces, have none. */
export function importRulesOf(path: string): readonly ImportRule[] {
  const isFree = path.endsWith(".test.ts") || ![...roots].some((root) => path.startsWith(root));
  if (isFree) return [];
  const [others, wire] = groups.filter(({ folder }) => folder === posix.dirname(path));
  const group = wire !== undefined && WIRE.includes(posix.basename(path)) ? wire : others;
  return group?.importRules ?? [unlistedFolderRule];
}

/** Node's own modules, and the runtime dependencies of the workspace's package.json. */
function declaredBy(room: string): string[] {
  const names = Object.keys(manifestOf(workspaceOf(room)).dependencies ?? {});
  return [
    ...NODE,
    ...names.filter((name) => !name.startsWith("@daric/")).flatMap((name) => [name, `${name}/**`]),
  ];
}

/** Adds the four import rules of a group; no import breaks two of them. */
function withImportRules(group: Omit<Group, "importRules">, why: string): Group {
  const own = workspaceOf(group.room);
  const inside = group.may.filter((name) => workspaceOf(name) === own);
  const outside = group.may.filter((name) => workspaceOf(name) !== own);
  const sources = isOutsideSources(group.room) ? `${own}/` : `${own}/src/`;
  const open = [group.folder, ...inside.map(pathOf)];
  const target = (from: string) => posix.join(group.folder, from);
  const isOutside = (from: string) => isRelative(from) && !target(from).startsWith(sources);
  const few = rooms[group.room]?.packages;
  const declared = few === undefined ? "those that its package.json declares to run" : listed(few);
  const importRules: ImportRule[] = [
    {
      message: `${group.label}: ${why}. Here it imports ${listed(inside)}.`,
      forbids: (from) =>
        isRelative(from) &&
        !isOutside(from) &&
        !open.includes(target(from)) &&
        !open.includes(posix.dirname(target(from))),
    },
    {
      message: `${group.label}: ${why}. Of other workspaces it imports ${listed(outside)}.`,
      forbids: (from) => isWorkspaceImport(from) && !outside.some((name) => from === `@daric/${name}`),
    },
    {
      message: `${group.label}: a file outside the sources is imported by the name of its workspace, never by a path.`,
      forbids: isOutside,
    },
    {
      message: `${group.label}: ${why}. Of packages it imports ${declared}.`,
      forbids: (from) =>
        !isRelative(from) &&
        !isWorkspaceImport(from) &&
        !group.packages.some((pattern) => isNamedBy(pattern, from)),
    },
  ];
  return { ...group, importRules };
}

function isRelative(from: string): boolean {
  return /^\.\.?(\/|$)/.test(from);
}

function isWorkspaceImport(from: string): boolean {
  return from.startsWith("@daric/");
}

/** Whether a pattern matches: `*` stands for one part of a name and `**` for one or more. */
function isNamedBy(pattern: string, from: string): boolean {
  const [wanted, given] = [pattern.split("/"), from.split("/")];
  const isWhole = wanted.at(-1) === "**" ? given.length >= wanted.length : given.length === wanted.length;
  return isWhole && wanted.every((part, n) => isPart(part, given[n] ?? ""));
}

function isPart(wanted: string, given: string): boolean {
  if (wanted === "**" || wanted === given) return true;
  return wanted.endsWith("*") && given.startsWith(wanted.slice(0, -1));
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "nothing" : names.join(", ");
}
