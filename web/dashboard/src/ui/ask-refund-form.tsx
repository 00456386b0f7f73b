import type { Refund } from "@daric/sdk/contract";
import { useState } from "react";
import { useChange } from "../api/use-call.ts";
import type { RefundsOfPayment } from "../api/work-operations.ts";
import { isZero, moneyText } from "../format/amount.ts";
import { refundWords } from "../words/refund-words.ts";
import { words } from "../words/words.ts";
import { AmountField } from "./amount-field.tsx";
import { SelectField, TextArea } from "./field.tsx";
import { Form, type Values } from "./form.tsx";

type Coin = RefundsOfPayment["coins"][number];

export type AskRefundProps = {
  /** of the payment */
  readonly id: string;
  /** the refund that the page suggests */
  readonly suggested?: { readonly amount: string; readonly currency: string };
  /** the coin of the order, and the currency of its price, of which a part can go back */
  readonly price?: { readonly coin: string; readonly fiat: string | null };
  readonly onAsked: (refund: Refund) => void;
};

/** The choice that takes an amount as a part of the price in fiat. */
const PART = "part";

type FormProps = AskRefundProps & {
  /** those of which something is left */
  readonly coins: readonly Coin[];
  readonly first: Coin;
  readonly closesOrder: boolean;
  /** money beyond the surplus of the order's own coin paid it */
  readonly isPaid: boolean;
  readonly onCancel: () => void;
};

/** An amount of a coin or a part of the price, and the reason. */
export function AskRefundForm(props: FormProps) {
  const { id, coins, first, suggested, price, onAsked, onCancel } = props;
  const change = useChange("POST /v1/deposit-addresses/{id}/refunds");
  const [unit, setUnit] = useState<string>(first.currency);
  const { fiat = null, coin: ownCoin } = price ?? {};
  const isPart = unit === PART;
  const coin = coins.find(({ currency }) => currency === (isPart ? ownCoin : unit)) ?? first;
  const units = unitsOf(coins, { fiat, ownCoin });
  const suggestedHere = suggested?.currency === unit ? suggested.amount : coin.default_amount;
  const send = ({ amount = "", fiatAmount = "", reason }: Values) => {
    const wanted = isPart ? { fiatAmount } : { amount, currency: coin.currency };
    const body = { ...wanted, ...(reason && { reason }) };
    // The row that asks may be gone by the answer, so its page takes it.
    void change.mutateAsync({ path: { id }, body }).then(onAsked, () => undefined);
  };
  return (
    <Form
      submit={refundWords.submit}
      isBusy={change.isPending}
      error={change.error}
      onCancel={onCancel}
      onSubmit={send}
    >
      <p>{refundWords.askHint}</p>
      {Object.keys(units).length > 1 && (
        <SelectField
          label={refundWords.unit}
          options={units}
          value={unit}
          onChange={({ target }) => setUnit(target.value)}
        />
      )}
      <AmountField
        key={unit}
        label={words.common.amount}
        name={isPart ? "fiatAmount" : "amount"}
        currency={isPart ? (fiat ?? "") : coin.currency}
        hint={refundWords.left({ left: moneyText(coin.left, coin.currency) })}
        defaultValue={isPart ? "" : suggestedHere}
      />
      <TextArea
        label={refundWords.reason}
        hint={refundWords.reasonHint}
        name="reason"
        maxLength={500}
        isOptional
      />
      <Consequences {...props} coin={coin} />
    </Form>
  );
}

/** The coins, and a part of the price where the order's own coin came. */
function unitsOf(
  coins: readonly Coin[],
  { fiat, ownCoin }: { readonly fiat: string | null; readonly ownCoin: string | undefined },
): Readonly<Record<string, string>> {
  const names = Object.fromEntries(coins.map(({ currency }) => [currency, currency]));
  const isOwnLeft = ownCoin !== undefined && ownCoin in names;
  return fiat !== null && isOwnLeft ? { ...names, [PART]: refundWords.partOf({ currency: fiat }) } : names;
}

/** The price of the transfer, and the other consequences. */
function Consequences({ coin, closesOrder, isPaid }: FormProps & { readonly coin: Coin }) {
  const { cost_trx: trx, cost_usd: usd, surplus, currency, is_own: isOwn } = coin;
  const cost = [trx && moneyText(trx, "TRX"), usd && `(${moneyText(usd, "USD")})`].filter(Boolean).join(" ");
  const paidMoney = isZero(surplus)
    ? refundWords.doubts.paid_money
    : refundWords.paidMoney({ surplus: moneyText(surplus, currency) });
  return (
    <ul className="reasons hint">
      <li>{cost === "" ? refundWords.noCost : refundWords.cost({ cost })}</li>
      {isPaid && isOwn && <li>{paidMoney}</li>}
      {closesOrder && <li>{refundWords.closesOrder}</li>}
    </ul>
  );
}
