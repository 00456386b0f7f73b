import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "./scratch-folder.ts";

it("the folder for databases is writable and can run programs", () => {
  const folder = mkdtempSync(join(scratchFolder(), "daric-scratch-"));
  try {
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\necho ran\n", { mode: 0o700 });
    expect(execFileSync(program, { encoding: "utf8" })).toBe("ran\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
