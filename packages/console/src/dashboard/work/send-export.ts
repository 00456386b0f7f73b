import { finished, Readable } from "node:stream";
import type { MerchantId } from "@daric/domain/ids";
import type { Session } from "@daric/domain/session";
import type { Queryable } from "@daric/postgres/sql";
import type { FastifyReply, FastifyRequest } from "fastify";
import { auditAct } from "../../people/audit-act.ts";
import { findEntitled } from "../../people/entitled-store.ts";
import { type Downloads, paced, whileAllowed } from "./downloads.ts";

/** A request of a person for a list of a merchant, or of the service. */
type Exchange = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly db: Queryable;
  readonly downloads: Downloads;
  readonly merchantId?: MerchantId;
};
type Export = {
  readonly list: string;
  /** the name of the file without its ending */
  readonly name?: string;
  readonly format: "csv" | "json";
  readonly lines: AsyncIterable<string>;
};

/**
 * Streams a list as a file, a part at a time and in constant memory. The audit log has the person, the list and its range first. The
 * answer breaks off when the session ends or the role changes.
 * @throws as {@link Downloads.start}.
 */
export async function sendExport(
  { request, reply, db, downloads, merchantId }: Exchange,
  { list, name = list, format, lines }: Export,
): Promise<never> {
  const { merchantId: _, bom: __, ...asked } = request.query as Record<string, unknown>;
  finished(reply.raw, downloads.start(request.session.id, merchantId));
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
  const end = () => void reply.raw.destroy();
  const isAllowed = () => hasSameRights(db, request.session, merchantId);
  // The type of an answer knows no stream; Fastify sends one as it is.
  return reply.send(Readable.from(paced(whileAllowed(lines, { isAllowed, end }), end)) as never) as never;
}

/** Whether the session lives, and its person has the role that it had when the request came; of the service, is still an operator. */
async function hasSameRights(
  db: Queryable,
  { id: sessionId, memberships }: Session,
  merchantId: MerchantId | undefined,
): Promise<boolean> {
  const [entitled] = await findEntitled(db, [{ sessionId, merchantId }]);
  const role = memberships.find((membership) => membership.merchantId === merchantId)?.role ?? null;
  return entitled !== undefined && entitled.role === role;
}
