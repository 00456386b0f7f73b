import { type Command, InvalidArgumentError } from "commander";
import { type ListedUnsupported, listUnsupported } from "../deposits/record/unsupported-store.ts";
import { getMerchant } from "../merchants/get-merchant.ts";
import { listMerchants } from "../merchants/store.ts";
import { type OutputOptions, printTable, type View } from "./print.ts";
import type { Terminal } from "./terminal.ts";
import { withDatabase } from "./with-database.ts";

const MAX_LISTED = 100;

/** `daric unsupported`: the tokens that are no money here and were sent all the same. */
export function addUnsupportedCommand(program: Command, terminal: Terminal): void {
  program
    .command("unsupported")
    .description("list tokens that are not accepted and reached addresses: other TRC-20 contracts and TRC-10")
    .option("--merchant <id>", "of this merchant alone (without: of all)")
    .option("--tx <hash>", "of this transaction alone", readTxHash)
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `\nThe newest ${MAX_LISTED} of each merchant. They are nowhere else: no sum, list or event of the API has them. The value is in the\n` +
        "token's own smallest units, and anybody may make a token that calls itself USDT: go by the contract.",
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
