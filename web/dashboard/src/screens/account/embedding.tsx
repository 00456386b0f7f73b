import type { Settings } from "../../api/account-operations.ts";
import { embedSnippet } from "../../format/embed-snippet.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { TextArea } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { useSettingsForm } from "../../ui/use-settings-form.ts";
import { words } from "../../words/words.ts";

/** The sites that may show the payment page in a frame, and the code by which they do. */
export function Embedding({ settings }: { readonly settings: Settings }) {
  const text = words.account.embedding;
  const { form, props } = useSettingsForm(settings, {
    textsOf: ({ embed_origins }) => ({ embedOrigin: embed_origins.join("\n") }),
    bodyOf: ({ embedOrigin: typed = "" }) => ({
      embedOrigin: typed
        .split(/[\s,]+/)
        .filter(Boolean)
        .join(),
    }),
  });
  const snippet = embedSnippet(settings.embed_script, location.origin);
  return (
    <Section title={text.title}>
      <Form {...props}>
        <TextArea
          label={text.origins}
          dir="ltr"
          spellCheck={false}
          {...form.field("embedOrigin", { hint: text.originsHint })}
          isOptional
        />
      </Form>
      <h3 className="label">{text.snippet}</h3>
      <p className="hint">{text.snippetHint}</p>
      <pre className="snippet" dir="ltr">
        {snippet}
      </pre>
      <CopyButton text={snippet} kind="button" />
    </Section>
  );
}
