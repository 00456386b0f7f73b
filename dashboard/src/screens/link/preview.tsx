import { useRead } from "../../api/use-call.ts";
import { moneyText } from "../../format/amount.ts";
import { useMembership } from "../../session/session-store.ts";
import type { Values } from "../../ui/form.tsx";
import { words } from "../../words/words.ts";

const DECIMAL = /^(0|[1-9]\d{0,11})(\.\d{1,6})?$/;

/** A preview of the customer's first text, while it is typed. */
export function Preview({ draft }: { readonly draft: Values }) {
  const settings = useRead("GET /dashboard/v1/settings", {});
  const membership = useMembership();
  const { amount = "", price = "USDT", orderRef } = draft;
  const text = words.work.link;
  const shown = DECIMAL.test(amount) ? moneyText(amount, price) : text.anyAmount;
  return (
    <div className="preview" style={{ borderTopColor: settings.data?.accent_color }}>
      <p className="preview-shop">
        {settings.data?.logo_url && <img src={settings.data.logo_url} alt="" width="32" height="32" />}
        <strong dir="auto">{settings.data?.name ?? membership?.merchant_name}</strong>
      </p>
      <p className="preview-amount">{shown}</p>
      {orderRef && (
        <p className="hint" dir="auto">
          {orderRef}
        </p>
      )}
    </div>
  );
}
