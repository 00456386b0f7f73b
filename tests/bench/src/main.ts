import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { benches } from "./benches.ts";
import { type Bench, effort, print, report } from "./harness.ts";
import { isPageOf, writePage } from "./performance-page.ts";
import { commandOf, keepRecord, readRecords } from "./records.ts";
import { exitCodeOf } from "./verdict.ts";

const USAGE = `npm run bench -- NAME          measures; the last line is the result as JSON
npm run bench -- --page        writes the tables of docs/performance.md from records.json; --check: are they the same?
npm run bench -- --list        what each measures, and its bar

  --record        keeps the result in records.json, and shows it in docs/performance.md
  --rounds N      rounds of each comparison (${effort.rounds})
  --seconds N     seconds of each stretch of a round (${effort.seconds})
  --warm-up N     operations before the first round (${effort.warmUp})
  --orders N      finished orders that history-10m fills (${effort.orders})
  --deliveries N  finished deliveries that webhooks-history fills (${effort.deliveries})

Exit code: 0 every bar is met, 1 one is missed or the counts differ, 2 the machine was not steady enough to say.
`;

// All children end with this process.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
// Each child adds a listener for the exit.
process.setMaxListeners(0);
// The reader may close the pipe early.
process.stdout.on("error", () => process.exit(1));
process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      page: { type: "boolean", default: false },
      check: { type: "boolean", default: false },
      record: { type: "boolean", default: false },
      list: { type: "boolean", default: false },
      rounds: { type: "string", default: String(effort.rounds) },
      seconds: { type: "string", default: String(effort.seconds) },
      "warm-up": { type: "string", default: String(effort.warmUp) },
      orders: { type: "string", default: String(effort.orders) },
      deliveries: { type: "string", default: String(effort.deliveries) },
    },
  });
  if (values.list) {
    for (const bench of benches) print(describe(bench));
    return 0;
  }
  if (values.page && values.check) return isPageOf(benches, readRecords()) ? 0 : 1;
  if (values.page) {
    writePage(benches, readRecords());
    return 0;
  }
  const bench = benches.find(({ name }) => name === positionals[0]);
  if (bench === undefined) {
    process.stderr.write(USAGE);
    return 1;
  }
  print(`${describe(bench)}\n`);
  const { page: _, check: __, list: ___, record, ...options } = values;
  const run = { command: commandOf(bench.name, options), loadBefore: Number(loadavg()[0]?.toFixed(1)) };
  const result = await bench.run({
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    warmUp: Number(values["warm-up"]),
    orders: Number(values.orders),
    deliveries: Number(values.deliveries),
  });
  const { isPassed, line } = report(bench.name, result);
  print(line);
  if (record) {
    keepRecord(line, run);
    writePage(benches, readRecords());
  }
  return exitCodeOf({ isPassed, isInconclusive: result.isInconclusive });
}

function describe({ name, measures, bar }: Bench): string {
  return `${name}\n  ${measures}\n  bar: ${bar}`;
}
