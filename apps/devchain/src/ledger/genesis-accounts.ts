import { contractAddress } from "@daric/tron/address";
import { CONTRACT_SHAPES } from "@daric/tron/contract-shapes";
import { keyPairFromPhrase } from "@daric/tron/signature";
import { type TronTransaction, transactionFromRaw } from "@daric/tron/transaction";
import { SUN_PER_TRX } from "./limits.ts";

/** Sender of the genesis transfers; it has no key. */
const BURN_ADDRESS = `41${"0".repeat(40)}`;
const TREASURY = keyPairFromPhrase("devchain treasury");
const PAYER = keyPairFromPhrase("devchain payer");

/** Below 2^53 sun, so that balances survive clients that read them as JSON numbers. */
const TREASURY_SUN = 5_000_000_000n * SUN_PER_TRX;
const PAYER_SUN = 1_000_000n * SUN_PER_TRX;

const TREASURY_TRANSFER = genesisTransfer(TREASURY.address, TREASURY_SUN);
const PAYER_TRANSFER = genesisTransfer(PAYER.address, PAYER_SUN);

/**
 * The accounts before the first block. They derive from fixed phrases, so every fresh chain has the same treasury
 * (faucet and token owner), payer and addresses of the tokens.
 */
export const GENESIS = {
  treasury: TREASURY,
  payer: PAYER,
  usdtContract: contractAddress(TREASURY_TRANSFER.txId, TREASURY.address),
  usdxContract: contractAddress(PAYER_TRANSFER.txId, TREASURY.address),
  transfers: [TREASURY_TRANSFER, PAYER_TRANSFER],
  trx: [
    [TREASURY.address, TREASURY_SUN],
    [PAYER.address, PAYER_SUN],
  ],
  /** minor units, 6 decimals */
  usdt: [
    [TREASURY.address, 1_000_000_000_000_000_000n],
    [PAYER.address, 10_000_000_000_000n],
  ],
  usdx: [[PAYER.address, 10_000_000_000_000n]],
} as const;

function genesisTransfer(toAddress: string, amount: bigint): TronTransaction {
  return transactionFromRaw({
    refBlockBytes: "",
    refBlockHash: "",
    expiration: 0n,
    data: "",
    contracts: [
      {
        type: CONTRACT_SHAPES.transfer.type,
        permissionId: 0,
        value: { kind: "transfer", ownerAddress: BURN_ADDRESS, toAddress, amount },
      },
    ],
    timestamp: 0n,
    feeLimit: 0n,
  });
}
