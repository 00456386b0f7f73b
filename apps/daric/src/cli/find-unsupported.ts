import { type ListedUnsupported, listUnsupported } from "@daric/deposits/record/unsupported-store";
import { lookupRule, readNamedTransaction } from "@daric/domain/lookup";
import { getMerchant } from "@daric/merchants/get-merchant";
import { listMerchants } from "@daric/merchants/store";
import { CommandError } from "./failure.ts";
import { type OutputOptions, printTable, tableOf, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

const MAX_LISTED = 100;

export const UNSUPPORTED_HELP =
  `\n--unsupported lists the newest ${MAX_LISTED} of each merchant: other TRC-20 contracts and TRC-10. No sum, list or event of the API has them. The\n` +
  "value is in the token's own smallest units, and any token may call itself USDT: compare the contract.";

const COLUMNS = ["txHash", "address", "contract", "rawValue", "blockNumber", "isInChain"];

type ListOptions = OutputOptions & { readonly merchant: string | undefined };

/** Prints the tokens that Daric does not accept and that reached its addresses: all, or those of this transaction. */
export async function printUnsupported(
  terminal: Terminal,
  { merchant, json }: ListOptions,
  text: string | undefined,
): Promise<void> {
  const named = text === undefined ? undefined : readNamedTransaction(text);
  if (typeof named === "string")
    throw new CommandError(`--unsupported lists all, or those of a transaction: the text ${lookupRule}`, 2);
  const found = await withDatabase(terminal.variables, [], async ({ db }) => {
    const merchants =
      merchant === undefined ? await listMerchants(db) : [await getMerchant({ db }, merchant)];
    const listed: ListedUnsupported[] = [];
    for (const { id: merchantId } of merchants)
      listed.push(...(await listUnsupported(db, { merchantId, ...named, limit: MAX_LISTED })));
    return listed;
  });
  printTable(terminal, { json }, { views: found.map(viewOfUnsupported), columns: COLUMNS });
}

/** A row of the list. The value is in the token's own smallest units. */
export function viewOfUnsupported({ txId, chargeId, createdAt, ...row }: ListedUnsupported): View {
  return { txHash: txId, depositAddressId: chargeId, ...row, createdAt: createdAt.toISOString() };
}

/** The list as text. */
export function textOfUnsupported(found: readonly ListedUnsupported[]): string {
  return tableOf(found.map(viewOfUnsupported), COLUMNS);
}
