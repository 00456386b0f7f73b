import { useRead } from "../../api/use-call.ts";
import { countText } from "../../format/amount.ts";
import { Facts, When } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";

const LIVE_MS = 10_000;
const PER_CENT = 100;

/** How the merchant's server answered in the last 24 hours, and what waits. */
export function EndpointHealth({ id }: { readonly id: string }) {
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
