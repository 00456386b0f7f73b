import type { WebhookEndpoint } from "@daric/sdk/contract";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRead } from "../../api/use-call.ts";
import { useMay } from "../../session/session-store.ts";
import { ListPage } from "../../ui/list-page.tsx";
import { Empty, LoadedRows } from "../../ui/page.tsx";
import { Badge, Facts, When } from "../../ui/show.tsx";
import { ShownOnce } from "../../ui/shown-once.tsx";
import { words } from "../../words/words.ts";
import { EndpointActions } from "./endpoint-actions.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import { EndpointHealth } from "./endpoint-health.tsx";

const MOST_ROWS = 100;

/** The addresses that hear of payments. */
export function WebhooksPage() {
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const list = useRead("GET /v1/webhooks/endpoints", { query: { limit: MOST_ROWS } });
  const mayWrite = useMay("webhooks:write");
  const text = words.developers.webhooks;
  return (
    <ListPage
      title={text.title}
      hint={text.hint}
      exports={{ list: "endpoints" }}
      create={mayWrite && { label: text.add, onOpen: () => setAdding(true) }}
    >
      <LoadedRows from={list} empty={<Empty title={text.empty} hint={text.emptyHint} />}>
        {(rows) => <Endpoints rows={rows} onSecret={setSecret} />}
      </LoadedRows>
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
