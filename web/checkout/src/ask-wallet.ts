import type { Followed } from "./follow-transaction.ts";

/** The transfer that a page asks a wallet for. */
export type WantedTransfer = {
  readonly to: string;
  /** smallest parts of the coin */
  readonly units: string;
  /** the token's contract; empty for TRX */
  readonly contract: string;
  /** block 0 of the network on which it is paid */
  readonly genesis: string;
};

/** A transaction of TronWeb, as far as the page reads it. */
type Transaction = {
  readonly txID?: string;
  readonly raw_data?: { readonly expiration?: number; readonly contract?: unknown };
};
/** The part of TronWeb that a payment needs. */
type TronWeb = {
  readonly defaultAddress: { readonly base58: string | false };
  readonly transactionBuilder: {
    sendTrx(to: string, units: number, from: string): Promise<Transaction>;
    triggerSmartContract(
      contract: string,
      call: string,
      options: { feeLimit: number },
      values: readonly { type: string; value: string }[],
      from: string,
    ): Promise<{ transaction: Transaction }>;
  };
  readonly trx: {
    getBlock(number: number): Promise<{ blockID: string }>;
    sign(transaction: Transaction): Promise<Transaction>;
    sendRawTransaction(signed: Transaction): Promise<unknown>;
  };
};
/** The objects that TronLink and similar wallets inject. */
type Wallet = {
  readonly tronWeb?: TronWeb | false;
  request(wanted: { method: string }): Promise<unknown>;
};
/** The window of a page that a wallet may have changed. */
export type WithWallet = Window & { tron?: Wallet; tronLink?: Wallet; tronWeb?: TronWeb };

/** A signed transaction, or why there is none. */
export type WalletOutcome = Followed | "refused" | "elsewhere";

/**
 * The most energy burnt for a transfer, in sun: a transfer to an address without USDT needs less than a
 * third.
 */
const FEE_LIMIT = 100_000_000;
/** A wallet's transaction can be in a block for a minute; an unanswered question ends with it. */
const PATIENCE_MS = 60_000;
const REFUSAL =
  /\buser (declined|rejected|denied|cancell?ed)|(declined|rejected|denied|cancell?ed) by (the )?user\b/i;
const TX_ID = /^[0-9a-f]{64}$/i;

/** The wallet that the browser has; undefined without any. */
export function findWallet(window: WithWallet): Wallet | undefined {
  return window.tron ?? window.tronLink;
}

/**
 * Asks the wallet for a transfer of exactly this amount, which the wallet itself shows to the person. On another network nothing is signed. Nothing
 * is sent of what the page did not ask for. The answers of the wallet after its signature prove nothing.
 */
export async function askWallet(
  wanted: WantedTransfer,
  wallet: Wallet,
  window: WithWallet,
): Promise<WalletOutcome> {
  const prepared = await inTime(prepare(wanted, wallet, window)).catch(() => undefined);
  if (prepared === undefined) return "refused";
  if (prepared === "elsewhere") return prepared;
  const { tronWeb, asked } = prepared;
  const sign = async () => tronWeb.trx.sign(asked);
  const send = async (signed: Transaction) => tronWeb.trx.sendRawTransaction(signed);
  const signed = await inTime(sign()).catch((error) => (isRefusal(error) ? "refused" : undefined));
  if (signed === "refused") return signed;
  // Signed too late it can be in no block. The wallet may have sent it itself, whatever it answers.
  if (!signed) return followed(asked, asked);
  if (isSame(signed, asked)) send(signed).catch(() => {});
  return followed(signed, asked);
}

/** Whether the payer refused, by EIP-1193 or the words of wallets. Any other error may come after the wallet sent. */
function isRefusal(error: unknown): boolean {
  const { code, message = error } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return code === 4001 || REFUSAL.test(String(message));
}

async function prepare(
  wanted: WantedTransfer,
  wallet: Wallet,
  window: WithWallet,
): Promise<{ tronWeb: TronWeb; asked: Transaction } | "elsewhere" | undefined> {
  const method = wallet === window.tron ? "eth_requestAccounts" : "tron_requestAccounts";
  await wallet.request({ method });
  const tronWeb = wallet.tronWeb || window.tronWeb;
  if (!tronWeb || tronWeb.defaultAddress.base58 === false) return undefined;
  const { blockID } = await tronWeb.trx.getBlock(0);
  if (blockID !== wanted.genesis) return "elsewhere";
  const asked = await transferOf(wanted, tronWeb, tronWeb.defaultAddress.base58);
  return TX_ID.test(asked.txID ?? "") ? { tronWeb, asked } : undefined;
}

/** Undefined if the wallet does not answer in time. */
function inTime<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return Promise.race([
    answer,
    new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS)),
  ]);
}

/** A wallet may add a memo or another fee limit; the transfer itself stays. */
function isSame({ raw_data: signed }: Transaction, { raw_data: asked }: Transaction): boolean {
  return JSON.stringify(signed?.contract) === JSON.stringify(asked?.contract);
}

function followed(signed: Transaction, asked: Transaction): Followed {
  const { txID: id = "" } = TX_ID.test(signed.txID ?? "") ? signed : asked;
  const ends = [signed, asked].map(({ raw_data: raw }) => raw?.expiration ?? Number.NaN);
  const expiresMs = Math.max(...ends);
  return { id, expiresMs: Number.isNaN(expiresMs) ? Number.MAX_SAFE_INTEGER : expiresMs };
}

async function transferOf(
  { to, units, contract }: WantedTransfer,
  { transactionBuilder }: TronWeb,
  from: string,
): Promise<Transaction> {
  if (contract === "") return transactionBuilder.sendTrx(to, Number(units), from);
  const values = [
    { type: "address", value: to },
    { type: "uint256", value: units },
  ];
  const options = { feeLimit: FEE_LIMIT };
  const call = "transfer(address,uint256)";
  return (await transactionBuilder.triggerSmartContract(contract, call, options, values, from)).transaction;
}
