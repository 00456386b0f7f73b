import { contractOf, type Network } from "@daric/chain/nodes/networks";
import { addressToHex } from "@daric/tron/address";
import { tokenTransferContract, trxTransferContract } from "@daric/tron/contracts";
import { recoverSigner } from "@daric/tron/signature";
import {
  decodeTransaction,
  encodeRawData,
  encodeTransaction,
  type RawData,
  type TronTransaction,
} from "@daric/tron/transaction";
import type { ExportedTransaction } from "../sweeps/exported-store.ts";

type Checking = { readonly network: Pick<Network, "tokens">; readonly gasAddress: string };

/** Signed bytes that do what was exported and nothing else, or their fault. */
export type Checked = { readonly txId: string; readonly bytes: Uint8Array } | { readonly fault: string };

/** Compares the bytes of a signed transaction with the export. Nothing else in the file is trusted. */
export function checkSigned(
  exported: ExportedTransaction,
  { txId, transaction }: { readonly txId: string; readonly transaction: string },
  checking: Checking,
): Checked {
  const signed = decode(transaction);
  if (signed === undefined) return { fault: "its transaction cannot be read" };
  if (signed.txId !== txId) return { fault: `its transaction is ${signed.txId}, not ${txId}` };
  const from = exported.purpose === "sweep" ? exported.address : checking.gasAddress;
  const wanted = wantedData(exported, signed.raw, { ...checking, from });
  const differing = (Object.keys(wanted) as (keyof RawData)[]).find(
    (field) => hexOf({ ...wanted, [field]: signed.raw[field] }) !== hexOf(wanted),
  );
  if (differing !== undefined)
    return { fault: `its transaction has other ${wordOf[differing]} than was exported` };
  if (hexOf(wanted) !== signed.rawHex) return { fault: "its transaction has more in it than was exported" };
  const [signature = "", ...others] = signed.signatures;
  if (others.length > 0 || recoverSigner(txId, signature) !== addressToHex(from))
    return { fault: `its transaction is not signed by ${from}` };
  return { txId, bytes: encodeTransaction(signed) };
}

const wordOf: Readonly<Record<keyof RawData, string>> = {
  refBlockBytes: "blocks",
  refBlockHash: "blocks",
  expiration: "expiry",
  data: "memo",
  contracts: "payment",
  timestamp: "time",
  feeLimit: "fee_limit",
};

/** The signer chooses the reference block and the time. A wrong choice only makes the transaction fail. */
function wantedData(
  { purpose, address, currency, destination, units, topUp, feeLimit, expiresAt }: ExportedTransaction,
  signed: RawData,
  { network, from }: Checking & { readonly from: string },
): RawData {
  const isSweep = purpose === "sweep";
  const transfer = {
    ownerAddress: addressToHex(from),
    toAddress: addressToHex(isSweep ? destination : address),
    units: isSweep ? units : topUp,
  };
  const token = isSweep ? contractOf(network, currency) : undefined;
  return {
    ...signed,
    expiration: BigInt(expiresAt.getTime()),
    data: "",
    feeLimit: isSweep ? feeLimit : 0n,
    contracts: [
      token === undefined
        ? trxTransferContract(transfer)
        : tokenTransferContract(addressToHex(token), transfer),
    ],
  };
}

function decode(transaction: string): TronTransaction | undefined {
  try {
    return decodeTransaction(Buffer.from(transaction, "hex"));
  } catch {
    return undefined;
  }
}

function hexOf(raw: RawData): string {
  return Buffer.from(encodeRawData(raw)).toString("hex");
}
