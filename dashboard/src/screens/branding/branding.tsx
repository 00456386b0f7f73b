import { useState } from "react";
import type { Settings } from "../../api/account-operations.ts";
import { faultOf } from "../../api/refusal.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { useMay } from "../../session/session-store.ts";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Page, Section } from "../../ui/page.tsx";
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
  const [draft, setDraft] = useState({ name: settings.name, accentColor: settings.accent_color });
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change });
  return (
    <div className="columns">
      <div>
        <Section>
          <BrandForm settings={settings} draft={draft} onDraft={set} />
        </Section>
        <Logo settings={settings} />
      </div>
      <CheckoutPreview name={draft.name} accentColor={draft.accentColor} logoUrl={settings.logo_url} />
    </div>
  );
}

type BrandFormProps = {
  readonly settings: Settings;
  readonly draft: { readonly name: string; readonly accentColor: string };
  readonly onDraft: (change: { name?: string; accentColor?: string }) => void;
};

function BrandForm({ settings, draft, onDraft }: BrandFormProps) {
  const change = useChange("PATCH /dashboard/v1/settings", [SETTINGS]);
  const mayWrite = useMay("settings:write");
  const text = words.account.branding;
  const fault = (path: string) => faultOf(change.error, path);
  return (
    <Form
      submit={change.isSuccess ? words.common.saved : words.common.save}
      isBusy={change.isPending}
      isReadOnly={!mayWrite}
      error={change.error}
      onSubmit={({ supportEmail = "", supportUrl = "" }) =>
        change.mutate({ body: { ...draft, supportEmail, supportUrl, updatedAt: settings.updated_at } })
      }
    >
      <TextField
        label={text.name}
        name="name"
        maxLength={120}
        value={draft.name}
        onChange={(event) => onDraft({ name: event.target.value })}
        fault={fault("name")}
      />
      <TextField
        label={text.colour}
        name="accentColor"
        type="color"
        value={draft.accentColor}
        onChange={(event) => onDraft({ accentColor: event.target.value })}
        fault={fault("accentColor")}
      />
      <TextField
        label={text.email}
        hint={text.contactHint}
        name="supportEmail"
        type="email"
        defaultValue={settings.support_email ?? ""}
        fault={fault("supportEmail")}
        isOptional
      />
      <TextField
        label={text.url}
        name="supportUrl"
        type="url"
        defaultValue={settings.support_url ?? ""}
        fault={fault("supportUrl")}
        isOptional
      />
    </Form>
  );
}
