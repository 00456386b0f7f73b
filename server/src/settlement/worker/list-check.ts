import { findAudited, insertAuditEntry } from "../../runtime/audit-store.ts";
import type { SettlementContext } from "../context.ts";
import { listDestinations, type SignerDestination } from "./watch-store.ts";

/**
 * Raises an alarm for each entry of the signer's list. The audit log has the known ones, so that a restart repeats none. An entry comes
 * there one check after its alarm: a process that ends sooner may end before the notifier has sampled the alarm.
 */
export function createListCheck({
  db,
  log,
  metrics,
}: Pick<SettlementContext, "db" | "log" | "metrics">): () => Promise<void> {
  const raised = new Set<bigint>();
  let known = 0n;

  function raise({ counter, merchantId, name, address, actsFrom }: SignerDestination): void {
    raised.add(counter);
    metrics.alarms.inc({ alarm: "new_destination" });
    log.error(
      {
        event: "new_destination",
        counter: String(counter),
        merchant_id: merchantId,
        name,
        address,
        acts_from: actsFrom.toISOString(),
      },
      "the signer's list has a new wallet: was it the operator?",
    );
  }

  return async () => {
    const entries = await listDestinations(db, known);
    const audited = await findAudited(db, entries.map(subjectOf));
    for (const entry of entries) {
      const { counter, merchantId, name, address, actsFrom } = entry;
      const isAudited = audited.has(subjectOf(entry));
      if (!isAudited && !raised.has(counter)) {
        raise(entry);
        continue;
      }
      if (!isAudited) {
        const after = { merchantId, name, address, actsFrom };
        const act = { actor: "daric-signer", action: "approve", subject: subjectOf(entry), reason: "" };
        await insertAuditEntry(db, { ...act, before: null, after });
      }
      raised.delete(counter);
      known = counter;
    }
  };
}

function subjectOf({ counter }: SignerDestination): string {
  return `entry ${counter} of the signer's list`;
}
