import type { PaymentLink } from "@daric/sdk/contract";
import { type ReactNode, useContext, useEffect, useId, useRef } from "react";
import { useRead } from "../../api/use-call.ts";
import { suggestionNames } from "../../format/payment-link-body.ts";
import { useMay } from "../../session/session-store.ts";
import { AmountField } from "../../ui/amount-field.tsx";
import { CheckList, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import type { Values } from "../../ui/form.tsx";
import { FormError, useFault } from "../../ui/form-error.ts";
import { PriceField } from "../../ui/price-field.tsx";
import { words } from "../../words/words.ts";

const MAX_TITLE = 120;
const MAX_TEXT = 500;
const MAX_PREFIX = 40;
const MAX_WALLETS = 100;

type Ask = PaymentLink["ask"];
type Props = {
  readonly coins: readonly string[];
  readonly typed: Values;
  readonly ask: Ask;
  readonly isMailConfigured: boolean;
  readonly onAsk: (ask: Ask) => void;
};

/** The fields of a new payment link; rare ones are folded. */
export function LinkFields({ coins, typed, ask, isMailConfigured, onAsk }: Props) {
  const text = words.paymentLinks;
  return (
    <>
      <TextField label={text.name} hint={text.nameHint} name="title" maxLength={MAX_TITLE} />
      <TextArea label={text.description} name="description" maxLength={MAX_TEXT} isOptional />
      <PriceFields coins={coins} typed={typed} />
      <StockField name="maxPayments" />
      <TextField label={text.end} hint={text.endHint} name="expiresAt" type="datetime-local" isOptional />
      <CheckList
        label={text.ask}
        name="ask"
        options={text.asks}
        chosen={ask}
        {...(!isMailConfigured && { hint: text.noMail, closed: ["email"] })}
        onChoose={(chosen) => onAsk(chosen as Ask)}
      />
      <TextArea label={text.thanks} hint={text.thanksHint} name="thanks" maxLength={MAX_TEXT} isOptional />
      <MoreOptions>
        <TextField
          label={text.prefix}
          hint={text.prefixHint}
          name="orderRefPrefix"
          maxLength={MAX_PREFIX}
          isOptional
        />
        <WalletField />
        <TextField label={words.work.ask.successUrl} name="successUrl" type="url" isOptional />
        <TextField label={text.cancelUrl} name="cancelUrl" type="url" isOptional />
      </MoreOptions>
    </>
  );
}

/** A price for all, or the bounds within which each customer chooses. */
function PriceFields({ coins, typed }: Pick<Props, "coins" | "typed">) {
  const { common, paymentLinks: text } = words;
  const { price: currency = coins[0] ?? "" } = typed;
  return (
    <>
      <SelectField label={text.priceBy} name="priceBy" options={text.priceBys} />
      <PriceField coins={coins} chosen={typed.price} />
      {typed.priceBy === "free" ? (
        <>
          <div className="pair">
            <AmountField label={text.least} name="minAmount" currency={currency} isOptional />
            <AmountField label={text.most} name="maxAmount" currency={currency} isOptional />
          </div>
          <Suggestions />
        </>
      ) : (
        <AmountField label={common.amount} name="amount" currency={currency} />
      )}
    </>
  );
}

/** The service names one fault for all of them. */
function Suggestions() {
  const fault = useFault("suggestedAmounts");
  const id = useId();
  const text = words.paymentLinks;
  return (
    <fieldset className="suggestions" aria-describedby={fault ? `${id}-hint ${id}-fault` : `${id}-hint`}>
      <legend>
        {text.suggested} <span className="optional">{words.common.optional}</span>
      </legend>
      <p className="hint" id={`${id}-hint`}>
        {text.suggestedHint}
      </p>
      {suggestionNames.map((name, index) => (
        <AmountField key={name} name={name} label={text.suggestion({ number: index + 1 })} />
      ))}
      {fault && (
        <p className="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </fieldset>
  );
}

/** How many orders may be paid. */
export function StockField({ hint, ...rest }: { name: string } & Partial<Parameters<typeof AmountField>[0]>) {
  const text = words.paymentLinks;
  const whole = [text.stockHint, hint].filter(Boolean).join(" ");
  return <AmountField label={text.stock} inputMode="numeric" {...rest} hint={whole} isOptional />;
}

/** The wallets that can be chosen; nothing for a role that reads none, and where there is only one. */
function WalletField() {
  const mayRead = useMay("settlements:read");
  const wallets = useRead(
    "GET /v1/settlement-accounts",
    { query: { limit: MAX_WALLETS } },
    { isWanted: mayRead },
  );
  const active = wallets.data?.filter(({ status }) => status === "active") ?? [];
  if (active.length < 2) return null;
  const names = active.map(({ id, label, address }) => [id, [label, address].filter(Boolean).join(" · ")]);
  return (
    <SelectField
      label={words.money.wallet}
      name="settlementAccountId"
      options={{ "": words.paymentLinks.defaultWallet, ...Object.fromEntries(names) }}
    />
  );
}

/** Folded, until the service finds a fault inside. */
function MoreOptions({ children }: { readonly children: ReactNode }) {
  const error = useContext(FormError);
  const folded = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (error && folded.current?.querySelector("[aria-invalid]")) folded.current.open = true;
  }, [error]);
  return (
    <details ref={folded}>
      <summary>{words.paymentLinks.more}</summary>
      <div className="form">{children}</div>
    </details>
  );
}
