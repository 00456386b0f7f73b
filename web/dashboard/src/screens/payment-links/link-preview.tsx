import type { PaymentLink } from "@daric/sdk/contract";
import { useRead } from "../../api/use-call.ts";
import { moneyText } from "../../format/amount.ts";
import { textColourOn } from "../../format/link-button.ts";
import { findPrice } from "../../format/payment-link.ts";
import { suggestionNames } from "../../format/payment-link-body.ts";
import { readAmount } from "../../format/typed-amount.ts";
import type { Values } from "../../ui/form.tsx";
import { ShopName } from "../../ui/shop-name.tsx";
import { SETTINGS } from "../../ui/use-settings-form.ts";
import { words } from "../../words/words.ts";

type Props = { readonly typed: Values; readonly ask: PaymentLink["ask"] };

/** The public page of a link, small, while it is typed. Nothing in it can be pressed. */
export function LinkPreview({ typed, ask }: Props) {
  const { data: settings } = useRead(SETTINGS, {});
  const colour = settings?.accent_color ?? "#000000";
  const { title, description, priceBy, price: unit = "" } = typed;
  const amountOf = (name: string) => readAmount(typed[name] ?? "")?.amount ?? null;
  const isFree = priceBy === "free";
  const shown = findPrice({
    amount: isFree ? null : (amountOf("amount") ?? "0"),
    min_amount: amountOf("minAmount"),
    max_amount: amountOf("maxAmount"),
    currency: unit as PaymentLink["currency"],
    pricing_currency: null,
  });
  const suggested = isFree ? suggestionNames.flatMap((name) => amountOf(name) ?? []) : [];
  const text = words.paymentLinks;
  const labels = { name: words.common.name, note: text.typed.note, email: words.common.email };
  return (
    <div className="preview" style={{ borderTopColor: colour }}>
      <ShopName />
      <p className="preview-title" dir="auto">
        {title?.trim() || text.name}
      </p>
      {description && (
        <p className="preview-text" dir="auto">
          {description}
        </p>
      )}
      {!isFree && <p className="preview-amount">{shown}</p>}
      {isFree && <Blank label={[words.common.amount, shown].filter(Boolean).join(" · ")} value={unit} />}
      {suggested.length > 0 && (
        <p className="preview-choices">
          {suggested.map((amount) => (
            <span key={amount}>{moneyText(amount, unit)}</span>
          ))}
        </p>
      )}
      {ask.map((question) => (
        <Blank key={question} label={labels[question]} />
      ))}
      <p className="preview-pay" style={{ background: colour, color: textColourOn(colour) }}>
        {text.pay}
      </p>
    </div>
  );
}

/** A field of the page as a picture. */
function Blank({ label, value = "" }: { readonly label: string; readonly value?: string }) {
  return (
    <div className="preview-field">
      <span className="label">{label}</span>
      <span>{value}</span>
    </div>
  );
}
