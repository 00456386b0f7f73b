import { type Command, InvalidArgumentError } from "commander";
import { type ListedUnsupported, listUnsupported } from "../deposits/record/unsupported-store.ts";
import { getMerchant } from "../merchants/get-merchant.ts";
import { listMerchants } from "../merchants/store.ts";
import { type OutputOptions, printTable, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

const MAX_LISTED = 100;

/** `daric unsupported`: lists tokens that Daric does not accept and that reached its addresses. */
export function addUnsupportedCommand(program: Command, terminal: Terminal): void {
  program
    .command("unsupported")
    .description("list unsupported tokens that reached addresses: other TRC-20 contracts and TRC-10")
    .option("--merchant <id>", "only this merchant (default: all)")
    .option("--tx <hash>", "only this transaction", readTxHash)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `\nThe newest ${MAX_LISTED} of each merchant. They are in no other place: no sum, list or event of the API has them. The value is in the\n` +
        "token's own smallest units, and any token may call itself USDT: compare the contract.",
    )
    .action(async ({ merchant, tx, json }: OutputOptions & { merchant?: string; tx?: string }) => {
      const found = await withDatabase(terminal.variables, [], async ({ db }) => {
        const merchants =
          merchant === undefined ? await listMerchants(db) : [await getMerchant({ db }, merchant)];
        const listed: ListedUnsupported[] = [];
        for (const { id: merchantId } of merchants)
          listed.push(...(await listUnsupported(db, { merchantId, txId: tx, limit: MAX_LISTED })));
        return listed;
      });
      const columns = ["txHash", "address", "contract", "rawValue", "blockNumber", "isInChain"];
      printTable(terminal, { json }, { views: found.map(viewOf), columns });
    });
}

function viewOf({ txId: txHash, chargeId: depositAddressId, createdAt, ...row }: ListedUnsupported): View {
  return { txHash, depositAddressId, ...row, createdAt: createdAt.toISOString() };
}

function readTxHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError("It must be 64 hex characters.");
}
