import { Link } from "@tanstack/react-router";
import { useRead } from "../../api/use-call.ts";
import { Loaded, Section } from "../../ui/page.tsx";
import { PaymentRow } from "../../ui/payment-row.tsx";
import { words } from "../../words/words.ts";

const LIVE_MS = 5_000;
const SHOWN = 10;

/** The ten newest payments; nothing before the first. */
export function Latest() {
  const list = useRead(
    "GET /dashboard/v1/payments",
    { query: { limit: String(SHOWN) } },
    { everyMs: LIVE_MS },
  );
  const more = <Link to="/payments">{words.work.home.all}</Link>;
  return (
    <Loaded from={list}>
      {(rows) =>
        rows.length > 0 && (
          <Section title={words.work.home.latest} actions={more}>
            <ul className="rows">
              {rows.map((row) => (
                <li key={row.id}>
                  <PaymentRow row={row} />
                </li>
              ))}
            </ul>
          </Section>
        )
      }
    </Loaded>
  );
}
