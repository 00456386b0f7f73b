import { existsSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { globalRules, packagesAtMost } from "./global-rules.ts";
import {
  type Group,
  groups,
  type ImportRule,
  manifestOf,
  pathOf,
  unlistedFolderRule,
} from "./import-rules.ts";
import { type Room, rooms, workspaceOf } from "./rooms.ts";

/** A file of imports, one a line: the specifier, and the message of the broken rule, if any. */
export type PlantedImports = {
  path: string;
  imports: { from: string; importRule: ImportRule | undefined }[];
};

type Table = Readonly<Record<string, Room>>;

const ROOT = join(import.meta.dirname, "..");
/** Two modules of Node, and packages that no workspace, some, or only dependencies declare. */
const SAMPLES = ["node:fs", "node:fs/promises", "fs", "light-my-request", "undici", "zod", "zod/v4"];
export const workspaces: readonly string[] = manifestOf(".").workspaces ?? [];

/**
 * For every group of files, an import of each forbidden folder, export, path and tool package must be reported.
 * All allowed imports must pass.
 */
export function plantedImports(): PlantedImports[] {
  const misplaced = ["../domain/money.ts", "@daric/devchain"].map((from) => ({
    from,
    importRule: unlistedFolderRule,
  }));
  return [{ path: "server/src/no-room/a-file.ts", imports: misplaced }, ...groups.flatMap(planted)];
}

function planted(group: Group): PlantedImports[] {
  const [inside, byName, byPath, packages] = group.importRules;
  const held = (from: readonly string[], importRule: ImportRule | undefined) =>
    from.map((name) => ({ from: name, importRule }));
  const imports = [
    ...held(forbiddenFolders(group), inside),
    ...held(forbiddenExports(group), byName),
    ...held(pathsOutside(group), byPath),
    ...held(forbiddenPackages(group), packages),
    ...held(allowedImports(group), undefined),
  ];
  return group.files.map((file) => ({ path: posix.join(group.folder, file), imports }));
}

/**
 * A file in each forbidden folder of the workspace and of its store, every file at the workspace's root, and
 * one in an unlisted folder. Each is imported directly, and by a detour if possible.
 */
function forbiddenFolders(group: Group): string[] {
  const closed = Object.keys(rooms).flatMap((room) => {
    if (workspaceOf(room) !== workspaceOf(group.room) || room === group.room) return [];
    if (room.endsWith("/bin") || group.may.includes(room)) return [];
    const open = group.may.map(pathOf);
    const files = filesIn(pathOf(room)).filter((file) => !open.includes(file));
    if (room === workspaceOf(room)) return files;
    return files.find((file) => file.endsWith("store.ts")) ?? files[0] ?? [];
  });
  const publicFile = group.may.map(pathOf).find((path) => path.startsWith(posix.dirname(group.folder)));
  return [...closed, `${group.folder}/no-room/a-file.ts`].flatMap((file) => {
    const straight = relative(group.folder, file);
    const crooked = straight.startsWith("../") ? [`./${straight}`] : [];
    const through =
      publicFile === undefined ? [] : [`${relative(group.folder, publicFile)}/${relative(publicFile, file)}`];
    return [straight, ...crooked, ...through];
  });
}

function forbiddenExports(group: Group): string[] {
  const open = group.may.map((name) => `@daric/${name}`);
  return workspaces.flatMap(exportsOf).filter((name) => !open.includes(name));
}

function pathsOutside(group: Group): string[] {
  const others = workspaces.filter((workspace) => workspace !== workspaceOf(group.room));
  return others.map((other) =>
    relative(group.folder, filesIn(`${other}/src`)[0] ?? `${other}/src/a-file.ts`),
  );
}

function forbiddenPackages(group: Group): string[] {
  const tools = [workspaceOf(group.room), "."].flatMap((folder) =>
    Object.keys(manifestOf(folder).devDependencies ?? {}),
  );
  const tried = [...tools.filter((name) => !/^@(daric|types)\//.test(name)), ...SAMPLES];
  return tried.filter((name) => !isOpenPackage(group, name));
}

function isOpenPackage({ packages }: Group, name: string): boolean {
  const steps = packages.map((pattern) => pattern.replaceAll("/**", "/.+").replaceAll("*", "[^/]*"));
  return steps.some((step) => new RegExp(`^${step}$`).test(name));
}

function allowedImports(group: Group): string[] {
  const own = group.may.filter((name) => workspaceOf(name) === workspaceOf(group.room));
  const theirs = group.may.filter((name) => !own.includes(name)).map((name) => `@daric/${name}`);
  const files = own.map((name) => (/\.[jt]s$/.test(name) ? pathOf(name) : `${pathOf(name)}/a-file.ts`));
  const packages = [...group.packages.filter((name) => !name.includes("*")), ...SAMPLES];
  return [
    ...files.map((file) => relative(group.folder, file)),
    ...theirs,
    ...packages.filter((name) => isOpenPackage(group, name)),
    "./a-neighbour.ts",
  ];
}

/** Faults of the table: rows that break a global rule, rows without files, folders without a row, and cycles. */
export function findFaultsOfTable(table: Table = rooms): string[] {
  const names = Object.values(table).flatMap(({ may }) => may);
  const exported = workspaces.flatMap(exportsOf);
  const isThere = (name: string) =>
    exported.includes(`@daric/${name}`) ||
    name.includes("/dist/") ||
    [name, `${name}.ts`].some((path) => existsSync(join(ROOT, pathOf(path))));
  const folders = new Set(Object.keys(table).map(pathOf));
  const roots = new Set([...folders].map((folder) => folder.split("/", 2).join("/")));
  return [
    ...Object.entries(table).flatMap(([name, room]) => globalViolations(name, room)),
    ...Object.keys(table).flatMap((room) => cyclesThrough(table, [room])),
    ...names.filter((name) => !isThere(name)).map((name) => `lint/rooms.ts: there is no ${name}`),
    ...[...roots]
      .flatMap(foldersUnder)
      .filter((folder) => !folders.has(folder))
      .map((folder) => `${folder} is missing in lint/rooms.ts`),
  ];
}

function globalViolations(name: string, { may, packages }: Room): string[] {
  const broken = may.flatMap((other) =>
    globalRules.flatMap(({ forbids, why }) => (forbids(name, other) ? `imports ${other}, but ${why}` : [])),
  );
  const most = packagesAtMost[name];
  const isFree = most !== undefined && !packages?.every((pattern) => most.includes(pattern));
  const free = isFree ? [`imports packages at most of these: ${most.join(", ") || "none"}`] : [];
  return [...broken, ...free].map((fault) => `lint/rooms.ts: ${name} ${fault}`);
}

/** Cycles from the first folder back to itself. An allowed file counts as its whole folder. */
function cyclesThrough(table: Table, way: readonly string[]): string[] {
  const next = new Set(
    table[way.at(-1) ?? ""]?.may.map((name) => (name in table ? name : posix.dirname(name))),
  );
  return [...next].flatMap((room) => {
    if (room === way[0]) return [`lint/rooms.ts: a cycle: ${[...way, room].join(" → ")}`];
    return room in table && !way.includes(room) ? cyclesThrough(table, [...way, room]) : [];
  });
}

function foldersUnder(folder: string): string[] {
  const entries = existsSync(join(ROOT, folder))
    ? readdirSync(join(ROOT, folder), { withFileTypes: true })
    : [];
  const below = entries.filter((entry) => entry.isDirectory());
  return [
    ...(filesIn(folder).length > 0 ? [folder] : []),
    ...below.flatMap(({ name }) => foldersUnder(`${folder}/${name}`)),
  ];
}

/** The source files of one folder without tests. */
function filesIn(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  const names = readdirSync(join(ROOT, folder)).filter((name) => /(?<!\.test)\.[jt]s$/.test(name));
  return names.map((name) => `${folder}/${name}`);
}

/** The specifiers of a workspace's exports, one for each pattern; its bare name without exports. */
function exportsOf(workspace: string): string[] {
  const publicFiles = Object.keys(manifestOf(workspace).exports ?? { ".": "" });
  return publicFiles.map((publicFile) =>
    posix.join("@daric", workspace, publicFile.replace("*", "anything")),
  );
}

function relative(folder: string, file: string): string {
  const path = posix.relative(folder, file);
  return path.startsWith(".") ? path : `./${path}`;
}
