import { useState } from "react";
import type { Settings } from "../../api/account-operations.ts";
import { faultOf } from "../../api/refusal.ts";
import { useChange, useRead } from "../../api/use-call.ts";
import { basisPointsText, durationText } from "../../format/setting.ts";
import { useMay } from "../../session/session-store.ts";
import { CheckList, SelectField, TextField } from "../../ui/field.tsx";
import { Form, type Values } from "../../ui/form.tsx";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { Facts } from "../../ui/show.tsx";
import { languages, words } from "../../words/words.ts";
import { ExplorerChoice } from "./explorer-choice.tsx";

const SETTINGS = "GET /dashboard/v1/settings";

/** What a merchant decides about its payments, and the terms that it can only read. */
export function SettingsPage() {
  const settings = useRead(SETTINGS, {});
  return (
    <Page title={words.account.settings.title}>
      <Loaded from={settings}>
        {(found) => (
          <div className="columns">
            <Section>
              <SettingsForm settings={found} />
            </Section>
            <div>
              <Terms settings={found} />
              <ExplorerChoice />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function SettingsForm({ settings }: { readonly settings: Settings }) {
  const change = useChange("PATCH /dashboard/v1/settings", [SETTINGS]);
  const mayWrite = useMay("settings:write");
  const text = words.account.settings;
  const offered = settings.offered_languages;
  const [chosen, setChosen] = useState(settings.checkout_languages ?? offered);
  const send = (values: Values) => {
    const isAll = offered.every((tag) => tag === "en" || chosen.includes(tag));
    const checkoutLanguages = isAll ? "" : ["en", ...chosen].join();
    change.mutate({ body: { ...bodyOf(values, settings.updated_at), checkoutLanguages } });
  };
  return (
    <Form
      submit={change.isSuccess ? words.common.saved : words.common.save}
      isBusy={change.isPending}
      isReadOnly={!mayWrite}
      error={change.error}
      onSubmit={send}
    >
      <SelectField
        label={text.fee}
        name="feeMode"
        options={text.feeMode}
        defaultValue={settings.fee_mode}
        fault={faultOf(change.error, "feeMode")}
      />
      <TextField
        label={text.tolerance}
        hint={text.toleranceHint}
        name="underpaymentTolerance"
        inputMode="decimal"
        defaultValue={settings.underpayment_tolerance}
        fault={faultOf(change.error, "underpaymentTolerance")}
      />
      <Durations settings={settings} error={change.error} />
      <CheckList
        label={text.languages}
        hint={text.languagesHint}
        options={Object.fromEntries(offered.map((tag) => [tag, nameOfLanguage(tag)]))}
        chosen={["en", ...chosen]}
        onChoose={(tags) => setChosen(tags.filter((tag) => tag !== "en"))}
      />
    </Form>
  );
}

/** The name of a language in itself, as payers read it. */
function nameOfLanguage(tag: string): string {
  return languages.find((known) => known.tag === tag)?.name ?? tag;
}

function Durations({ settings, error }: { readonly settings: Settings; readonly error: unknown }) {
  const text = words.account.settings;
  const fields = [
    ["orderLifetime", text.orderLifetime, settings.order_lifetime_seconds],
    ["openLifetime", text.openLifetime, settings.open_lifetime_seconds],
    ["lateWindow", text.lateWindow, settings.late_window_seconds],
  ] as const;
  return fields.map(([name, label, seconds]) => (
    <TextField
      key={name}
      label={label}
      hint={text.durationHint}
      name={name}
      defaultValue={durationText(seconds)}
      fault={faultOf(error, name)}
    />
  ));
}

function bodyOf(values: Values, updatedAt: string) {
  const { feeMode = "merchant", underpaymentTolerance = "0" } = values;
  const { orderLifetime = "", openLifetime = "", lateWindow = "" } = values;
  return { feeMode, underpaymentTolerance, orderLifetime, openLifetime, lateWindow, updatedAt };
}

function Terms({ settings }: { readonly settings: Settings }) {
  const text = words.account.settings;
  const { fee_basis_points, fee_fixed, active_address_cap } = settings;
  return (
    <Section title={text.terms}>
      <p className="hint">{text.onlyOperator}</p>
      <Facts
        rows={[
          [
            words.payments.feeMode,
            text.feeTerms(basisPointsText(fee_basis_points), fee_fixed.USDT, fee_fixed.TRX),
          ],
          [text.cap, String(active_address_cap)],
        ]}
      />
    </Section>
  );
}
