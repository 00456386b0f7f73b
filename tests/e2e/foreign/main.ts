import { installChain } from "./chain.ts";
import { type SuiteOutcome, sortOutcome } from "./outcome.ts";
import { runTronPy } from "./tronpy.ts";
import { runTronWeb } from "./tronweb.ts";

/**
 * Runs test suites of other projects on a packed devchain: TronWeb's in `TRONWEB_DIR` and tronpy's in `TRONPY_DIR`, checkouts with
 * their dependencies. One line of JSON a suite.
 */
const suites = [
  { folder: process.env.TRONWEB_DIR, run: runTronWeb },
  { folder: process.env.TRONPY_DIR, run: runTronPy },
];

const outcomes: SuiteOutcome[] = [];
const installed = await installChain();
try {
  for (const { folder, run } of suites) {
    if (folder !== undefined) outcomes.push(sortOutcome(await run(folder, installed)));
  }
} finally {
  await installed.remove();
}
for (const { faults, ...counts } of outcomes) {
  for (const { name, message } of faults) process.stderr.write(`${name}\n  ${message.slice(0, 300)}\n`);
  process.stdout.write(
    `${JSON.stringify({ at: new Date().toISOString(), ...counts, faults: faults.length })}\n`,
  );
}
if (outcomes.length === 0) process.stdout.write("Skipped: neither TRONWEB_DIR nor TRONPY_DIR is set.\n");
if (outcomes.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
