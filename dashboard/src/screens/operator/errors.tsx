import type { ErrorStatus } from "../../api/operator-operations.ts";
import { Section } from "../../ui/page.tsx";
import { Ago } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";

/** The newest errors of the process. */
export function Errors({ errors }: { readonly errors: readonly ErrorStatus[] }) {
  const text = words.operator;
  return (
    <Section title={text.errors}>
      <ul className="lines">
        {errors.map(({ time, message, reason }) => (
          <li key={`${time} ${message}`}>
            <span>{message}</span>
            <span className="hint">
              {reason} <Ago at={time} />
            </span>
          </li>
        ))}
        {errors.length === 0 && <li className="hint">{text.noErrors}</li>}
      </ul>
    </Section>
  );
}
