import type { Settings } from "../../api/account-operations.ts";
import { useChange } from "../../api/use-call.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";

/** Whether the support address is confirmed, and the button that mails its link. Nothing without an address or a mail server. */
export function SupportEmail({ settings }: { readonly settings: Settings }) {
  const ask = useChange("POST /dashboard/v1/settings/support-email/confirm", []);
  const mayWrite = useMay("settings:write");
  const text = words.account.branding;
  const {
    support_email: address,
    support_email_confirmed: isConfirmed,
    mail_configured: isMailConfigured,
  } = settings;
  if (address === null || !isMailConfigured) return null;
  const state = isConfirmed ? text.confirmed : ask.isSuccess ? text.confirmSent : text.unconfirmed;
  return (
    <Section title={text.email}>
      <p role="status">{state({ address })}</p>
      {mayWrite && !isConfirmed && !ask.isSuccess && (
        <Button isBusy={ask.isPending} onClick={() => ask.mutate({})}>
          {text.confirm}
        </Button>
      )}
      <Problem error={ask.error} />
    </Section>
  );
}
