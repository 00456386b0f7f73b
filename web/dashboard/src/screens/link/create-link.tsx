import type { CreatedDepositAddress } from "@daric/sdk/contract";
import { useState } from "react";
import { useChange, useRead } from "../../api/use-call.ts";
import { moneyText } from "../../format/amount.ts";
import { unitText } from "../../format/time.ts";
import { readAmount } from "../../format/typed-amount.ts";
import { useMay, useMembership } from "../../session/session-store.ts";
import { AmountField } from "../../ui/amount-field.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Empty, Loaded, Page, Section } from "../../ui/page.tsx";
import { ReadyLink } from "../../ui/ready-link.tsx";
import { useSettled } from "../../ui/use-settled.ts";
import { language, words } from "../../words/words.ts";

/** A link for a customer, made without a line of code. */
export function CreateLinkPage() {
  const [made, setMade] = useState<CreatedDepositAddress>();
  const [draft, setDraft] = useState<Values>({});
  const mayWrite = useMay("charges:write");
  const settings = useRead("GET /dashboard/v1/settings", {});
  const text = words.work.link;
  if (!mayWrite) return <Empty title={words.common.noRight} />;
  const again = () => {
    setDraft({});
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
                <LinkForm coins={Object.keys(fee_fixed) as Coin[]} onDraft={setDraft} onMade={setMade} />
              )}
            </Loaded>
          </Section>
          <Section title={text.preview}>
            <Preview draft={draft} />
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
  readonly onDraft: (values: Values) => void;
  readonly onMade: (link: CreatedDepositAddress) => void;
};

function LinkForm({ coins, onDraft, onMade }: FormProps) {
  const change = useChange("POST /dashboard/v1/payments");
  const text = words.work.link;
  const send = (values: Values) => change.mutate({ body: bodyOf(values, coins) }, { onSuccess: onMade });
  const draft = (event: { target: EventTarget }) => {
    const { name, value } = event.target as HTMLInputElement;
    onDraftChange(name, value);
  };
  const [values, setValues] = useState<Values>({});
  const isUsed = useIsUsed(values.orderRef);
  const prices = { ...Object.fromEntries(coins.map((coin) => [coin, coin])), USD: text.priceUsd };
  const onDraftChange = (name: string, value: string) => {
    const next = { ...values, [name]: value };
    setValues(next);
    onDraft(next);
  };
  return (
    <Form submit={text.submit} isBusy={change.isPending} error={change.error} onSubmit={send}>
      <AmountField
        label={words.common.amount}
        hint={text.amountHint}
        name="amount"
        currency={values.price ?? coins[0] ?? ""}
        onChange={draft}
        isOptional
      />
      <SelectField label={text.priceIn} name="price" options={prices} onChange={draft} />
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
        onChange={draft}
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
function bodyOf(values: Values, coins: readonly Coin[]) {
  const { amount, price, lifetimeSeconds, orderRef, label, successUrl } = values;
  const currency = coins.find((coin) => coin === price);
  return {
    lifetimeSeconds: Number(lifetimeSeconds),
    ...(amount && { amount }),
    ...(orderRef && { orderRef }),
    ...(label && { label }),
    ...(successUrl && { successUrl }),
    ...(currency === undefined ? { pricingCurrency: "USD" as const } : { currency }),
  };
}

/** A preview of the customer's first text, while it is typed. */
function Preview({ draft }: { readonly draft: Values }) {
  const settings = useRead("GET /dashboard/v1/settings", {});
  const membership = useMembership();
  const [coin = ""] = Object.keys(settings.data?.fee_fixed ?? {});
  const { amount = "", price = coin, orderRef } = draft;
  const text = words.work.link;
  const read = readAmount(amount);
  const shown =
    read === undefined || read.other !== undefined ? text.anyAmount : moneyText(read.amount, price);
  return (
    <div className="preview" style={{ borderTopColor: settings.data?.accent_color }}>
      <p className="preview-shop">
        {settings.data?.logo_url && <img src={settings.data.logo_url} alt="" width="32" height="32" />}
        <strong dir="auto">{settings.data?.name ?? membership?.merchant_name}</strong>
      </p>
      <p className="preview-amount">{shown}</p>
      {orderRef && (
        <p className="hint">
          <bdi>{orderRef}</bdi>
        </p>
      )}
    </div>
  );
}
