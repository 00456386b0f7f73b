import { readFileSync, writeFileSync } from "node:fs";
import { effort } from "./harness.ts";

/** Beside the sources: the same path from the sources and from the build. */
const FILE = new URL("../records.json", import.meta.url);

/** The last line of one run, with its command, its date and the load before it. */
export type BenchRecord = {
  readonly name: string;
  readonly command: string;
  /** when it ended, as ISO 8601 in UTC */
  readonly date: string;
  readonly ratio: number;
  readonly ours: number;
  readonly ceiling: number;
  readonly unit: string;
  readonly pass: boolean;
  /** times beside `ours`, in ms */
  readonly figures?: Readonly<Record<string, number>>;
  /** load averages over a minute: of the whole machine before the run, and at its end */
  readonly loadBefore: number;
  readonly load: number;
  readonly commit: string;
  readonly cpus: number;
};

/** The newest record of each bench, by name. */
export function readRecords(): ReadonlyMap<string, BenchRecord> {
  const records: readonly BenchRecord[] = JSON.parse(readFileSync(FILE, "utf8"));
  return new Map(records.map((record) => [record.name, record]));
}

/** Keeps the last line of a bench's run as its record, in place of an older one. */
export function keepRecord(line: string, run: Pick<BenchRecord, "command" | "loadBefore">): void {
  const { name, ...result } = JSON.parse(line);
  const record = { name, ...run, date: new Date().toISOString().slice(0, 16), ...result };
  const records = new Map(readRecords()).set(name, record);
  const sorted = [...records.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  writeFileSync(FILE, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** The command of a run, with each option that is not the default. */
export function commandOf(name: string, options: Readonly<Record<string, string>>): string {
  const usual: Readonly<Record<string, number>> = {
    rounds: effort.rounds,
    seconds: effort.seconds,
    "warm-up": effort.warmUp,
    orders: effort.orders,
    deliveries: effort.deliveries,
  };
  const others = Object.entries(options).filter(([option, value]) => Number(value) !== usual[option]);
  return [`npm run bench -- ${name}`, ...others.map(([option, value]) => `--${option} ${value}`)].join(" ");
}

/** Whether the run had the rounds that a verdict needs. */
export function isWhole({ command }: Pick<BenchRecord, "command">): boolean {
  return !command.includes(" --rounds ") && !command.includes(" --seconds ");
}
