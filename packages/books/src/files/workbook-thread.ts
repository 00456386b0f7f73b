import { parentPort, workerData } from "node:worker_threads";
import writeXlsxFile, { type Row } from "write-excel-file/node";
import { headingCells, toCells } from "./sheet-cells.ts";
import type { SheetPart } from "./workbook.ts";

/** The program of a workbook's thread: it takes rows, and answers `end` with the file. */
const { columns } = workerData as { readonly columns: readonly string[] };
const rows: Row[] = [headingCells(columns)];
parentPort?.on("message", async (message: SheetPart | "end") => {
  if (message !== "end") {
    for (const row of message.rows) rows.push(toCells(row, columns));
    return;
  }
  const file = await writeXlsxFile(rows, { stickyRowsCount: 1 }).toBuffer();
  const bytes = new Uint8Array(file);
  parentPort?.postMessage(bytes, [bytes.buffer]);
});
