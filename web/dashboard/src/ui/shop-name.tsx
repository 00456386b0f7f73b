import { useRead } from "../api/use-call.ts";
import { useMembership } from "../session/session-store.ts";
import { SETTINGS } from "./use-settings-form.ts";

/** The name and logo that customers see. */
export function ShopName() {
  const { data: settings } = useRead(SETTINGS, {});
  const membership = useMembership();
  return (
    <p className="preview-shop">
      {settings?.logo_url && <img src={settings.logo_url} alt="" width="32" height="32" />}
      <strong dir="auto">{settings?.name ?? membership?.merchant_name}</strong>
    </p>
  );
}
