import type { ErrorStatus } from "../../api/operator-operations.ts";
import { Section } from "../../ui/page.tsx";
import { Ago, Badge } from "../../ui/show.tsx";
import { operatorWords } from "../../words/words.ts";
import { Runbook } from "./alerts.tsx";

/** The newest errors of the process. Each event has a section of the documentation. */
export function Errors({ errors }: { readonly errors: readonly ErrorStatus[] }) {
  const text = operatorWords;
  return (
    <Section title={text.errors}>
      <ul className="lines">
        {errors.map(({ time, level, message, reason, event, code, worker }) => (
          <li key={`${time} ${message}`}>
            <Badge tone={level === "warn" ? "attention" : "bad"}>{level}</Badge>
            <span dir="auto">{message}</span>
            <span className="hint">
              {[event, reason, code, worker].filter(Boolean).join(" · ")} <Ago at={time} />
            </span>
            {event && <Runbook path={`/docs/operations#${event}`} />}
          </li>
        ))}
        {errors.length === 0 && <li className="hint">{text.noErrors}</li>}
      </ul>
    </Section>
  );
}
