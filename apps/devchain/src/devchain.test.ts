import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startDevchain } from "./devchain.ts";

it("a second stop does not close the file again, because its descriptor may belong to another file by then", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "devchain-test-"));
  const devchain = await startDevchain({ dataDir, paused: true });
  await Promise.all([devchain.stop(), devchain.stop()]);
  await devchain.stop();
  const again = await startDevchain({ dataDir, paused: true });
  expect(again.genesisId).toBe(devchain.genesisId);
  await again.stop();
  rmSync(dataDir, { recursive: true });
});
