import { useState } from "react";
import { explorers } from "../../format/explorer.ts";
import { SelectField } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { EXPLORER } from "../../ui/transaction.tsx";
import { words } from "../../words/words.ts";

/** The block explorer of this browser's links. */
export function ExplorerChoice() {
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
