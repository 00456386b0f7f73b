import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildOf, lastTag, thisBuild } from "./build.ts";

const { UPGRADE_FROM = await lastTag(), UPGRADE_TO } = process.env;
if (UPGRADE_FROM === undefined) {
  process.stdout.write(
    "Skipped: there is no release tag before this commit; UPGRADE_FROM names another one.\n",
  );
  process.stdout.write(`${JSON.stringify({ skipped: ["a release tag"] })}\n`);
} else {
  const { runUpgrade } = await import("./run-upgrade.ts");
  const folder = await mkdtemp(join(tmpdir(), "daric-upgrade-"));
  const logLine = (line: string) => process.stderr.write(`${line}\n`);
  logLine(`building ${UPGRADE_FROM}`);
  const from = await buildOf(UPGRADE_FROM, join(folder, "from"));
  const to = UPGRADE_TO === undefined ? thisBuild() : await buildOf(UPGRADE_TO, join(folder, "to"));
  try {
    const figures = await runUpgrade({ from, to }, logLine);
    process.stdout.write(`${JSON.stringify(figures)}\n`);
    const { failed, unready, unpaid, broken } = figures;
    process.exitCode = failed.length + unready + unpaid + broken === 0 ? 0 : 1;
  } finally {
    await from.remove();
    await to.remove();
    await rm(folder, { recursive: true, force: true });
  }
}
