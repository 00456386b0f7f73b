import { assets, type Currency } from "@daric/domain/asset";
import { type Amount, formatAmount } from "@daric/domain/money";

/** A transfer that a wallet is asked for: a call of `transfer` if there is a contract, else TRX. */
export type AskedTransfer = {
  readonly to: string;
  readonly currency: Currency;
  readonly amount: Amount;
  readonly contract: string | null;
};

/** A wallet's app, and the link that opens it with the transfer filled in. */
type WalletLink = { readonly wallet: "trust" | "tokenPocket"; readonly href: string };

/** TRON in SLIP-44. */
const COIN = 195;

/**
 * The links that the wallets' own documents describe (docs/decisions/0027). They open the apps' own schemes: without the
 * app a tap leads nowhere, and no server learns of the payment. None can name a test network.
 */
export function walletLinks(transfer: AskedTransfer): readonly WalletLink[] {
  const links: WalletLink[] = [{ wallet: "trust", href: trustLink(transfer) }];
  return transfer.contract === null
    ? links
    : [...links, { wallet: "tokenPocket", href: tokenPocketLink(transfer, transfer.contract) }];
}

function trustLink({ to, amount, contract }: AskedTransfer): string {
  const asset = contract === null ? `c${COIN}` : `c${COIN}_t${contract}`;
  return `trust://send?asset=${asset}&address=${to}&amount=${formatAmount(amount)}`;
}

/** Its document describes tokens alone. The address, which no other order has, is the id of the action. */
function tokenPocketLink({ to, currency, amount }: AskedTransfer, contract: string): string {
  const param = {
    protocol: "TokenPocket",
    version: "2.0",
    action: "transfer",
    actionId: to,
    blockchain: "tron",
    to,
    // Two decimals and twelve digits before them are exact as a JavaScript number.
    amount: Number(formatAmount(amount)),
    contract,
    symbol: currency,
    precision: assets[currency].decimals,
  };
  return `tpoutside://pull.activity?param=${encodeURIComponent(JSON.stringify(param))}`;
}
