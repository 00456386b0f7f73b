import { listSeeds } from "@daric/addresses/gas-wallet-store";
import type { Network } from "@daric/chain/nodes/networks";
import type { Database, Transaction } from "@daric/postgres/sql";
import type { VerifiedTip } from "../context.ts";
import {
  type ExportedTransaction,
  endOpenTransactions,
  findExported,
  storeDestinations,
} from "../sweeps/exported-store.ts";
import { moveSweep } from "../sweeps/sweep-store.ts";
import { RETRY_AFTER_MS } from "../timing.ts";
import { storeSigned } from "../transactions/transaction-store.ts";
import { type Checked, checkSigned } from "./check-signed.ts";
import { OfflineFileError, parseSignedFile, type SignedFile, type SignedResult } from "./offline-file.ts";

type ImportInput = {
  readonly db: Database;
  readonly network: Network;
  readonly verified: VerifiedTip;
  readonly path: string;
  readonly text: string;
};

/** The result of an import. */
export type ImportedSignatures = {
  readonly signed: number;
  /** the number that an earlier import of the same file stored */
  readonly known: number;
  /** why the signer refuses, by address */
  readonly refused: readonly { readonly address: string; readonly reason: string }[];
};

/** A result in the file, with the exported transaction. */
type Pair = {
  readonly exported: ExportedTransaction;
  readonly result: SignedResult;
  readonly checked?: Checked;
};

/**
 * Stores the signatures of an offline signer before any node sees them. The settlement role then broadcasts and
 * follows the transactions. Only bytes that do what was exported are accepted.
 *
 * @throws OfflineFileError for a foreign, changed or expired file. It names the wrong result, and nothing is stored.
 */
export async function importSignatures(input: ImportInput): Promise<ImportedSignatures> {
  const { db, path, text } = input;
  const file = parseSignedFile(text, path);
  return db.transaction(async (tx) => {
    const gasAddress = await findSigner(tx, file, input);
    const exported = await findExported(
      tx,
      file.results.map(({ requestId }) => requestId),
    );
    const results = new Map(file.results.map((result) => [result.requestId.toLowerCase(), result]));
    requireOwn(file, exported);
    const pairs = exported.map((transaction): Pair => {
      const result = results.get(transaction.id);
      if (result === undefined) throw wrong(transaction, `its ${transaction.purpose} is missing in ${path}`);
      const checked =
        "refusal" in result ? {} : { checked: checkSigned(transaction, result, { ...input, gasAddress }) };
      requireRight({ exported: transaction, result, ...checked }, input.verified);
      return { exported: transaction, result, ...checked };
    });
    await storeDestinations(tx, file.destinations);
    return storePairs(tx, pairs);
  });
}

/**
 * The gas wallet of the file's seed.
 *
 * @throws OfflineFileError for another network, or a seed under which this service issued no address.
 */
async function findSigner(
  tx: Transaction,
  { genesisId, xpubFingerprint }: SignedFile,
  { network, path }: ImportInput,
): Promise<string> {
  if (genesisId !== network.genesisId)
    throw new OfflineFileError(
      `${path} is of network ${genesisId}, and this service of ${network.genesisId}`,
    );
  const seed = (await listSeeds(tx)).find(({ fingerprint }) => fingerprint === xpubFingerprint);
  if (seed === undefined)
    throw new OfflineFileError(
      `${path} is of seed ${xpubFingerprint}, under which this service issued no address`,
    );
  return seed.gasAddress;
}

function requireOwn({ results }: SignedFile, exported: readonly ExportedTransaction[]): void {
  const ids = new Set<string>(exported.map(({ id }) => id));
  const strange = results.findIndex(({ requestId }) => !ids.has(requestId.toLowerCase()));
  if (strange >= 0)
    throw new OfflineFileError(
      `result ${strange + 1}: this service exported no request ${results[strange]?.requestId}`,
    );
}

function requireRight({ exported, result, checked }: Pair, { time }: VerifiedTip): void {
  const { txId, status, expiresAt } = exported;
  if (checked !== undefined && "fault" in checked) throw wrong(exported, checked.fault);
  if ("txId" in result && result.txId === txId) return;
  if (txId !== null) throw wrong(exported, `it was imported before, as ${txId}`);
  if (expiresAt <= time || status === "DROPPED")
    throw wrong(exported, `it expired at ${expiresAt.toISOString()}: export again`);
  // The same refusal may be imported twice.
  if (status === "FROZEN" && "refusal" in result) return;
  if (status !== "PLANNED") throw wrong(exported, `its sweep is ${status}`);
}

function wrong({ id, address }: ExportedTransaction, fault: string): OfflineFileError {
  return new OfflineFileError(`request ${id} of ${address}: ${fault}`);
}

async function storePairs(tx: Transaction, pairs: readonly Pair[]): Promise<ImportedSignatures> {
  const refused: { address: string; reason: string }[] = [];
  let [signed, known] = [0, 0];
  for (const sweepId of new Set(pairs.map(({ exported }) => exported.sweepId))) {
    const sweep = pairs.filter(({ exported }) => exported.sweepId === sweepId);
    const [first] = sweep;
    if (first === undefined) continue;
    const { merchantId, address, topUp, status } = first.exported;
    const ref = { merchantId, id: sweepId };
    const refusal = sweep.flatMap(({ result }) => ("refusal" in result ? result.refusal : []))[0];
    if (status !== "PLANNED") known += sweep.length;
    else if (refusal === undefined) {
      for (const { exported, checked } of sweep) await store(tx, exported, checked);
      await moveSweep(tx, ref, { event: topUp > 0n ? "funded" : "resourced" });
      signed += sweep.length;
    } else {
      const reason = `the offline signer refuses it: ${refusal}`;
      await endOpenTransactions(tx, ref, "refused");
      await moveSweep(tx, ref, { event: "frozen", reason, waitMs: RETRY_AFTER_MS.price });
      refused.push({ address, reason: refusal });
    }
  }
  return { signed, known, refused };
}

async function store(tx: Transaction, { merchantId, id }: ExportedTransaction, checked: Checked | undefined) {
  if (checked === undefined || "fault" in checked) throw new Error(`request ${id} was not checked`);
  const { txId, bytes } = checked;
  await storeSigned(tx, merchantId, { id, signedTxId: txId, signedBytes: Buffer.from(bytes) });
}
