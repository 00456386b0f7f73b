import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const tests = fileURLToPath(new URL("tests/run.php", import.meta.url));
const isHere = spawnSync("php", ["-r", "exit(PHP_VERSION_ID >= 70400 ? 0 : 1);"]).status === 0;

it.skipIf(!isHere)("the pure parts of the plugin pass their tests (skipped where php is missing)", () => {
  expect(execFileSync("php", [tests], { encoding: "utf8" })).toMatch(/^\d+ passed, 0 failed, 0 skipped$/m);
});
