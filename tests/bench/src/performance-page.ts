import { readFileSync, writeFileSync } from "node:fs";
import type { Bench } from "./harness.ts";
import { questions } from "./questions.ts";
import { type BenchRecord, isWhole } from "./records.ts";

const PAGE = new URL("../../../docs/performance.md", import.meta.url);

type Records = ReadonlyMap<string, BenchRecord>;

/** The tables of the page that come from the records, by the name of their place. */
const tables: Readonly<Record<string, (benches: readonly Bench[], records: Records) => string>> = {
  latency: (_benches, records) => latencyTable(records),
  benches: benchTable,
};

/** The text of the page with the tables of these records. @throws Error if it has no place for one */
export function pageWith(text: string, benches: readonly Bench[], records: Records): string {
  return Object.entries(tables).reduce((page, [name, write]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`];
    const [before, after] = [page.indexOf(begin), page.indexOf(end)];
    if (before === -1 || after < before) throw new Error(`docs/performance.md has no place for ${name}`);
    return `${page.slice(0, before)}${begin}\n${write(benches, records)}\n\n${page.slice(after)}`;
  }, text);
}

/** Whether docs/performance.md has the tables of these records. */
export function isPageOf(benches: readonly Bench[], records: Records): boolean {
  const text = readFileSync(PAGE, "utf8");
  return pageWith(text, benches, records) === text;
}

/** Writes the tables of the records into docs/performance.md. */
export function writePage(benches: readonly Bench[], records: Records): void {
  writeFileSync(PAGE, pageWith(readFileSync(PAGE, "utf8"), benches, records));
}

type Latency = {
  readonly from: string;
  readonly to: string;
  readonly bench: string;
  readonly p50: string;
  readonly p99: string;
};

/** In the order in which a payment meets them. */
const latencies: readonly Latency[] = [
  {
    from: "a node has the block of a payment",
    to: "its deposit is stored, at `TRON_POLL_MS=250`",
    bench: "tip-latency",
    p50: "p50Ms",
    p99: "p99Ms",
  },
  {
    from: "a node has the block that makes 100 payments final",
    to: "the webhook of each is received, at `TRON_POLL_MS=100`",
    bench: "block-to-webhook",
    p50: "receivedP50Ms",
    p99: "receivedP99Ms",
  },
  {
    from: "the same block",
    to: "the last of the 100 webhooks is received",
    bench: "block-to-webhook",
    p50: "p50Ms",
    p99: "p99Ms",
  },
  {
    from: "the events of 100 payments are written",
    to: "the webhook of each is received",
    bench: "block-to-webhook",
    p50: "deliveredP50Ms",
    p99: "deliveredP99Ms",
  },
  {
    from: "the event of one payment is written in an idle process",
    to: "the first byte of its webhook is received",
    bench: "webhooks-wakeup",
    p50: "p50Ms",
    p99: "p99Ms",
  },
  {
    from: "the same, where another process delivers",
    to: "the first byte of its webhook is received",
    bench: "webhooks-wakeup",
    p50: "betweenP50Ms",
    p99: "betweenP99Ms",
  },
];

function latencyTable(records: Records): string {
  const rows = latencies.map(({ from, to, bench, p50, p99 }) => {
    const record = records.get(bench);
    const figure = (name: string) => withUnit(record?.figures?.[name], "ms");
    return row([from, to, figure(p50), figure(p99), `\`${bench}\``, placeOf(record)]);
  });
  return [row(["From", "To", "p50", "p99", "Bench", "Measured"]), "|---|---|---|---|---|---|", ...rows].join(
    "\n",
  );
}

function benchTable(benches: readonly Bench[], records: Records): string {
  const rows = benches.map(({ name }) => {
    const [record, question] = [records.get(name), questions[name]];
    if (question === undefined) throw new Error(`questions.ts does not say what ${name} compares`);
    return row([
      `\`${record?.command ?? `npm run bench -- ${name}`}\``,
      question,
      withUnit(record?.ours, record?.unit),
      withUnit(record?.ceiling, record?.unit),
      record === undefined ? "–" : String(record.ratio),
      verdictOf(record),
      placeOf(record),
    ]);
  });
  const head = row(["Command", "Compares", "Ours", "Ceiling", "Ratio", "Bar met", "Measured"]);
  return [head, "|---|---|---|---|---|---|---|", ...rows].join("\n");
}

function withUnit(figure: number | undefined, unit = ""): string {
  if (figure === undefined) return "–";
  return `${figure >= 100 ? Math.round(figure).toLocaleString("en-US") : figure} ${unit}`.trim();
}

function verdictOf(record: BenchRecord | undefined): string {
  if (record === undefined) return "–";
  if (!isWhole(record)) return "a quick look";
  return record.pass ? "yes" : "no";
}

function placeOf(record: BenchRecord | undefined): string {
  if (record === undefined) return "not yet";
  const { date, loadBefore, load, commit } = record;
  return `${date.replace("T", " ")}, load ${loadBefore} to ${load}, \`${commit}\``;
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}
