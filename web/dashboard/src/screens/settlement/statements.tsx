import { useState } from "react";
import { pageContext, urlOf } from "../../api/call.ts";
import { useRead } from "../../api/use-call.ts";
import { moneyText } from "../../format/amount.ts";
import { useMay } from "../../session/session-store.ts";
import type { DownloadFile } from "../../ui/download-file.ts";
import { Downloads } from "../../ui/exports.tsx";
import { TextField } from "../../ui/field.tsx";
import { Loaded, Section } from "../../ui/page.tsx";
import { Table } from "../../ui/table.tsx";
import { words } from "../../words/words.ts";

/** A month for the accountant: sums that foot, and every entry as CSV. */
export function Statements() {
  const [month, setMonth] = useState(new Date().toISOString().slice(0, 7));
  const isMonth = /^\d{4}-\d{2}$/.test(month);
  const statement = useRead("GET /v1/statements", { query: { month, limit: 1 } }, { isWanted: isMonth });
  const { money, common } = words;
  const { merchantId } = pageContext;
  const { from, to } = statement.data ?? {};
  const listOf = (name: "journal" | "fees"): DownloadFile => ({
    name,
    url: (query) => urlOf("/dashboard/v1/exports/{list}", { list: name }, { ...query, merchantId, from, to }),
    formats: ["xlsx", "json"],
  });
  const whole: DownloadFile = {
    name: "statement",
    url: (query) => urlOf("/dashboard/v1/exports/statement", {}, { ...query, month, merchantId }),
    formats: ["xlsx", "pdf"],
  };
  const mayExport = useMay("exports:read");
  const download = isMonth && mayExport && <Downloads files={[whole, listOf("journal"), listOf("fees")]} />;
  return (
    <Section title={money.statements} actions={download}>
      <p className="hint">{money.statementHint}</p>
      <TextField
        label={money.month}
        type="month"
        value={month}
        onChange={(event) => setMonth(event.target.value)}
      />
      <Loaded from={statement}>
        {({ balances, is_closed: isClosed }) => (
          <>
            {!isClosed && <p className="hint">{money.isOpen}</p>}
            <Table
              label={money.statements}
              rows={balances}
              keyOf={({ currency }) => currency}
              columns={[
                { name: common.currency, cell: ({ currency }) => currency },
                {
                  name: money.opening,
                  cell: ({ opening, currency }) => moneyText(opening, currency),
                  isEnd: true,
                },
                {
                  name: money.confirmed,
                  cell: ({ confirmed, currency }) => moneyText(confirmed, currency),
                  isEnd: true,
                },
                { name: money.fees, cell: ({ fees, currency }) => moneyText(fees, currency), isEnd: true },
                {
                  name: money.settled,
                  cell: ({ settled, currency }) => moneyText(settled, currency),
                  isEnd: true,
                },
                {
                  name: money.closing,
                  cell: ({ closing, currency }) => moneyText(closing, currency),
                  isEnd: true,
                },
              ]}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}
