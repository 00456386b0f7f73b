import type { Settings } from "../../api/account-operations.ts";
import { useChange, useRead, useReread } from "../../api/use-call.ts";
import { useMay } from "../../session/session-store.ts";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { useRowForm } from "../../ui/use-row-form.ts";
import { words } from "../../words/words.ts";
import { CheckoutPreview } from "./checkout-preview.tsx";
import { Logo } from "./logo.tsx";

const SETTINGS = "GET /dashboard/v1/settings";

/** The look of the payment page, beside the real page as it would be. */
export function BrandingPage() {
  const settings = useRead(SETTINGS, {});
  const text = words.account.branding;
  return (
    <Page title={text.title} hint={text.hint}>
      <Loaded from={settings}>{(found) => <Branding settings={found} />}</Loaded>
    </Page>
  );
}

function Branding({ settings }: { readonly settings: Settings }) {
  const change = useChange("PATCH /dashboard/v1/settings", [SETTINGS]);
  const reread = useReread(SETTINGS, {});
  const form = useRowForm({ row: settings, textsOf, reread, error: change.error });
  const { name, accentColor } = form.texts;
  const mayWrite = useMay("settings:write");
  const send = () => form.save((texts, updatedAt) => change.mutateAsync({ body: { ...texts, updatedAt } }));
  return (
    <div className="columns">
      <div>
        <Section>
          <Form
            submit={change.isSuccess ? words.common.saved : words.common.save}
            isBusy={change.isPending}
            isReadOnly={!mayWrite}
            error={change.error}
            onSubmit={() => void send().catch(() => undefined)}
          >
            <BrandFields field={form.field} />
          </Form>
        </Section>
        <Logo settings={settings} />
      </div>
      <CheckoutPreview name={name} accentColor={accentColor} logoUrl={settings.logo_url} />
    </div>
  );
}

function textsOf(settings: Settings) {
  return {
    name: settings.name,
    accentColor: settings.accent_color,
    supportEmail: settings.support_email ?? "",
    supportUrl: settings.support_url ?? "",
  };
}

type FieldOf = ReturnType<typeof useRowForm<Settings, ReturnType<typeof textsOf>>>["field"];

function BrandFields({ field }: { readonly field: FieldOf }) {
  const text = words.account.branding;
  return (
    <>
      <TextField label={text.name} maxLength={120} {...field("name")} />
      <TextField label={text.colour} type="color" {...field("accentColor")} />
      <TextField
        label={text.email}
        type="email"
        {...field("supportEmail", { hint: text.contactHint })}
        isOptional
      />
      <TextField label={text.url} type="url" {...field("supportUrl")} isOptional />
    </>
  );
}
