import {
  chmod,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { copyPackage, type NativePackage } from "./binaries.ts";
import type { ServerUser } from "./server-user.ts";

const isRoot = process.getuid?.() === 0;
const self: ServerUser = { ids: {}, isOther: false };
const other: ServerUser = { ids: { uid: 65_534, gid: 65_534 }, isOther: true };

let root: string;
let source: NativePackage;
let first: string;
let second: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "daric-binaries-"));
  await chmod(root, 0o755);
  [first, second] = [join(root, "first"), join(root, "second")];
  const native = join(root, "package/native");
  for (const folder of [join(native, "bin"), join(native, "lib"), first, second]) {
    await mkdir(folder, { recursive: true });
  }
  // npm's result under a restrictive umask.
  await writeFile(join(native, "bin/postgres"), "program", { mode: 0o700 });
  await writeFile(join(native, "lib/libpq.so.5.18"), "library", { mode: 0o600 });
  const links = [{ source: "native/lib/libpq.so.5.18", target: "native/lib/libpq.so.5" }];
  source = { native, version: "18.4.0", links };
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

const nameOf = (place: string) => join(place, `daric-postgres-18.4.0-${process.getuid?.()}`);

it("the copy has the links that npm leaves out; every user may read it and only its owner may write", async () => {
  const copy = await copyPackage(source, other, [first]);
  expect(copy).toBe(nameOf(first));
  expect(await readFile(join(copy, "lib/libpq.so.5"), "utf8")).toBe("library");
  expect((await stat(copy)).mode & 0o777).toBe(0o755);
  expect((await stat(join(copy, "bin/postgres"))).mode & 0o777).toBe(0o755);
  expect((await stat(join(copy, "lib/libpq.so.5"))).mode & 0o777).toBe(0o644);
  expect(await readdir(first)).toHaveLength(1);
});

it("simultaneous starts make one copy", async () => {
  const copies = await Promise.all(Array.from({ length: 5 }, () => copyPackage(source, self, [first])));
  expect(new Set(copies)).toEqual(new Set([nameOf(first)]));
  expect(await readdir(first)).toHaveLength(1);
  const { ino } = await stat(nameOf(first));
  await copyPackage(source, self, [first]);
  expect((await stat(nameOf(first))).ino).toBe(ino);
});

it("a copy without a file or a link is replaced", async () => {
  const copy = await copyPackage(source, self, [first]);
  for (const lost of ["bin/postgres", "lib/libpq.so.5"]) {
    await unlink(join(copy, lost));
    await copyPackage(source, self, [first]);
    expect((await stat(join(copy, lost))).isFile()).toBe(true);
  }
  expect(await readdir(first)).toHaveLength(1);
});

it("a folder that others may write to is never executed from", async () => {
  await copyPackage(source, self, [first]);
  await chmod(nameOf(first), 0o777);
  expect(await copyPackage(source, self, [first, second])).toBe(nameOf(second));
  await expect(copyPackage(source, self, [first])).rejects.toThrow(
    /other users may write to it.*Set DATABASE_URL/,
  );
});

it.runIf(isRoot)("a folder or link of another user is never executed from", async () => {
  await mkdir(nameOf(first));
  await lchown(nameOf(first), 1, 1);
  expect(await copyPackage(source, self, [first, second])).toBe(nameOf(second));
  await rm(nameOf(first), { recursive: true });
  await symlink(nameOf(second), nameOf(first));
  await lchown(nameOf(first), 1, 1);
  await expect(copyPackage(source, self, [first])).rejects.toThrow("belongs to another user");
  expect((await lstat(nameOf(first))).isSymbolicLink()).toBe(true);
});

it("a place that the server's user cannot enter is not used", async () => {
  await chmod(first, 0o700);
  expect(await copyPackage(source, other, [first, second])).toBe(nameOf(second));
  expect(await copyPackage(source, self, [first, second])).toBe(nameOf(first));
});

it("a place where others may replace files is not used, unless it is sticky", async () => {
  await chmod(first, 0o777);
  expect(await copyPackage(source, self, [first, second])).toBe(nameOf(second));
  await chmod(first, 0o1777);
  expect(await copyPackage(source, self, [first, second])).toBe(nameOf(first));
});

it("a missing place is skipped", async () => {
  expect(await copyPackage(source, self, [join(root, "missing"), second])).toBe(nameOf(second));
});
