import { Readable } from "node:stream";
import type { Queryable } from "@daric/postgres/sql";
import type { FastifyReply } from "fastify";
import { type ReadPart, toCsv, toJson } from "./export.ts";

type Export = {
  readonly name: string;
  readonly format: "csv" | "json";
  readonly columns: readonly string[];
  readonly parts: ReadPart;
};

/** Streams a list as a file, a part at a time and in constant memory. */
export function sendExport(
  reply: FastifyReply,
  db: Queryable,
  { name, format, columns, parts }: Export,
): never {
  const lines = format === "csv" ? toCsv(db, columns, parts) : toJson(db, parts);
  reply
    .type(format === "csv" ? "text/csv; charset=utf-8" : "application/json; charset=utf-8")
    .header("content-disposition", `attachment; filename="${name}.${format}"`);
  // The type of an answer knows no stream; Fastify sends one as it is.
  return reply.send(Readable.from(lines) as never) as never;
}
