import type { Queryable } from "@daric/postgres/sql";
import { describe, expect, it } from "vitest";
import { exportLines, PART, type ReadPart } from "./export.ts";

const none = {} as Queryable;
const columns = ["order_ref", "amount", "created_at"];
const row = (n: number) => ({ order_ref: `A-${n}`, amount: "1.5", created_at: "2026-11-01T00:00:00.000Z" });

/** A list of so many rows, of which it holds one part. */
function listOf(count: number): ReadPart {
  return async (_, after) => {
    const from = Number(after ?? 0);
    const rows = Array.from({ length: Math.min(PART, count - from) }, (_, index) => row(from + index));
    return { rows, next: from + PART < count ? String(from + PART) : undefined };
  };
}
const file = (format: "csv" | "xlsx", parts: ReadPart) =>
  ({ format, reader: "program", columns, parts }) as const;

describe("a file", () => {
  it("of a million rows as CSV holds no more of them than one part", async () => {
    let bytes = 0;
    let most = 0;
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    for await (const piece of exportLines(none, file("csv", listOf(1_000_000)))) {
      bytes += piece.length;
      most = Math.max(most, process.memoryUsage().heapUsed - before);
    }
    expect(bytes).toBeGreaterThan(30_000_000);
    expect(most).toBeLessThan(200_000_000);
  });

  it("of more rows than a workbook holds is refused before its first byte, and the refusal names CSV", async () => {
    const pieces = exportLines(none, file("xlsx", listOf(100_001)));
    await expect(pieces.next()).rejects.toMatchObject({
      code: "EXPORT_TOO_LARGE",
      message: expect.stringContaining("format=csv"),
    });
  });
});
