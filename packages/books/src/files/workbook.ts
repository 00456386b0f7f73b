import { once } from "node:events";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/** The thread of the largest workbook needs about 1 GB, and for seconds a whole core: it would stop every other request. */
const MAX_HEAP_MB = 1_536;

/** The rows of the sheet, each a text or a number for each column; sent to the thread in parts. */
export type SheetPart = { readonly rows: readonly (readonly SheetValue[])[] };
export type SheetValue = string | number | boolean | null;

/** A workbook of one sheet that is written by a thread of its own, whose memory ends with it. */
export type Workbook = {
  add(rows: readonly Readonly<Record<string, unknown>>[]): void;
  /** The bytes of the file. */
  finish(): Promise<Uint8Array>;
  close(): void;
};

/** Opens a workbook with a heading. The caller closes it. */
export function openWorkbook(columns: readonly string[]): Workbook {
  const program = createRequire(import.meta.url).resolve("@daric/books/files/workbook-thread");
  const worker = new Worker(program, {
    execArgv: [],
    workerData: { columns },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // The wait for the file reports a death; before it, no event may end the process.
  const died = new Promise<never>((_, reject) => worker.once("error", reject));
  died.catch(() => {});
  return {
    add: (rows) =>
      worker.postMessage({
        rows: rows.map((row) => columns.map((column) => sheetValueOf(row[column]))),
      } satisfies SheetPart),
    finish: async () => {
      const answer = once(worker, "message");
      worker.postMessage("end");
      const [bytes] = (await Promise.race([answer, died])) as [Uint8Array];
      return bytes;
    },
    close: () => void worker.terminate(),
  };
}

function sheetValueOf(value: unknown): SheetValue {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value === "number" || typeof value === "boolean") return value;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
