import { useChange } from "../../api/use-call.ts";
import { useSession } from "../../session/session-store.ts";
import { SelectField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";

const CASES = ["exact", "under", "over", "twice", "late", "wrong_coin", "reorged"] as const;

/** On the local chain: plays a payment, so that the page can be tried without money. */
export function Simulation({ id }: { readonly id: string }) {
  const change = useChange("POST /v1/test/deposit-addresses/{id}/simulate");
  const { payments } = words;
  const network = useSession()?.network;
  if (network !== "devnet") return null;
  return (
    <Section title={payments.simulate}>
      <Form
        submit={payments.simulate}
        isBusy={change.isPending}
        error={change.error}
        onSubmit={(values) => {
          const chosen = CASES.find((example) => example === values.case);
          if (chosen !== undefined) change.mutate({ path: { id }, body: { case: chosen } });
        }}
      >
        <p className="hint">{payments.simulateHint}</p>
        <SelectField label={payments.simulate} name="case" options={payments.cases} />
        <p role="status">{change.data?.next}</p>
      </Form>
    </Section>
  );
}
