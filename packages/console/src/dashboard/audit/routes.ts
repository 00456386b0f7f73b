import { ApiError } from "@daric/domain/errors";
import type { ApiApp } from "@daric/http/api-app";
import { ok, successOf } from "@daric/http/envelope";
import { moment } from "@daric/http/moment";
import { isRead } from "@daric/http/query-names";
import { callerOfSession } from "@daric/http/session";
import { shownAt } from "@daric/http/shown-at";
import { timestamp } from "@daric/http/validate";
import type { Database } from "@daric/postgres/sql";
import type { ListedAuditEntry } from "@daric/runtime/audit-store";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { auditAct } from "../../people/audit-act.ts";
import type { Actor } from "../../people/context.ts";
import { readAudit } from "./read-audit.ts";

type Context = { readonly db: Database };

const MAX_REASON_CHARS = 500;
/** The first HTTP status of an act that did not take place. */
const FIRST_REFUSAL = 300;
const values = z.looseObject({}).nullable();

const auditRow = z.object({
  id: z.string().meta({ pattern: "^[1-9][0-9]*$" }),
  at: timestamp,
  actor: z.string().meta({
    description: "`person` and an id, `shop` and its address, or the operator's name at the command line.",
  }),
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
          "Newest first, made from `from` on and before `to`. `after` is the id of an entry: the list begins with the next one. Without the right `audit:read` it has the acts on money alone, and `address` is null.",
        tags: ["audit"],
        querystring: auditQuery,
        response: { 200: successOf(z.array(auditRow)) },
      },
    },
    async (request) => {
      const { after = null, ...question } = request.query;
      const { merchantId, scopes } = callerOfSession(request);
      return ok((await readAudit(db, scopes, { merchantId, after, ...question })).map(toAuditRow));
    },
  );
}

/**
 * Writes each successful write of a person under `/v1` into the audit log before the answer leaves. An entry has what was asked for, and the
 * row before and after. A refused request has no entry. Keys write no entries: their requests are in the service's log.
 */
export function auditWrites(scope: ApiApp, { db }: Context): void {
  const writes = new WeakMap<FastifyRequest, { actor: Actor; before: object | null }>();
  scope.addHook("preHandler", async (request) => {
    const { session } = request.caller;
    if (isRead(request.method) || session === undefined) return;
    const { updatedAt, ...before } = (await findRow(request)) ?? {};
    refuseStale(request, updatedAt);
    const actor = { session, address: request.ip };
    writes.set(request, { actor, before: Object.keys(before).length === 0 ? null : before });
  });
  scope.addHook("onSend", async (request, { statusCode }) => {
    const write = writes.get(request);
    if (write === undefined || statusCode >= FIRST_REFUSAL) return;
    const { actor, before } = write;
    const { caller, routeOptions, body } = request;
    const { updatedAt: _, ...after } = (await findRow(request)) ?? {};
    await auditAct(db, actor, {
      action: routeOptions.schema?.operationId ?? `${request.method} ${routeOptions.url}`,
      subject: subjectOf(request),
      before,
      after: { ...(body as object | null), ...after },
      reason: reasonOf(body),
      merchantId: caller.merchantId,
    });
  });
}

/** The row of the path as it stands; null where the operation makes or deletes one. */
async function findRow(request: FastifyRequest): Promise<{ updatedAt?: Date } | null> {
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
