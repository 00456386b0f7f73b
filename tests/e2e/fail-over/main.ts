import { missingPrograms } from "./programs.ts";

const missing = missingPrograms();
if (missing.length > 0) {
  process.stdout.write(`Skipped: this machine has no ${missing.join(", ")}.\n`);
  process.stdout.write(`${JSON.stringify({ skipped: missing })}\n`);
} else {
  const { runFailOvers } = await import("./run-fail-overs.ts");
  const outcome = await runFailOvers((line) => process.stderr.write(`${line}\n`));
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
  const { lost, doubled, unannounced, createGapMs, rollingFailed } = outcome;
  const isGood = lost + doubled + unannounced + rollingFailed === 0;
  process.exitCode = isGood && Math.max(...createGapMs) <= 2_000 ? 0 : 1;
}
