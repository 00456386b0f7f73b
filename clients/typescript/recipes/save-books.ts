import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Daric } from "@daric/sdk";

const daric = new Daric({
  baseUrl: process.env.DARIC_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.DARIC_KEY ?? "",
});

/** Saves the payments and the statement of November 2026 in this folder. */
export async function saveNovember(folder: string): Promise<void> {
  const [from, to] = ["2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"];
  const files = [
    await daric.exports.download("payments", { format: "xlsx", from, to }),
    await daric.settlement.statementFile({ month: "2026-11", format: "pdf", language: "es" }),
  ];
  for (const { name, content } of files) await writeFile(join(folder, name ?? "november"), content);
}
