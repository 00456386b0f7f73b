import type { MerchantId } from "@daric/domain/ids";
import { statementCsv } from "@daric/ledger/statement-csv";
import type { MessageContext } from "./context.ts";
import type { MonthlyStatement } from "./member-facts.ts";

/** A larger file is downloaded: mail servers refuse it. */
const MAX_BYTES = 5_000_000;

/** The statement of a month as a CSV file, or without one where it is too large for a mail. */
export async function monthlyStatement(
  { db, clock }: Pick<MessageContext, "db" | "clock">,
  { merchantId, month }: { readonly merchantId: MerchantId; readonly month: string },
): Promise<MonthlyStatement> {
  let text = "";
  const file = { merchantId, month, reader: "person", now: clock.now() } as const;
  for await (const line of statementCsv(db.forTenant(merchantId), file)) {
    text += line;
    if (text.length > MAX_BYTES) return { month, attachments: [] };
  }
  const content = Buffer.from(text);
  return { month, attachments: [{ filename: `statement-${month}.csv`, content, contentType: "text/csv" }] };
}
