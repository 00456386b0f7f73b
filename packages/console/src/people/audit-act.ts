import type { MerchantId, PersonId } from "@daric/domain/ids";
import type { Queryable } from "@daric/postgres/sql";
import { insertAuditEntry } from "@daric/runtime/audit-store";
import type { Author } from "./context.ts";

/** A change: what was done, to which row, and the values before and after. */
export type Act = {
  readonly action: string;
  readonly subject: string;
  readonly before?: object | null;
  readonly after?: object | null;
  readonly reason?: string;
  readonly merchantId?: MerchantId | null;
};

/** Writes the act into the audit log, in the transaction of the change. */
export function auditAct(tx: Queryable, author: Author, act: Act): Promise<void> {
  const { before = null, after = null, reason = "", merchantId = null } = act;
  const by =
    "operator" in author
      ? { actor: author.operator, address: null }
      : { actor: `person ${author.session.personId}`, address: author.address };
  return insertAuditEntry(tx, {
    ...act,
    ...by,
    before,
    after: after && withoutEmail(after),
    reason,
    merchantId,
  });
}

/** The log is kept for long and erases nothing, so it gets no address of a payer. */
function withoutEmail(after: object): object {
  const { customerEmail: _, ...kept } = after as { readonly customerEmail?: unknown };
  return kept;
}

export function personIdOf(author: Author): PersonId | null {
  return "operator" in author ? null : author.session.personId;
}
