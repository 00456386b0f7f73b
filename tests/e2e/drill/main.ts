import { postgresqlPrograms } from "../fail-over/programs.ts";

if (postgresqlPrograms() === undefined) {
  process.stdout.write(
    "Skipped: this machine has no /usr/lib/postgresql/*/bin/postgres (Debian: postgresql).\n",
  );
  process.stdout.write(`${JSON.stringify({ skipped: ["postgresql"] })}\n`);
} else {
  const { runDrill } = await import("./run-drill.ts");
  const figures = await runDrill((line) => process.stderr.write(`${line}\n`));
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  const { firstOrderMs, soldTwice, notListed, notAlarmed, eventsRenamed, eventsMissing, broken } = figures;
  const faults = soldTwice + notListed + notAlarmed + eventsRenamed + eventsMissing + broken;
  process.exitCode = faults === 0 && firstOrderMs <= 5_000 ? 0 : 1;
}
