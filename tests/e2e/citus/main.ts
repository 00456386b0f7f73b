import { openCluster } from "./cluster.ts";
import { runMainJob, runOn } from "./main-job.ts";
import { findFailures, recordStatements } from "./statements.ts";

/** Runs every statement and the main job on the cluster of CITUS_URL; the last line is the outcome as JSON. */
const url = process.env.CITUS_URL;
const logLine = (line: string) => process.stderr.write(`${new Date().toISOString()} ${line}\n`);
if (url === undefined) {
  process.stdout.write(
    "Skipped: CITUS_URL must be a superuser's URL of a coordinator whose workers run on this machine.\n",
  );
  process.stdout.write(`${JSON.stringify({ skipped: ["CITUS_URL"] })}\n`);
} else {
  process.exitCode = (await test(url)) ? 0 : 1;
}

async function test(clusterUrl: string): Promise<boolean> {
  const cluster = await openCluster(clusterUrl);
  try {
    const statements = await recordStatements();
    logLine(`${statements.length} statements recorded`);
    await runOn(cluster, "migrate");
    await runOn(cluster.plain, "migrate");
    logLine(await runOn(cluster, "distribute"));
    const failures = await findFailures(statements, {
      distributed: cluster.serviceUrl,
      plain: cluster.plain.serviceUrl,
    });
    for (const { file, message, text } of failures) logLine(`${file}: ${message}\n${text}`);
    const outcome = await runMainJob(cluster, logLine);
    const line = {
      at: new Date().toISOString(),
      ...cluster.versions,
      server: process.version,
      workers: cluster.workers.length,
      statements: statements.length,
      failing: failures.length,
      ...outcome,
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    const { lost, doubled, unannounced, doctor, hang } = outcome;
    const faults = [lost, doubled, unannounced, doctor, hang.lost, hang.doubled, hang.unannounced];
    return (
      failures.length === 0 &&
      faults.every((count) => count === 0) &&
      outcome.preparedAtKill > 0 &&
      outcome.refund === "COMPLETED" &&
      hang.isNamed &&
      isOnly(hang.pages.others, "200") &&
      isOnly(hang.pages.theirs, "503") &&
      hang.announced.theirs === 0 &&
      hang.announced.others > 0 &&
      hang.confirmed.theirs === 0 &&
      hang.confirmed.others > 0 &&
      hang.longestGapMs < 10_000
    );
  } finally {
    await cluster.drop();
  }
}

function isOnly(statuses: Readonly<Record<string, number>>, status: string): boolean {
  return Object.keys(statuses).join() === status;
}
