import type { CreatedDepositAddress } from "@daric/sdk/contract";
import { useState } from "react";
import { useChange, useRead } from "../../api/use-call.ts";
import { moneyText } from "../../format/amount.ts";
import { priceUnit } from "../../format/price-currency.ts";
import { unitText } from "../../format/time.ts";
import { readAmount } from "../../format/typed-amount.ts";
import { useMay } from "../../session/session-store.ts";
import { AmountField } from "../../ui/amount-field.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Empty, Loaded, Page, Section } from "../../ui/page.tsx";
import { PriceField } from "../../ui/price-field.tsx";
import { ReadyLink } from "../../ui/ready-link.tsx";
import { ShopName } from "../../ui/shop-name.tsx";
import { useSettled } from "../../ui/use-settled.ts";
import { language, words } from "../../words/words.ts";

/** The page of a payment for one customer, made without a line of code. */
export function AskForPaymentPage() {
  const [made, setMade] = useState<CreatedDepositAddress>();
  const [typed, setTyped] = useState<Values>({});
  const mayWrite = useMay("charges:write");
  const settings = useRead("GET /dashboard/v1/settings", {});
  const text = words.work.ask;
  if (!mayWrite) return <Empty title={words.common.noRight} />;
  const again = () => {
    setTyped({});
    setMade(undefined);
  };
  return (
    <Page title={text.title} hint={text.hint}>
      {made ? (
        <ReadyLink link={made} onAgain={again} />
      ) : (
        <div className="columns">
          <Section>
            <Loaded from={settings}>
              {({ fee_fixed }) => (
                <PaymentForm
                  coins={Object.keys(fee_fixed) as Coin[]}
                  typed={typed}
                  onTyped={setTyped}
                  onMade={setMade}
                />
              )}
            </Loaded>
          </Section>
          <Section title={text.preview}>
            <Preview typed={typed} />
          </Section>
        </div>
      )}
    </Page>
  );
}

type Coin = CreatedDepositAddress["currency"];
type FormProps = {
  /** the coins of the service, the usual one first */
  readonly coins: readonly Coin[];
  readonly typed: Values;
  readonly onTyped: (texts: Values) => void;
  readonly onMade: (link: CreatedDepositAddress) => void;
};

function PaymentForm({ coins, typed, onTyped, onMade }: FormProps) {
  const change = useChange("POST /dashboard/v1/payments");
  const text = words.work.ask;
  const send = (values: Values) => change.mutate({ body: bodyOf(values) }, { onSuccess: onMade });
  const isUsed = useIsUsed(typed.orderRef);
  return (
    <Form
      submit={text.submit}
      isBusy={change.isPending}
      error={change.error}
      onTyped={onTyped}
      onSubmit={send}
    >
      <AmountField
        label={words.common.amount}
        hint={text.amountHint}
        name="amount"
        currency={typed.price ?? coins[0] ?? ""}
        isOptional
      />
      <PriceField coins={coins} chosen={typed.price} isForNow />
      <SelectField
        label={text.validFor}
        name="lifetimeSeconds"
        options={lifetimes()}
        defaultValue={String(USUAL_DAYS * DAY_SECONDS)}
      />
      <TextField
        label={words.common.reference}
        hint={isUsed ? text.sameReference : text.referenceHint}
        name="orderRef"
        maxLength={120}
        isOptional
      />
      <TextField label={text.note} hint={text.noteHint} name="label" maxLength={120} isOptional />
      <TextField label={text.successUrl} name="successUrl" type="url" isOptional />
    </Form>
  );
}

/** Whether a payment has this reference already. */
function useIsUsed(typed = ""): boolean {
  const orderRef = useSettled(typed.trim());
  const found = useRead(
    "GET /v1/deposit-addresses",
    { query: { orderRef, limit: 1 } },
    { isWanted: orderRef !== "" },
  );
  return orderRef !== "" && (found.data?.length ?? 0) > 0;
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** A link in a mail or a chat is often read days later. */
const USUAL_DAYS = 7;

function lifetimes(): Record<string, string> {
  const days = [1, USUAL_DAYS, 30].map((count) => [count * DAY_SECONDS, unitText(count, "day", language)]);
  return Object.fromEntries([[HOUR_SECONDS, unitText(1, "hour", language)], ...days]);
}

/** An empty field is left out, so that the service's own default counts. */
function bodyOf({ amount, price, lifetimeSeconds, orderRef, label, successUrl }: Values) {
  return {
    lifetimeSeconds: Number(lifetimeSeconds),
    ...(amount && { amount }),
    ...(orderRef && { orderRef }),
    ...(label && { label }),
    ...(successUrl && { successUrl }),
    ...priceUnit(price),
  };
}

/** A preview of the customer's first text, while it is typed. */
function Preview({ typed }: { readonly typed: Values }) {
  const settings = useRead("GET /dashboard/v1/settings", {});
  const [coin = ""] = Object.keys(settings.data?.fee_fixed ?? {});
  const { amount = "", price = coin, orderRef } = typed;
  const text = words.work.ask;
  const read = readAmount(amount);
  const shown =
    read === undefined || read.other !== undefined ? text.anyAmount : moneyText(read.amount, price);
  return (
    <div className="preview" style={{ borderTopColor: settings.data?.accent_color }}>
      <ShopName />
      <p className="preview-amount">{shown}</p>
      {orderRef && (
        <p className="hint">
          <bdi>{orderRef}</bdi>
        </p>
      )}
    </div>
  );
}
