import { type Html, html } from "./html.ts";
import type { PageView } from "./view.ts";

/** What a wallet in the payer's browser is asked to sign: a call of `transfer` where there is a contract, else TRX. Units are raw. */
type Transfer = { readonly to: string; readonly units: bigint; readonly contract: string | null };

/**
 * A button that has a wallet in the browser make the payment; shown by the scripts where there is one. None where any amount
 * will do, and none where the network cannot be told from others: money of another one would be lost.
 */
export function walletButton(view: PageView): Html | null {
  const transfer = transferOf(view);
  const { genesisId } = view.network;
  if (transfer === null || genesisId === null) return null;
  const { to, units, contract } = transfer;
  return html`<button class="copy quiet" id="wallet" type="button" hidden data-wallet="${to}" data-units="${String(units)}" data-genesis="${genesisId}" data-contract="${contract}"><span aria-live="polite">${view.messages.payment.payWithWallet}</span></button>`;
}

function transferOf({ charge, toSend, hasLapsed, network }: PageView): Transfer | null {
  if (toSend === null || hasLapsed) return null;
  const { address: to, currency } = charge;
  if (currency === "USDT") {
    const contract = network.usdtContract;
    return contract === null ? null : { to, units: toSend, contract };
  }
  // A wallet takes TRX as a number of JavaScript.
  return toSend > BigInt(Number.MAX_SAFE_INTEGER) ? null : { to, units: toSend, contract: null };
}
