import { Readable } from "node:stream";
import type { Queryable } from "@daric/postgres/sql";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { MerchantId } from "../../domain/ids.ts";
import { auditAct } from "../../people/audit-act.ts";

/** A request of a person for a list of a merchant, or of the service. */
type Exchange = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly db: Queryable;
  readonly merchantId?: MerchantId;
};
type Export = {
  readonly list: string;
  /** the name of the file without its ending */
  readonly name?: string;
  readonly format: "csv" | "json";
  readonly lines: AsyncIterable<string>;
};

/** Streams a list as a file, a part at a time and in constant memory. The audit log has the person, the list and its range first. */
export async function sendExport(
  { request, reply, db, merchantId }: Exchange,
  { list, name = list, format, lines }: Export,
): Promise<never> {
  const { merchantId: _, bom: __, ...asked } = request.query as Record<string, unknown>;
  const actor = { session: request.session, address: request.ip };
  await auditAct(db, actor, {
    action: "export",
    subject: `list ${list}`,
    after: { list, ...asked },
    merchantId: merchantId ?? null,
  });
  reply
    .type(format === "csv" ? "text/csv; charset=utf-8" : "application/json; charset=utf-8")
    .header("content-disposition", `attachment; filename="${name}.${format}"`);
  // The type of an answer knows no stream; Fastify sends one as it is.
  return reply.send(Readable.from(lines) as never) as never;
}
