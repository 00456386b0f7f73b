import { useRead } from "../../api/use-call.ts";
import { spanText } from "../../format/time.ts";
import { Code } from "../../ui/copy.tsx";
import { Exports } from "../../ui/exports.tsx";
import { LoadedRows, Section } from "../../ui/page.tsx";
import { When } from "../../ui/show.tsx";
import { Table } from "../../ui/table.tsx";
import { language, operatorWords, words } from "../../words/words.ts";
import { MerchantName } from "./merchant-name.tsx";

/** The endpoints of merchants with the longest backlog. */
export function WorstEndpoints() {
  const worst = useRead("GET /dashboard/v1/operator/endpoints", {});
  const text = operatorWords.worst;
  return (
    <Section title={text.title} actions={<Exports operatorList="endpoints" />}>
      <LoadedRows from={worst} empty={<p className="hint">{text.empty}</p>}>
        {(rows) => (
          <Table
            label={text.title}
            rows={rows}
            keyOf={({ endpoint_id }) => endpoint_id}
            columns={[
              {
                name: words.developers.deliveries.endpoint,
                cell: ({ url }) => <Code text={url} />,
              },
              {
                name: words.common.problem,
                cell: ({ last_error, last_status_code }) =>
                  last_error === null
                    ? "–"
                    : `${words.developers.deliveries.errors[last_error] ?? last_error} ${last_status_code ?? ""}`,
              },
              { name: words.shell.merchant, cell: ({ merchant_id }) => <MerchantName id={merchant_id} /> },
              { name: text.oldest, cell: ({ due_at }) => <When at={due_at} /> },
              {
                name: text.waiting,
                cell: ({ waiting_seconds }) => spanText(waiting_seconds, language),
                isEnd: true,
              },
            ]}
          />
        )}
      </LoadedRows>
    </Section>
  );
}
