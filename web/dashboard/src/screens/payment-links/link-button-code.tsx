import { useState } from "react";
import { useRead } from "../../api/use-call.ts";
import { type ButtonPlace, buttonCode, buttonPlaces, textColourOn } from "../../format/link-button.ts";
import { CopyButton } from "../../ui/copy.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { SETTINGS } from "../../ui/use-settings-form.ts";
import { words } from "../../words/words.ts";

const MAX_CHARS = 120;

type Props = { readonly title: string; readonly url: string };

/** A button that leads to the page, as code for the place where it will stand. */
export function LinkButtonCode({ title, url }: Props) {
  const { data: settings } = useRead(SETTINGS, {});
  const wording = words.paymentLinks;
  const [typed, setTyped] = useState<string>();
  const [place, setPlace] = useState<ButtonPlace>("html");
  const colour = settings?.accent_color ?? "#000000";
  const text = typed ?? wording.payFor({ title });
  const code = buttonCode(place, { text, url, colour });
  return (
    <Section title={wording.buttons}>
      <p className="hint">{wording.buttonsHint}</p>
      <div className="form">
        <TextField
          label={wording.buttonText}
          maxLength={MAX_CHARS}
          value={text}
          onChange={({ target }) => setTyped(target.value)}
        />
        <SelectField
          label={wording.place}
          hint={wording.placeHints[place]}
          options={wording.places}
          value={place}
          onChange={({ target }) => setPlace(buttonPlaces.find((one) => one === target.value) ?? "html")}
        />
        {place !== "markdown" && (
          <p className="button-look" style={{ background: colour, color: textColourOn(colour) }} dir="auto">
            {text}
          </p>
        )}
        <pre className="snippet">{code}</pre>
        <div className="buttons">
          <CopyButton text={code} kind="button" label={wording.copyCode} />
        </div>
      </div>
    </Section>
  );
}
