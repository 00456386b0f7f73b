import { askWallet, findWallet } from "@daric/checkout/ask-wallet";
import type { Refund } from "@daric/sdk/contract";
import { useState } from "react";
import type { RefundFacts } from "../../api/work-operations.ts";
import { unitsOf } from "../../format/amount.ts";
import { Button } from "../../ui/button.tsx";
import { refundWords } from "../../words/refund-words.ts";

type Props = { readonly refund: Refund & { readonly address: string }; readonly facts: RefundFacts };

/**
 * A button for a wallet in the browser: it is asked for exactly this transfer, on the network of the service. It is not offered again once the wallet
 * has signed, so that nothing is paid twice.
 */
export function PayByWallet({ refund, facts }: Props) {
  const [says, setSays] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [isSigned, setSigned] = useState(false);
  const { address, amount, currency } = refund;
  const { genesis_id: genesis, contract } = facts;
  const wallet = findWallet(window);
  const units = unitsOf(amount);
  // Wallets take TRX as a JavaScript number.
  const isKnown = currency === "TRX" ? units <= Number.MAX_SAFE_INTEGER : contract !== null;
  if (wallet === undefined || genesis === null || !isKnown) return null;
  const pay = async () => {
    setBusy(true);
    setSays(refundWords.walletAsks);
    const wanted = { to: address, units: String(units), contract: contract ?? "", genesis };
    const outcome = await askWallet(wanted, wallet, window);
    setBusy(false);
    if (outcome === "refused") return setSays(refundWords.walletRefused);
    if (outcome === "elsewhere") return setSays(refundWords.walletElsewhere);
    setSigned(true);
    setSays(refundWords.walletSent);
  };
  return (
    <>
      {!isSigned && (
        <Button isBusy={isBusy} onClick={() => void pay()}>
          {refundWords.tronLink}
        </Button>
      )}
      <p className="hint" role="status">
        {says}
      </p>
    </>
  );
}
