import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openHome } from "./home.ts";

it("a new home is closed to other users", async () => {
  const place = mkdtempSync(join(tmpdir(), "daric-home-"));
  try {
    const home = join(place, "new", ".daric");
    await openHome(home);
    expect(statSync(home).mode & 0o777).toBe(0o700);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
});
