import { useRead } from "../../api/use-call.ts";
import { Loaded, Section } from "../../ui/page.tsx";
import { When } from "../../ui/show.tsx";
import { Table } from "../../ui/table.tsx";
import { words } from "../../words/words.ts";

/** The endpoints of merchants with the longest backlog. */
export function WorstEndpoints() {
  const worst = useRead("GET /dashboard/v1/operator/deliveries/worst", {});
  const text = words.operator.worst;
  return (
    <Section title={text.title}>
      <Loaded from={worst}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="hint">{text.empty}</p>
          ) : (
            <Table
              label={text.title}
              rows={rows}
              keyOf={({ endpoint_id }) => endpoint_id}
              columns={[
                { name: words.developers.deliveries.endpoint, cell: ({ url }) => url },
                { name: text.waiting, cell: ({ waiting }) => waiting, isEnd: true },
                { name: text.oldest, cell: ({ oldest_due_at }) => <When at={oldest_due_at} /> },
                {
                  name: text.lastError,
                  cell: ({ last_error }) =>
                    last_error === null ? "–" : (words.developers.deliveries.errors[last_error] ?? last_error),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
