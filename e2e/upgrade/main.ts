import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lastTag, sideOf, thisSide } from "./side.ts";

const { UPGRADE_FROM = await lastTag(), UPGRADE_TO } = process.env;
if (UPGRADE_FROM === undefined) {
  process.stdout.write(
    "Skipped: there is no release tag before this commit; UPGRADE_FROM names another one.\n",
  );
  process.stdout.write(`${JSON.stringify({ skipped: ["a release tag"] })}\n`);
} else {
  const { runUpgrade } = await import("./run-upgrade.ts");
  const folder = await mkdtemp(join(tmpdir(), "daric-upgrade-"));
  const tell = (line: string) => process.stderr.write(`${line}\n`);
  tell(`building ${UPGRADE_FROM}`);
  const from = await sideOf(UPGRADE_FROM, join(folder, "from"));
  const to = UPGRADE_TO === undefined ? thisSide() : await sideOf(UPGRADE_TO, join(folder, "to"));
  try {
    const figures = await runUpgrade({ from, to }, tell);
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    const { failed, unready, unpaid, broken } = figures;
    process.exitCode = failed.length + unready + unpaid + broken === 0 ? 0 : 1;
  } finally {
    await from.remove();
    await to.remove();
    await rm(folder, { recursive: true, force: true });
  }
}
