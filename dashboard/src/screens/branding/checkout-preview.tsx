import { useState } from "react";
import { urlOf } from "../../api/call.ts";
import { SelectField } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { useSettled } from "../../ui/use-settled.ts";
import { words } from "../../words/words.ts";

/** A frame is drawn again once the typing pauses. */
const PAUSE_MS = 300;

type Props = { readonly name: string; readonly accentColor: string; readonly logoUrl: string | null };

/** The real payment page with values that are not saved yet, on a phone or on a desk, in any state. */
export function CheckoutPreview({ name, accentColor, logoUrl }: Props) {
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
