import { useRead } from "../../api/use-call.ts";
import { moneyText } from "../../format/amount.ts";
import { readAmount } from "../../format/typed-amount.ts";
import { useMembership } from "../../session/session-store.ts";
import type { Values } from "../../ui/form.tsx";
import { words } from "../../words/words.ts";

/** A preview of the customer's first text, while it is typed. */
export function Preview({ draft }: { readonly draft: Values }) {
  const settings = useRead("GET /dashboard/v1/settings", {});
  const membership = useMembership();
  const { amount = "", price = "USDT", orderRef } = draft;
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
