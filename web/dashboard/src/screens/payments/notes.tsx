import { useState } from "react";
import { useChange } from "../../api/use-call.ts";
import { useMay } from "../../session/session-store.ts";
import { TextArea } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";

const STORY = "GET /dashboard/v1/payments/{id}/story";

/** A note of people of the merchant; it stands on the line of time. */
export function Notes({ id }: { readonly id: string }) {
  const change = useChange("POST /dashboard/v1/payments/{id}/notes", [STORY]);
  const [round, setRound] = useState(0);
  const mayWrite = useMay("notes:write");
  if (!mayWrite) return null;
  return (
    <Section title={words.payments.notes}>
      <Form
        key={round}
        submit={words.payments.addNote}
        isBusy={change.isPending}
        error={change.error}
        onSubmit={({ text = "" }) =>
          change.mutate({ path: { id }, body: { text } }, { onSuccess: () => setRound(round + 1) })
        }
      >
        <TextArea
          label={words.payments.addNote}
          hint={words.payments.noteHint}
          name="text"
          maxLength={2_000}
        />
      </Form>
    </Section>
  );
}
