import { spawnSync } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOfRoles, type Role, roles } from "@daric/runtime/setting";
import { settingAt, settingPaths } from "@daric/server/process/config";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const UNITS = join(import.meta.dirname, "../../ops", "deploy", "systemd");
const MAX_EXPOSED = 2;
/** The path of an installed program. Tests replace it, because `systemd-analyze` requires that the program exists. */
const PROGRAM = /\/opt\/daric\/node_modules\/\.bin\/(daric|daric-signer)(?= )/;
const isHere = spawnSync("systemd-analyze", ["--version"], { stdio: "ignore" }).error === undefined;

let folder: string;
const units = (await readdir(UNITS)).filter((name) => name.endsWith(".service"));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "daric-units-"));
  await cp(UNITS, folder, { recursive: true });
  for (const name of units) {
    const text = await readFile(join(folder, name), "utf8");
    await writeFile(join(folder, name), text.replace(PROGRAM, process.execPath));
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function analyze(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}

it("there is a unit for each role, for the migration and for the signer", () => {
  const names = [...roles, "migrate", "signer"].map((name) => `daric-${name}.service`);
  expect(units.toSorted()).toEqual(names.toSorted());
});

describe.each(units)("%s", (name) => {
  it("runs an installed program as a user of its own, with a limit of files and of memory", async () => {
    expect(await readFile(join(UNITS, name), "utf8")).toMatch(PROGRAM);
    const shared = await readFile(join(UNITS, "daric-.service.d", "hardening.conf"), "utf8");
    for (const line of ["DynamicUser=yes", "ProtectSystem=strict", "LimitNOFILE=16384", "MemoryMax=1G"])
      expect(shared.split("\n")).toContain(line);
  });

  it.skipIf(!isHere)(`systemd finds no fault, and rates its exposure at most ${MAX_EXPOSED}`, () => {
    const path = join(folder, name);
    expect(analyze("verify", "--man=no", path)).toEqual({ status: 0, output: "" });
    const { output } = analyze("security", "--offline=yes", path);
    const exposure = Number(/Overall exposure level for .*: ([\d.]+)/.exec(output)?.[1]);
    expect(exposure, output).toBeLessThanOrEqual(MAX_EXPOSED);
  });
});

it.each(roles)("the unit of %s has exactly the secrets of its role, as credentials", async (role: Role) => {
  const unit = await readFile(join(UNITS, `daric-${role}.service`), "utf8");
  const secrets = settingPaths
    .map(settingAt)
    .filter((setting) => setting.secret && isOfRoles(setting, [role]))
    .map(({ env }) => env);
  const credentials = [...unit.matchAll(/^#?LoadCredential=(\w+):\/etc\/daric\/secrets\/\1$/gm)].map(
    ([, env]) => env,
  );
  const variables = [...unit.matchAll(/^#?Environment=(\w+)_FILE=%d\/\1$/gm)].map(([, env]) => env);
  expect(credentials.toSorted()).toEqual(secrets.toSorted());
  expect(variables.toSorted()).toEqual(secrets.toSorted());
});
