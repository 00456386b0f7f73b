import { finished, Readable } from "node:stream";
import type { Caller } from "@daric/domain/caller";
import type { MerchantId } from "@daric/domain/ids";
import type { Session } from "@daric/domain/session";
import type { Queryable } from "@daric/postgres/sql";
import { insertAuditEntry } from "@daric/runtime/audit-store";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Downloads, paced } from "./downloads.ts";

/** A request for a list of a merchant, or of the service. */
type Exchange = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly db: Queryable;
  readonly downloads: Downloads;
  readonly merchantId?: MerchantId | undefined;
  /** the id of the API key or of the session */
  readonly caller: string;
  /** the rights of the caller at the merchant */
  readonly scopes?: Caller["scopes"];
  /** of a person: what a key reads is not audited */
  readonly session?: Session | undefined;
};
type Export = {
  readonly list: string;
  /** the name of the file without its ending */
  readonly name?: string;
  readonly format: keyof typeof mediaTypes;
  readonly lines: AsyncIterable<string | Uint8Array>;
};

const mediaTypes = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pdf: "application/pdf",
} as const;

/**
 * Streams a list as a file, a part at a time and in constant memory. The audit log has the person, the list and its range first. The
 * answer breaks off when the key is revoked, the session ends or the role changes. A download counts until its first part is made and
 * its reader is gone. A reader that hangs up does not stop the thread of a workbook.
 * @throws as {@link Downloads.start}, and as the first part.
 */
export async function sendExport(
  { request, reply, db, downloads, merchantId, caller, scopes, session }: Exchange,
  { list, name = list, format, lines }: Export,
): Promise<never> {
  const end = downloads.start({ caller, merchantId, isHeavy: format === "xlsx" });
  const pieces = lines[Symbol.asyncIterator]();
  const first = await readFirst().catch((refused: unknown) => {
    end();
    throw refused;
  });
  finished(reply.raw, end);
  reply.type(mediaTypes[format]).header("content-disposition", `attachment; filename="${name}.${format}"`);
  const rest = downloads.whileAllowed(withFirst(first, pieces), { request, scopes });
  // The type of an answer knows no stream; Fastify sends one as it is.
  return reply.send(Readable.from(paced(rest, () => reply.raw.destroy())) as never) as never;

  // A refusal of the first part is still an answer.
  async function readFirst() {
    await auditDownload({ request, db, merchantId, session }, list);
    return pieces.next();
  }
}

/** Writes into the audit log which file a person downloads, with its query. A program has no entry. */
export async function auditDownload(
  { request, db, merchantId, session }: Pick<Exchange, "request" | "db" | "merchantId" | "session">,
  list: string,
): Promise<void> {
  if (session === undefined) return;
  const {
    merchantId: _,
    bom: __,
    separator: ___,
    decimal: ____,
    ...asked
  } = { ...(request.params as object), ...(request.query as object) } as Record<string, unknown>;
  await insertAuditEntry(db, {
    actor: `person ${session.personId}`,
    action: "export",
    subject: `list ${list}`,
    before: null,
    after: { list, ...asked },
    reason: "",
    merchantId: merchantId ?? null,
    address: request.ip,
  });
}

async function* withFirst<Piece>(
  first: IteratorResult<Piece>,
  rest: AsyncIterator<Piece>,
): AsyncGenerator<Piece> {
  try {
    for (let piece = first; !piece.done; piece = await rest.next()) yield piece.value;
  } finally {
    await rest.return?.();
  }
}
