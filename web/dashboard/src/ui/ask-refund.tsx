import type { Refund } from "@daric/sdk/contract";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRead } from "../api/use-call.ts";
import { isZero, moneyText } from "../format/amount.ts";
import { refundWords } from "../words/refund-words.ts";
import { words } from "../words/words.ts";
import { AskRefundForm, type AskRefundProps } from "./ask-refund-form.tsx";
import { Button } from "./button.tsx";
import { ClaimLink } from "./claim-link.tsx";
import { Dialog } from "./dialog.tsx";
import { Loaded } from "./page.tsx";

/** A button that asks for a refund. It shows what the refund costs before. */
export function AskRefund(props: AskRefundProps) {
  const [isOpen, setOpen] = useState(false);
  const { suggested, onAsked } = props;
  const label =
    suggested === undefined
      ? refundWords.ask
      : refundWords.askAmount({ amount: moneyText(suggested.amount, suggested.currency) });
  const close = () => setOpen(false);
  const asked = (refund: Refund) => {
    close();
    onAsked(refund);
  };
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && (
        <Dialog title={refundWords.ask} onClose={close}>
          <Ask {...props} onAsked={asked} onCancel={close} />
        </Dialog>
      )}
    </>
  );
}

function Ask(props: AskRefundProps & { readonly onCancel: () => void }) {
  const { id, suggested, price } = props;
  const found = useRead("GET /dashboard/v1/payments/{id}/refunds", { path: { id } });
  const wanted = suggested?.currency ?? price?.coin;
  return (
    <Loaded from={found}>
      {({ coins, closes_order: closesOrder, is_paid_order: isPaid }) => {
        const open = coins.filter(({ left }) => !isZero(left));
        const first = open.find(({ currency }) => currency === wanted) ?? open[0];
        if (first === undefined) return <p>{refundWords.nothingLeft}</p>;
        return <AskRefundForm {...props} {...{ coins: open, first, closesOrder, isPaid }} />;
      }}
    </Loaded>
  );
}

/** The refund that was asked for, with the link for the customer. The row that it was asked from may be gone. */
export function AskedRefund({ refund, onClose }: { readonly refund: Refund; readonly onClose: () => void }) {
  const { id, claim_url: url, claim_expires_at: until, amount, currency } = refund;
  return (
    <Dialog title={url === null ? refundWords.one : refundWords.link} onClose={onClose}>
      <div className="form">
        <p className="figure">{moneyText(amount, currency)}</p>
        {url !== null && <ClaimLink url={url} until={until} />}
        <div className="buttons">
          <Link className="button primary" to="/refunds/$id" params={{ id }}>
            {refundWords.open}
          </Link>
          <Button kind="quiet" onClick={onClose}>
            {words.common.close}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
