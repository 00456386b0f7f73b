import type { WebhookEndpoint } from "@daric/sdk/contract";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRead } from "../../api/use-call.ts";
import { countText } from "../../format/amount.ts";
import { useMay } from "../../session/session-store.ts";
import { ListPage } from "../../ui/list-page.tsx";
import { Empty, LoadedRows } from "../../ui/page.tsx";
import { Badge, Facts, When } from "../../ui/show.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { words } from "../../words/words.ts";
import { ConnectShop } from "./connect-shop.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { EndpointForm } from "./endpoint-form.tsx";

const MAX_ROWS = 100;

/** The addresses that hear of payments. */
export function WebhooksPage() {
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const list = useRead("GET /v1/webhooks/endpoints", { query: { limit: MAX_ROWS } });
  const mayWrite = useMay("webhooks:write");
  const text = words.developers.webhooks;
  return (
    <ListPage
      title={text.title}
      hint={text.hint}
      exports={{ list: "endpoints" }}
      create={mayWrite && { label: text.add, onOpen: () => setAdding(true) }}
    >
      <div className="cards">
        <ConnectShop />
        <LoadedRows from={list} empty={<Empty title={text.empty} hint={text.emptyHint} />}>
          {(rows) => <Endpoints rows={rows} onSecret={setSecret} />}
        </LoadedRows>
      </div>
      {isAdding && <EndpointForm onClose={() => setAdding(false)} onSecret={setSecret} />}
      {secret && (
        <ShownOnce
          title={text.secret}
          hint={text.newSecret}
          secrets={{ [text.secret]: secret }}
          onClose={() => setSecret(undefined)}
        />
      )}
    </ListPage>
  );
}

type EndpointsProps = {
  readonly rows: readonly WebhookEndpoint[];
  readonly onSecret: (secret: string) => void;
};

function Endpoints({ rows, onSecret }: EndpointsProps) {
  const text = words.developers.webhooks;
  const mayWrite = useMay("webhooks:write");
  return rows.map((row) => (
    <section key={row.id} className="card">
      <header className="card-head">
        <h2>{row.url}</h2>
        <Badge tone={row.is_active ? "good" : "attention"}>
          {row.is_active ? text.active : text.disabled}
        </Badge>
      </header>
      <Facts
        rows={[
          row.description !== null && [text.description, row.description],
          [text.events, row.event_types.join(", ")],
          [words.common.created, <When key="c" at={row.created_at} />],
        ]}
      />
      <EndpointHealth id={row.id} />
      {mayWrite && <EndpointActions endpoint={row} onSecret={onSecret} />}
      <Link to="/deliveries" search={{ endpointId: row.id }}>
        {words.developers.deliveries.title}
      </Link>
    </section>
  ));
}

const LIVE_MS = 10_000;
const PER_CENT = 100;

/** How the merchant's server answered in the last 24 hours, and what waits. */
function EndpointHealth({ id }: { readonly id: string }) {
  const health = useRead("GET /v1/webhooks/endpoints/{id}/health", { path: { id } }, { everyMs: LIVE_MS });
  const text = words.developers.webhooks;
  if (!health.data) return null;
  const { last_success_at, failing_since, is_suspended, oldest_due_at, attempts, success_rate, p95_ms } =
    health.data;
  const rate = success_rate === null ? undefined : Math.floor(success_rate * PER_CENT * PER_CENT) / PER_CENT;
  return (
    <Facts
      rows={[
        [text.lastSuccess, <When key="l" at={last_success_at} />],
        failing_since !== null && [text.failingSince, <When key="f" at={failing_since} />],
        is_suspended && [words.common.problem, text.suspended],
        oldest_due_at !== null && [text.oldestDue, <When key="o" at={oldest_due_at} />],
        rate !== undefined && [text.successRate, `${rate}% (${countText(attempts)})`],
        p95_ms !== null && [text.slow, words.developers.deliveries.took({ ms: p95_ms })],
      ]}
    />
  );
}
