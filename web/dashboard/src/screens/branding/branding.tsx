import { useState } from "react";
import type { Settings } from "../../api/account-operations.ts";
import { urlOf } from "../../api/call.ts";
import { useRead } from "../../api/use-call.ts";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { SETTINGS, useSettingsForm } from "../../ui/use-settings-form.ts";
import { useSettled } from "../../ui/use-settled.ts";
import { words } from "../../words/words.ts";
import { Logo } from "./logo.tsx";
import { SupportEmail } from "./support-email.tsx";

/** The look of the payment page, beside the real page as it would be. */
export function BrandingPage() {
  const settings = useRead(SETTINGS, {});
  const text = words.account.branding;
  return (
    <Page title={text.title} hint={text.hint}>
      <Loaded from={settings}>{(loaded) => <Branding settings={loaded} />}</Loaded>
    </Page>
  );
}

function Branding({ settings }: { readonly settings: Settings }) {
  const { form, props } = useSettingsForm(settings, { textsOf, bodyOf: (texts) => texts });
  const { name, accentColor } = form.texts;
  return (
    <div className="columns">
      <div>
        <Section>
          <Form {...props}>
            <BrandFields field={form.field} />
          </Form>
        </Section>
        <SupportEmail key={settings.support_email} settings={settings} />
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

type FieldOf = ReturnType<typeof useSettingsForm<ReturnType<typeof textsOf>>>["form"]["field"];

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

/** A frame is drawn again once the typing pauses. */
const PAUSE_MS = 300;

type Props = { readonly name: string; readonly accentColor: string; readonly logoUrl: string | null };

/** The real payment page with values that are not saved yet, on a phone or on a desk, in any state. */
function CheckoutPreview({ name, accentColor, logoUrl }: Props) {
  const text = words.account.branding;
  const [state, setState] = useState("awaiting");
  const [device, setDevice] = useState("phone");
  const url = useSettled(
    urlOf("/dashboard/preview", {}, { state, name, accentColor, logoUrl: logoUrl ?? undefined }),
    PAUSE_MS,
  );
  return (
    <Section title={text.preview}>
      <div className="filters">
        <SelectField
          label={text.state}
          options={text.states}
          value={state}
          onChange={(event) => setState(event.target.value)}
        />
        <SelectField
          label={text.device}
          options={{ phone: text.phone, desktop: text.desktop }}
          value={device}
          onChange={(event) => setDevice(event.target.value)}
        />
      </div>
      <div className={`device ${device}`}>
        <iframe title={text.preview} src={url} sandbox="" />
      </div>
    </Section>
  );
}
