import { useState } from "react";
import type { Settings } from "../../api/account-operations.ts";
import { useRead } from "../../api/use-call.ts";
import { choiceText, countText, groupDigits } from "../../format/amount.ts";
import { explorers } from "../../format/explorer.ts";
import { basisPointsText, durationText, durationWords, sentDuration } from "../../format/setting.ts";
import { sentAmount } from "../../format/typed-amount.ts";
import { AmountField } from "../../ui/amount-field.tsx";
import { DurationField } from "../../ui/duration-field.tsx";
import { CheckList, SelectField, TextArea } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { Facts } from "../../ui/show.tsx";
import { EXPLORER } from "../../ui/transaction.tsx";
import { SETTINGS, useSettingsForm } from "../../ui/use-settings-form.ts";
import { languages, words } from "../../words/words.ts";
import { Books, Company } from "./books.tsx";
import { Embedding } from "./embedding.tsx";

/** A merchant's settings for its payments, and the terms that it can only read. */
export function SettingsPage() {
  const settings = useRead(SETTINGS, {});
  return (
    <Page title={words.account.settings.title}>
      <Loaded from={settings}>
        {(account) => (
          <div className="columns">
            <div>
              <Section>
                <SettingsForm settings={account} />
              </Section>
              <Books settings={account} />
            </div>
            <div>
              <Company settings={account} />
              <Embedding script={account.embed_script} />
              <Terms settings={account} />
              <ExplorerChoice />
            </div>
          </div>
        )}
      </Loaded>
    </Page>
  );
}

function SettingsForm({ settings }: { readonly settings: Settings }) {
  const text = words.account.settings;
  const offered = settings.offered_languages;
  const { form, props } = useSettingsForm(settings, {
    textsOf,
    bodyOf: ({
      languages: chosen,
      feeMode,
      underpaymentTolerance: tolerance,
      embedOrigin,
      ...durations
    }) => ({
      ...(feeMode !== undefined && { feeMode }),
      ...(tolerance !== undefined && { underpaymentTolerance: sentAmount(tolerance) }),
      ...(embedOrigin !== undefined && {
        embedOrigin: embedOrigin
          .trim()
          .split(/[\s,]+/)
          .join(),
      }),
      ...sentDurations(durations),
      ...(chosen !== undefined && { checkoutLanguages: sentLanguages(chosen, offered) }),
    }),
  });
  const duration = (name: DurationName) => {
    const { value, hint } = form.field(name, { show: durationWords });
    return { name, value, hint, onText: (typed: string) => form.set({ [name]: typed }) };
  };
  return (
    <Form {...props}>
      <SelectField
        label={text.fee}
        options={text.feeMode}
        {...form.field("feeMode", { show: (mode) => text.feeMode[mode as Settings["fee_mode"]] })}
      />
      <AmountField
        label={text.tolerance}
        {...form.field("underpaymentTolerance", { hint: text.toleranceHint })}
      />
      <DurationField label={text.orderLifetime} {...duration("orderLifetime")} />
      <DurationField label={text.openLifetime} {...duration("openLifetime")} />
      <DurationField label={text.lateWindow} {...duration("lateWindow")} />
      <CheckList
        name="checkoutLanguages"
        label={text.languages}
        hint={form.hintOf("languages", { hint: text.languagesHint, show: namesOfLanguages })}
        options={Object.fromEntries(offered.map((tag) => [tag, nameOfLanguage(tag)]))}
        chosen={form.texts.languages.split(",")}
        onChoose={(tags) => form.set({ languages: ["en", ...tags.filter((tag) => tag !== "en")].join() })}
      />
      <TextArea
        label={text.embedOrigins}
        dir="ltr"
        spellCheck={false}
        isOptional
        {...form.field("embedOrigin", { hint: text.embedOriginsHint })}
      />
    </Form>
  );
}

function textsOf(settings: Settings) {
  const chosen = settings.checkout_languages ?? settings.offered_languages;
  return {
    feeMode: settings.fee_mode,
    underpaymentTolerance: groupDigits(settings.underpayment_tolerance),
    orderLifetime: durationText(settings.order_lifetime_seconds),
    openLifetime: durationText(settings.open_lifetime_seconds),
    lateWindow: durationText(settings.late_window_seconds),
    languages: ["en", ...chosen.filter((tag) => tag !== "en")].join(),
    embedOrigin: settings.embed_origins.join("\n"),
  };
}

type DurationName = "orderLifetime" | "openLifetime" | "lateWindow";

function sentDurations(typed: Partial<Record<DurationName, string>>): Partial<Record<DurationName, string>> {
  return Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, sentDuration(text)]));
}

/** The chosen languages as the service takes them: an empty text is every language. */
function sentLanguages(chosen: string, offered: readonly string[]): string {
  return offered.every((tag) => chosen.split(",").includes(tag)) ? "" : chosen;
}

function namesOfLanguages(tags: string): string {
  return tags.split(",").map(nameOfLanguage).join(", ");
}

/** The name of a language in itself, as payers read it. */
function nameOfLanguage(tag: string): string {
  return languages.find((known) => known.tag === tag)?.name ?? tag;
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
            text.feeTerms({ percent: basisPointsText(fee_basis_points), fixed: choiceText(fee_fixed) }),
          ],
          [text.cap, countText(active_address_cap)],
        ]}
      />
    </Section>
  );
}

/** The block explorer of this browser's links. */
function ExplorerChoice() {
  const [chosen, setChosen] = useState(localStorage.getItem(EXPLORER) ?? explorers[0]?.id);
  const text = words.account.settings;
  return (
    <Section title={text.display}>
      <SelectField
        label={text.explorer}
        hint={text.explorerHint}
        options={Object.fromEntries(explorers.map(({ id, name }) => [id, name]))}
        value={chosen}
        onChange={(event) => {
          localStorage.setItem(EXPLORER, event.target.value);
          setChosen(event.target.value);
        }}
      />
    </Section>
  );
}
