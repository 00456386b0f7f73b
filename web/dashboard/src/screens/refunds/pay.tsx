import { paymentUri } from "@daric/domain/payment-uri";
import type { Refund } from "@daric/sdk/contract";
import { useState } from "react";
import { useChange } from "../../api/use-call.ts";
import type { RefundFacts } from "../../api/work-operations.ts";
import { moneyText } from "../../format/amount.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Countdown } from "../../ui/countdown.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Problem } from "../../ui/form.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import { refundWords } from "../../words/refund-words.ts";
import { PayByWallet } from "./pay-by-wallet.tsx";

const ADDRESS_GROUP = /.{1,4}/g;

type Props = { readonly refund: Refund; readonly facts: RefundFacts };
/** A refund as *Pay* answered it: its address and amount stay until its end. */
type Payable = Refund & { readonly address: string; readonly pay_until: string };

/** Opens *Pay*: the address and the exact amount of a refund that is ready, for half an hour. */
export function Pay({ refund, facts }: Props) {
  const change = useChange("POST /v1/refunds/{id}/pay");
  const [opened, setOpened] = useState<{ readonly payable: Payable; readonly wasOpen: boolean }>();
  const { id, pay_until: until } = refund;
  const open = () => {
    const wasOpen = until !== null && new Date(until) > new Date();
    const show = (row: Refund) => {
      const { address, pay_until } = row;
      if (address !== null && pay_until !== null)
        setOpened({ payable: { ...row, address, pay_until }, wasOpen });
    };
    void change.mutateAsync({ path: { id } }).then(show, () => undefined);
  };
  return (
    <>
      <div className="buttons">
        <Button kind="primary" isBusy={change.isPending} onClick={open}>
          {refundWords.pay}
        </Button>
      </div>
      <Problem error={change.error} />
      {opened && (
        <Dialog title={refundWords.pay} onClose={() => setOpened(undefined)}>
          <Transfer refund={opened.payable} facts={facts} wasOpen={opened.wasOpen} />
        </Dialog>
      )}
    </>
  );
}

type TransferProps = {
  readonly refund: Payable;
  readonly facts: RefundFacts;
  readonly wasOpen: boolean;
};

/** Nothing to pay by is left once the half hour is over, since the address may change. */
function Transfer({ refund, facts, wasOpen }: TransferProps) {
  const { amount, currency, address, pay_until: until } = refund;
  const [isOver, setOver] = useState(false);
  if (isOver) return <p className="notice">{refundWords.timeOver}</p>;
  return (
    <div className="form">
      {wasOpen && <p className="notice">{refundWords.openedBefore}</p>}
      {facts.has_paid === false && <p className="notice">{refundWords.newPayee}</p>}
      <div className="ready pay">
        <PayQr refund={refund} facts={facts} />
        <div className="form">
          <div>
            <p className="label">{refundWords.exactly}</p>
            <p className="figure">{moneyText(amount, currency)}</p>
          </div>
          <CopyButton text={amount} kind="button" label={refundWords.copyAmount} />
          <div>
            <p className="label">{refundWords.to}</p>
            <p className="address-groups" dir="ltr" translate="no">
              {[...address.matchAll(ADDRESS_GROUP)].map(({ 0: group, index }) => (
                <span key={index}>{group}</span>
              ))}
            </p>
            <p className="hint">{refundWords.compare}</p>
          </div>
          <CopyButton text={address} kind="button" label={refundWords.copyAddress} />
          <PayByWallet refund={refund} facts={facts} />
        </div>
      </div>
      <p className="hint">{refundWords.fromWallet}</p>
      <p>
        {refundWords.timeLeft} <Countdown until={until} onOver={() => setOver(true)} />
      </p>
    </div>
  );
}

/** As on the payment page: the plain address, which every wallet reads, or a payment URI, which cannot name a test network. */
function PayQr({ refund, facts }: Pick<TransferProps, "refund" | "facts">) {
  const [content, setContent] = useState("address");
  const { address, amount, currency } = refund;
  const { contract, is_main_network: isMain } = facts;
  const canHaveAmount = isMain && (contract !== null || currency === "TRX");
  const hasAmount = canHaveAmount && content === "uri";
  return (
    <div className="form">
      {hasAmount ? (
        <QrCode content={paymentUri({ to: address, amount, contract })} label={refundWords.qrAmount} />
      ) : (
        <QrCode content={address} label={refundWords.qr} />
      )}
      {canHaveAmount && (
        <SelectField
          label={refundWords.qrChoice}
          options={{ address: refundWords.qr, uri: refundWords.qrAmount }}
          value={content}
          hint={hasAmount ? refundWords.qrAmountHint : undefined}
          onChange={({ target }) => setContent(target.value)}
        />
      )}
    </div>
  );
}
