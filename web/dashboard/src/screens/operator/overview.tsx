import type { CheckStatus, Overview } from "../../api/operator-operations.ts";
import { useRead } from "../../api/use-call.ts";
import { countText } from "../../format/amount.ts";
import { spanText } from "../../format/time.ts";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { Badge, Facts } from "../../ui/show.tsx";
import { language, operatorWords, words } from "../../words/words.ts";
import { Alerts, Runbook } from "./alerts.tsx";
import { ChainHistory } from "./chain-history.tsx";
import { Errors } from "./errors.tsx";
import { flagged } from "./flagged.tsx";
import { Nodes } from "./nodes.tsx";
import { Rates } from "./rates.tsx";
import { Sweeps } from "./sweeps.tsx";
import { WorstEndpoints } from "./worst-endpoints.tsx";

const LIVE_MS = 5_000;

/** How the service is: first the verdict, then its reasons. */
export function OverviewPage() {
  const overview = useRead("GET /dashboard/v1/operator/overview", {}, { everyMs: LIVE_MS });
  const text = operatorWords;
  return (
    <Page title={text.title} hint={text.hint}>
      <Loaded from={overview}>
        {(overview) => (
          <>
            <Alerts />
            <Checks checks={overview.checks ?? []} />
            <div className="columns">
              <div>
                <Reading overview={overview} />
                <Nodes nodes={overview.nodes ?? []} />
                <ChainHistory />
                {overview.errors && <Errors errors={overview.errors} />}
              </div>
              <div>
                <Waiting overview={overview} />
                <Sweeps sweeps={overview.sweeps} settlement={overview.settlement ?? null} />
                <Rates rates={overview.rates ?? []} />
                <Process overview={overview} />
              </div>
            </div>
          </>
        )}
      </Loaded>
      <WorstEndpoints />
    </Page>
  );
}

/** One verdict about all processes; each check that fails stands first. */
function Checks({ checks }: { readonly checks: readonly CheckStatus[] }) {
  const text = operatorWords;
  const failed = checks.filter(({ ok }) => !ok);
  if (checks.length === 0) return null;
  return (
    <Section title={failed.length === 0 ? text.well : text.unwell({ count: failed.length })}>
      <ul className="lines">
        {[...failed, ...checks.filter(({ ok }) => ok)].map(({ name, ok, detail, process = "" }) => (
          <li key={`${process} ${name}`}>
            <Badge tone={ok ? "good" : "bad"}>{ok ? text.ok : text.failed}</Badge>
            <strong>{name}</strong>
            <span className="hint" dir="auto">
              {detail}
            </span>
            {process !== "" && (
              <span className="hint" dir="ltr">
                {process}
              </span>
            )}
            {!ok && <Runbook path="/docs/operations#readiness-checks" />}
          </li>
        ))}
      </ul>
    </Section>
  );
}

type Props = { readonly overview: Overview };

const numberText = (value: number | null | undefined) =>
  value === null || value === undefined ? operatorWords.unknown : countText(value);

/** Blocks behind the nodes that deserve attention: a minute of them. */
const MANY_BEHIND = 20;
/** A webhook that is due for longer is late. */
const LATE_SECONDS = 60;

function Reading({ overview: { reading } }: Props) {
  const text = operatorWords;
  const scanned = reading?.scanned;
  const head = reading?.head ?? null;
  const behind = scanned && head !== null ? Math.max(0, head - scanned.number) : undefined;
  return (
    <Section title={text.reading}>
      <p className="figure">
        {scanned ? text.completeTo({ block: numberText(scanned.number) }) : text.unknown}
      </p>
      {scanned && <p className="hint">{text.behind({ seconds: spanText(scanned.age_seconds, language) })}</p>}
      <Facts
        rows={[
          [text.head, numberText(head)],
          behind !== undefined && [text.behindHead, flagged(behind > MANY_BEHIND, countText(behind))],
          scanned && [text.finalTo, numberText(scanned.solid_number)],
          scanned && [text.notFinal, numberText(Math.max(0, scanned.number - scanned.solid_number))],
          [
            text.reader,
            reading?.leader
              ? `${reading.leader.host} ${reading.leader.pid}`
              : flagged(reading !== null, text.unknown),
          ],
        ]}
      />
    </Section>
  );
}

function Waiting({ overview: { waiting } }: Props) {
  const text = operatorWords;
  const { payments } = words;
  const deposits = Object.entries(waiting?.deposits ?? {});
  const names: Readonly<Record<string, string>> = payments.deposit;
  return (
    <Section title={text.waiting}>
      <Facts
        rows={[
          [
            text.dueDeliveries,
            flagged((waiting?.webhooks?.oldest_due_seconds ?? 0) > LATE_SECONDS, dueText(waiting?.webhooks)),
          ],
          [text.parked, numberText(waiting?.webhooks?.parked)],
          [text.addresses, flagged(waiting?.addresses_ahead === 0, numberText(waiting?.addresses_ahead))],
          ...deposits.map(
            ([status, count]) =>
              [names[status] ?? status, flagged(status === "STUCK" && count > 0, numberText(count))] as const,
          ),
        ]}
      />
    </Section>
  );
}

function dueText(webhooks: NonNullable<Overview["waiting"]>["webhooks"] | undefined): string {
  if (!webhooks || webhooks.due === 0) return numberText(webhooks?.due);
  return `${countText(webhooks.due)} · ${operatorWords.oldest} ${spanText(webhooks.oldest_due_seconds, language)}`;
}

function Process({ overview: { process } }: Props) {
  const text = operatorWords;
  if (!process) return null;
  const { versions, roles, network, environment, host, pid, uptime_seconds } = process;
  return (
    <Section title={text.process}>
      <Facts
        rows={[
          [text.version, versions.program],
          [text.schema, String(versions.schema)],
          ["Node", versions.node],
          ["PostgreSQL", versions.postgresql],
          [text.roles, `${roles.join(", ")} · ${network} (${environment})`],
          [text.host, `${host} ${pid}`],
          [text.runningFor, spanText(uptime_seconds, language)],
        ]}
      />
    </Section>
  );
}
