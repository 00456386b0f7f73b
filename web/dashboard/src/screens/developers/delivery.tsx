import type { WebhookAttempt, WebhookDeliveryDetail } from "@daric/sdk/contract";
import { Link, useParams } from "@tanstack/react-router";
import { useChange, useRead } from "../../api/use-call.ts";
import type { SentAttempt } from "../../api/work-operations.ts";
import { deliveryToneOf } from "../../format/payment-state.ts";
import { useMay } from "../../session/session-store.ts";
import { Button } from "../../ui/button.tsx";
import { Code } from "../../ui/copy.tsx";
import { Problem } from "../../ui/form.tsx";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { Badge, Facts, When } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";

const LIVE_MS = 3_000;
const ONE = "GET /v1/webhooks/deliveries/{id}";
const SENT = "GET /dashboard/v1/deliveries/{id}/sent";

/** One delivery with every attempt and what the merchant's server answered. */
export function DeliveryPage() {
  const { id } = useParams({ from: "/inside/deliveries/$id" });
  const delivery = useRead(ONE, { path: { id } }, { everyMs: LIVE_MS });
  const seesBodies = useMay("bodies:read");
  const sent = useRead(SENT, { path: { id } }, { everyMs: LIVE_MS, isWanted: seesBodies });
  const type = delivery.data?.event_type;
  // A test is one attempt: its endpoint sends a new one.
  const mayResend = type !== undefined && type !== "webhook.test";
  return (
    <Page title={type ?? words.developers.deliveries.one} actions={mayResend && <Resend id={id} />}>
      <Loaded from={delivery}>
        {(detail) => (
          <>
            <Section>
              <DeliveryFacts delivery={detail} />
            </Section>
            {seesBodies && (
              <Section title={words.developers.deliveries.event}>
                <pre className="snippet">{sent.data?.body ?? "–"}</pre>
              </Section>
            )}
            {[...detail.attempts].reverse().map((attempt) => (
              <Attempt
                key={attempt.number}
                attempt={attempt}
                sent={sent.data?.attempts.find(({ number }) => number === attempt.number)}
              />
            ))}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Resend({ id }: { readonly id: string }) {
  const change = useChange("POST /v1/webhooks/deliveries/{id}/resend", [ONE, SENT]);
  const mayResend = useMay("deliveries:resend");
  if (!mayResend) return null;
  return (
    <>
      <Button kind="primary" isBusy={change.isPending} onClick={() => change.mutate({ path: { id } })}>
        {words.developers.deliveries.resend}
      </Button>
      <Problem error={change.error} />
    </>
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: WebhookDeliveryDetail }) {
  const text = words.developers.deliveries;
  const { status, endpoint_id, event_id, reference_id, next_attempt_at, created_at } = delivery;
  const { endpoint_url: url, deposit_address_id: paymentId, order_ref: orderRef } = delivery;
  return (
    <Facts
      rows={[
        [
          words.common.status,
          <Badge key="s" tone={deliveryToneOf(status)}>
            {text.statuses[status]}
          </Badge>,
        ],
        [text.endpoint, url ?? <Code key="e" text={endpoint_id} isShort />],
        paymentId !== null && [
          words.payments.one,
          <Link key="p" to="/payments/$id" params={{ id: paymentId }}>
            {orderRef ?? words.payments.noReference}
          </Link>,
        ],
        [text.event, <Code key="v" text={event_id} isShort />],
        reference_id !== null && [text.about, <Code key="r" text={reference_id} isShort />],
        next_attempt_at !== null && [text.next, <When key="n" at={next_attempt_at} />],
        [words.common.created, <When key="c" at={created_at} />],
      ]}
    />
  );
}

type AttemptProps = { readonly attempt: WebhookAttempt; readonly sent: SentAttempt | undefined };

function Attempt({ attempt, sent }: AttemptProps) {
  const text = words.developers.deliveries;
  const { number, attempted_at, duration_ms, status_code, error, response_snippet, trigger } = attempt;
  return (
    <Section title={text.attempt({ number })}>
      <Facts
        rows={[
          [words.common.created, <When key="a" at={attempted_at} />],
          [text.sent, `${text.triggers[trigger]}, ${text.took({ ms: duration_ms })}`],
          [
            text.answer,
            <Badge key="b" tone={error === null ? "good" : "bad"}>
              {status_code ?? text.noAnswer}
            </Badge>,
          ],
          error !== null && [words.common.problem, text.errors[error] ?? error],
        ]}
      />
      {sent?.url && (
        <>
          <p className="label">{text.sent}</p>
          <pre className="snippet">{requestHead(sent.url, sent.headers)}</pre>
        </>
      )}
      {status_code !== null && (
        <>
          <p className="label">{text.response}</p>
          <pre className="snippet">{answerText(sent?.response_headers, response_snippet)}</pre>
        </>
      )}
    </Section>
  );
}

function requestHead(url: string, headers: Readonly<Record<string, string>>): string {
  return [`POST ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join("\n");
}

function answerText(headers: string | null | undefined, body: string | null): string {
  return [headers, body].filter(Boolean).join("\n\n") || "–";
}
