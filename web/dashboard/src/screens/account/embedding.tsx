import type { Settings } from "../../api/account-operations.ts";
import { embedSnippet } from "../../format/embed-snippet.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { Section } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";

/** The code by which a site shows the payment page in a frame. */
export function Embedding({ script }: { readonly script: Settings["embed_script"] }) {
  const text = words.account.embedding;
  const snippet = embedSnippet(script, location.origin);
  return (
    <Section title={text.title}>
      <p className="hint">{text.hint}</p>
      <pre className="snippet" dir="ltr">
        {snippet}
      </pre>
      <CopyButton text={snippet} kind="button" />
    </Section>
  );
}
