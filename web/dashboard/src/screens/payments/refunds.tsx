import type { DepositAddress, Refund } from "@daric/sdk/contract";
import { useState } from "react";
import type { RefundsOfPayment } from "../../api/work-operations.ts";
import { isZero, moneyText } from "../../format/amount.ts";
import { useMay } from "../../session/session-store.ts";
import { AskedRefund, AskRefund } from "../../ui/ask-refund.tsx";
import { Section } from "../../ui/page.tsx";
import { RefundRow } from "../../ui/refund-row.tsx";
import { refundWords } from "../../words/refund-words.ts";

type Props = { readonly charge: DepositAddress; readonly found: RefundsOfPayment };

/** The refunds of a payment, and the button that asks for one while money is left. */
export function Refunds({ charge, found }: Props) {
  const [asked, setAsked] = useState<Refund>();
  const { coins, refunds } = found;
  const mayAsk = useMay("refunds:ask") && coins.some(({ left }) => !isZero(left));
  const small = coins.find(({ surplus, is_worth: isWorth }) => !isZero(surplus) && !isWorth);
  if (refunds.length === 0 && !mayAsk) return null;
  const price = { coin: charge.currency, fiat: charge.fiat_currency };
  return (
    <Section
      title={refundWords.title}
      actions={mayAsk && <AskRefund id={charge.id} price={price} onAsked={setAsked} />}
    >
      {small && (
        <p className="hint">{refundWords.tooSmall({ amount: moneyText(small.surplus, small.currency) })}</p>
      )}
      {refunds.length > 0 && (
        <ul className="rows">
          {refunds.map((refund) => (
            <li key={refund.id}>
              <RefundRow refund={refund} title={refund.reason ?? refundWords.one} />
            </li>
          ))}
        </ul>
      )}
      {asked && <AskedRefund refund={asked} onClose={() => setAsked(undefined)} />}
    </Section>
  );
}
