import { hostname, userInfo } from "node:os";
import type { Queryable } from "@daric/postgres/sql";
import { insertAuditEntry } from "@daric/runtime/audit-store";

/** The user and machine of this command. */
export const commandActor = `${userInfo().username}@${hostname()}`;

/** Writes the change of a command into the audit log, right after the change. */
export async function auditCommand(
  db: Queryable,
  act: {
    readonly action: string;
    readonly subject: string;
    readonly after?: object;
    readonly reason?: string;
    readonly merchantId?: string;
    readonly actor?: string;
  },
): Promise<void> {
  const { action, subject, after = null, reason = "", merchantId = null, actor = commandActor } = act;
  await insertAuditEntry(db, { actor, action, subject, before: null, after, reason, merchantId });
}
