import type { Database } from "@daric/postgres/sql";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { ApiError } from "../../domain/errors.ts";
import type { ApiApp } from "../../http/api-app.ts";
import { ok, successOf } from "../../http/envelope.ts";
import { moment } from "../../http/moment.ts";
import { isRead } from "../../http/query-names.ts";
import { callerOfSession } from "../../http/session.ts";
import { shownAt } from "../../http/shown-at.ts";
import { timestamp } from "../../http/validate.ts";
import { auditAct } from "../../people/audit-act.ts";
import { type ListedAuditEntry, listAuditOfMerchant } from "../../runtime/audit-store.ts";

type Context = { readonly db: Database };

const MAX_REASON_CHARS = 500;
const values = z.looseObject({}).nullable();

const auditRow = z.object({
  id: z.string().meta({ pattern: "^[1-9][0-9]*$" }),
  at: timestamp,
  actor: z.string().meta({ description: "`person` and an id, or the operator's name at the command line." }),
  action: z.string(),
  subject: z.string().meta({ description: "A kind and an id." }),
  before: values,
  after: values,
  reason: z.string(),
  address: z.string().nullable(),
});

/** The row of the audit log, for its list and its export. */
export function toAuditRow(entry: ListedAuditEntry): z.input<typeof auditRow> {
  return {
    id: String(entry.id),
    at: entry.at.toISOString(),
    actor: entry.actor,
    action: entry.action,
    subject: entry.subject,
    before: entry.before as Record<string, unknown> | null,
    after: entry.after as Record<string, unknown> | null,
    reason: entry.reason,
    address: entry.address ?? null,
  };
}

const auditQuery = z.object({
  from: moment.optional(),
  to: moment.optional(),
  after: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, "must be the id of an entry")
    .transform(BigInt)
    .optional(),
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, "must be from 1 to 100")
    .transform(Number)
    .prefault("20"),
});

/** The audit log of a merchant. */
export function auditRoutes(app: ApiApp, { db }: Context): void {
  app.get(
    "/dashboard/v1/audit",
    {
      config: { scope: "account:read" },
      schema: {
        operationId: "listAuditLog",
        summary: "List what people changed",
        description:
          "Newest first, made from `from` on and before `to`. `after` is the id of an entry: the list begins with the next one.",
        tags: ["audit"],
        querystring: auditQuery,
        response: { 200: successOf(z.array(auditRow)) },
      },
    },
    async (request) => {
      const { after = null, ...question } = request.query;
      const { merchantId } = callerOfSession(request);
      return ok((await listAuditOfMerchant(db, { merchantId, after, ...question })).map(toAuditRow));
    },
  );
}

/**
 * Writes every write of a person under `/v1` into the audit log before it runs, so that none is missing. An entry has the row as it stood,
 * and what was asked for. What the operation then refuses is there too; a stale form is refused before. Keys write no entries: their requests are in the service's log.
 */
export function auditWrites(scope: ApiApp, { db }: Context): void {
  scope.addHook("preHandler", async (request) => {
    const { caller, routeOptions, ip } = request;
    if (isRead(request.method) || caller.session === undefined) return;
    const { merchantId, session } = caller;
    const { updatedAt, ...before } = (await valuesBefore(request)) ?? {};
    refuseStale(request, updatedAt);
    await auditAct(
      db,
      { session, address: ip },
      {
        action: routeOptions.schema?.operationId ?? `${request.method} ${routeOptions.url}`,
        subject: subjectOf(request),
        before: Object.keys(before).length === 0 ? null : before,
        after: { ...routeOptions.config.sets, ...(request.body as object | null) },
        reason: reasonOf(request.body),
        merchantId,
      },
    );
  });
}

/** The row of the path as it stands; null where the operation makes one. */
async function valuesBefore(request: FastifyRequest): Promise<{ updatedAt?: Date } | null> {
  const { id } = request.params as { id?: string };
  if (id === undefined) return null;
  return (await request.routeOptions.config.pathRow?.valuesOf?.(request, id)) ?? null;
}

/**
 * Keeps what is stale already out of the log. The statement that writes compares once more.
 * @throws CHANGED_MEANWHILE when a form of the dashboard shows an older row than this.
 */
function refuseStale(request: FastifyRequest, updatedAt: Date | undefined): void {
  const shown = shownAt(request);
  if (shown !== undefined && updatedAt !== undefined && shown.getTime() !== updatedAt.getTime())
    throw new ApiError("CHANGED_MEANWHILE");
}

/** The row of the path; the operation's own path where it makes one. */
function subjectOf({ params, routeOptions }: FastifyRequest): string {
  const { id } = params as { id?: string };
  return id === undefined ? String(routeOptions.url) : `${routeOptions.config.pathRow?.name ?? "row"} ${id}`;
}

function reasonOf(body: unknown): string {
  const { reason } = (body ?? {}) as { reason?: unknown };
  return typeof reason === "string" ? reason.slice(0, MAX_REASON_CHARS) : "";
}
