import { fiats } from "@daric/domain/fiat";
import type { Settings } from "../../api/account-operations.ts";
import { useChange, useReread } from "../../api/use-call.ts";
import { currencyName } from "../../format/price-currency.ts";
import { timeZoneOptions } from "../../format/time-zones.ts";
import { useMay } from "../../session/session-store.ts";
import { SelectField, TextArea, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { useRowForm } from "../../ui/use-row-form.ts";
import { SETTINGS, useSettingsForm } from "../../ui/use-settings-form.ts";
import { bookWords, loadBookWords } from "../../words/book-words.ts";
import { words } from "../../words/words.ts";

await loadBookWords();

type Props = { readonly settings: Settings };

/** The merchant on receipts and statements, and the time zone of its days and months. */
export function Company({ settings }: Props) {
  const { form, props } = useSettingsForm(settings, {
    textsOf: ({
      legal_name: legalName,
      legal_address: legalAddress,
      tax_id: taxId,
      time_zone: timeZone,
    }) => ({
      legalName: legalName ?? "",
      legalAddress: legalAddress ?? "",
      taxId: taxId ?? "",
      timeZone,
    }),
    bodyOf: (typed) => typed,
  });
  return (
    <Section title={bookWords.company}>
      <p className="hint">{bookWords.companyHint}</p>
      <Form {...props}>
        <TextField label={bookWords.legalName} isOptional {...form.field("legalName")} />
        <TextArea label={bookWords.legalAddress} isOptional {...form.field("legalAddress")} />
        <TextField label={bookWords.taxId} isOptional {...form.field("taxId")} />
        <SelectField
          label={bookWords.timeZone}
          options={timeZoneOptions(form.texts.timeZone)}
          {...form.field("timeZone", { hint: bookWords.timeZoneHint })}
        />
      </Form>
    </Section>
  );
}

const currencyOptions = () =>
  Object.fromEntries(Object.keys(fiats).map((code) => [code, currencyName(code)]));

/** The currency in which payments are valued, and the merchant's codes of accounts. */
export function Books({ settings }: Props) {
  const change = useChange("PATCH /dashboard/v1/settings/books", [SETTINGS]);
  const reread = useReread(SETTINGS, {});
  const form = useRowForm({ row: settings, textsOf: textsOfBooks, reread });
  const mayWrite = useMay("books:write");
  const send = () =>
    form.save(({ bookCurrency, accountCode }, updatedAt) =>
      change.mutateAsync({
        body: {
          ...(bookCurrency !== undefined && { bookCurrency }),
          ...(accountCode !== undefined && {
            accountCode: accountCode
              .trim()
              .split(/[\s,]+/)
              .join(),
          }),
          updatedAt,
        },
      }),
    );
  return (
    <Section title={bookWords.title}>
      <Form
        submit={change.isSuccess && !form.isEdited ? words.common.saved : words.common.save}
        isBusy={change.isPending}
        isReadOnly={!mayWrite}
        error={change.error}
        onSubmit={() => void send().catch(() => undefined)}
      >
        <SelectField
          label={bookWords.currency}
          options={currencyOptions()}
          {...form.field("bookCurrency", { hint: bookWords.currencyHint, show: currencyName })}
        />
        <TextArea
          label={bookWords.codes}
          dir="ltr"
          rows={11}
          spellCheck={false}
          isOptional
          {...form.field("accountCode", { hint: bookWords.codesHint })}
        />
      </Form>
    </Section>
  );
}

function textsOfBooks({ book_currency: bookCurrency, account_codes: codes }: Settings) {
  const lines = Object.entries(codes).map(([account, code]) => `${account}=${code}`);
  return { bookCurrency: bookCurrency as string, accountCode: lines.join("\n") };
}
