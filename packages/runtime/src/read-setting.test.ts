import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { readSetting } from "./read-setting.ts";
import { setting } from "./setting.ts";

const SECRET = "correct horse battery staple";
const pepper = setting({
  env: "PEPPER",
  read: z.string().min(20, "is too short"),
  secret: true,
  default: "required",
  roles: ["all"],
  meaning: "What keys are hashed under.",
});
const level = setting({
  env: "LEVEL",
  read: z.string().prefault("low"),
  default: "low",
  roles: ["all"],
  meaning: "How loud.",
  warning: (value) => (value === "loud" ? "wakes people" : undefined),
});

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "daric-secret-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

describe("a secret", () => {
  it.each(["", "\n", "\r\n", " \n\n"])("is read from the file of NAME_FILE, without its ending %j", (end) => {
    const found = readSetting({ PEPPER_FILE: ` ${file("good", SECRET + end)} ` }, pepper);
    expect(found).toMatchObject({
      source: "file",
      value: SECRET,
      faults: [],
      warnings: [],
      isMissing: false,
    });
  });

  it("that is refused in quotes gets a hint about the quotes", () => {
    const { faults } = readSetting({ PEPPER: "'short'" }, pepper);
    expect(faults).toEqual(["PEPPER is too short; it stands in quotes, which are read as part of it"]);
  });

  it("that is set both ways is refused, with both names", () => {
    const { faults, value } = readSetting({ PEPPER: SECRET, PEPPER_FILE: file("both", SECRET) }, pepper);
    expect(faults).toEqual(["PEPPER and PEPPER_FILE are both set: which one counts?"]);
    expect(value).toBeUndefined();
  });

  it("whose file cannot be read is missing, with a reason that shows neither content nor path", () => {
    mkdirSync(join(folder, "a-folder"));
    execFileSync("sh", ["-c", 'mkfifo "$0"', join(folder, "a-pipe")]);
    const cases = [
      [join(folder, "nothing"), "does not exist"],
      [join(folder, "a-folder"), "is no regular file"],
      [join(folder, "a-pipe"), "is no regular file"],
      [file("empty", "\n"), "is empty"],
      [file("long", "x".repeat(70_000)), "is longer than 64 kB"],
      [SECRET, "does not exist"],
      ["x".repeat(5_000), "cannot be read (ENAMETOOLONG)"],
      ...(process.getuid?.() === 0 ? [] : [[file("closed", SECRET, 0o000), "this user may not read"]]),
    ] as const;
    for (const [path, why] of cases) {
      const { faults, isMissing } = readSetting({ PEPPER_FILE: path }, pepper);
      expect({ faults, isMissing }).toEqual({
        faults: [`PEPPER_FILE names a file that ${why}`],
        isMissing: true,
      });
    }
  });

  it("in a file that every user can read is accepted with a warning", () => {
    const behindClosed = readSetting({ PEPPER_FILE: file("closed-folder", SECRET, 0o444) }, pepper);
    expect(behindClosed).toMatchObject({ value: SECRET, faults: [], warnings: [] });
    chmodSync(folder, 0o755);
    const open = readSetting({ PEPPER_FILE: file("open", SECRET, 0o644) }, pepper);
    expect(open).toMatchObject({ value: SECRET, faults: [] });
    expect(open.warnings).toEqual([expect.stringMatching(/^PEPPER_FILE .* every user .* chmod o-r$/)]);
    expect(readSetting({ PEPPER_FILE: file("group", SECRET, 0o640) }, pepper).warnings).toEqual([]);
  });

  it("that is wrong in its file is reported with the file's variable", () => {
    const { faults, isMissing } = readSetting({ PEPPER_FILE: file("short", "short") }, pepper);
    expect({ faults, isMissing }).toEqual({
      faults: ["PEPPER (in the file that PEPPER_FILE names) is too short"],
      isMissing: false,
    });
  });
});

describe("a setting without secret", () => {
  it("has no file: LEVEL_FILE has no effect", () => {
    expect(readSetting({ LEVEL_FILE: "/etc/hostname" }, level)).toMatchObject({
      source: "default",
      value: "low",
    });
  });

  it("can have warnings, which are no faults", () => {
    expect(readSetting({ LEVEL: " loud " }, level)).toEqual({
      source: "environment",
      text: "loud",
      value: "loud",
      faults: [],
      warnings: ["LEVEL wakes people"],
      isMissing: false,
    });
  });
});
