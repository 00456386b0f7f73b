import type { AlertRow } from "../../api/operator-operations.ts";
import { useRead } from "../../api/use-call.ts";
import { Loaded, Section } from "../../ui/page.tsx";
import { Ago, Badge, When } from "../../ui/show.tsx";
import { operatorWords } from "../../words/words.ts";

const LIVE_MS = 10_000;

/** The current alerts, each with a link to its remedy, and the ended ones. */
export function Alerts() {
  const alerts = useRead("GET /dashboard/v1/operator/alerts", {}, { everyMs: LIVE_MS });
  const text = operatorWords.alerts;
  return (
    <Section title={text.title}>
      <Loaded from={alerts}>
        {(rows) => {
          const past = rows.filter(({ state }) => state === "over");
          const now = rows.filter(({ state }) => state !== "over");
          return (
            <>
              {now.length === 0 && <p className="hint">{text.none}</p>}
              <AlertLines rows={now} />
              {past.length > 0 && (
                <details>
                  <summary>{text.past({ count: String(past.length) })}</summary>
                  <AlertLines rows={past} />
                </details>
              )}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function AlertLines({ rows }: { readonly rows: readonly AlertRow[] }) {
  const text = operatorWords.alerts;
  return (
    <ul className="lines">
      {rows.map(({ id, severity, state, summary, runbook, since, ended_at }) => (
        <li key={id}>
          <Badge tone={state !== "open" ? "quiet" : severity === "critical" ? "bad" : "attention"}>
            {state === "open" ? text[severity] : text[state]}
          </Badge>
          <strong dir="auto">{summary}</strong>
          <span className="hint">
            {text.since} {ended_at === null ? <Ago at={since} /> : <When at={since} />}
            {ended_at !== null && (
              <>
                , {text.until} <When at={ended_at} />
              </>
            )}
          </span>
          <Runbook path={runbook} />
        </li>
      ))}
    </ul>
  );
}

/** The documentation that this service serves, beside the dashboard. */
export function Runbook({ path }: { readonly path: string }) {
  return (
    <a href={path} target="_blank" rel="noreferrer">
      {operatorWords.alerts.runbook}
    </a>
  );
}
