import type { Caller } from "@daric/domain/caller";
import type { Queryable } from "@daric/postgres/sql";
import { type ListedAuditEntry, listAuditOfMerchant } from "@daric/runtime/audit-store";

/** The acts on money: those that make, close and count orders, refunds and settlements, or decide how and where money is taken. */
const moneyActs = [
  "createDepositAddress",
  "acceptDepositAddress",
  "accept payment",
  "extendDepositAddress",
  "extend payment",
  "archiveDepositAddress",
  "archive payment",
  "dismiss payment",
  "askForRest",
  "askForRefund",
  "askForRefundAddressAgain",
  "cancelRefund",
  "confirmRefund",
  "payRefund",
  "confirmRefundTransaction",
  "open refunds to pay",
  "request wallet",
  "withdraw wallet request",
  "settlement-account add",
  "settlement-account disable",
  "merchant update",
  "change settings",
  "adopt",
  "deposit accept",
  "deposit reject",
];

type Question = Omit<Parameters<typeof listAuditOfMerchant>[1], "actions">;

/** A part of a merchant's audit log. Without the right `audit:read` it has the acts on money alone, and no address of the network. */
export async function readAudit(
  db: Queryable,
  scopes: Caller["scopes"],
  question: Question,
): Promise<ListedAuditEntry[]> {
  if (scopes.includes("audit:read")) return listAuditOfMerchant(db, question);
  const entries = await listAuditOfMerchant(db, { ...question, actions: moneyActs });
  return entries.map((entry) => ({ ...entry, address: null }));
}
