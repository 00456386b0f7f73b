import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useRead } from "../../api/use-call.ts";
import type { Moment } from "../../format/story.ts";
import { exactTimeText } from "../../format/time.ts";
import { useMay } from "../../session/session-store.ts";
import { Transaction } from "../../ui/transaction.tsx";
import { language, words } from "../../words/words.ts";

/** The line of time. Moments still to come are drawn hollow. */
export function Story({ moments }: { readonly moments: readonly Moment[] }) {
  const now = new Date().toISOString();
  const seesBodies = useMay("bodies:read");
  return (
    <ol className="story">
      {moments.map(({ key, at, tone, text, detail, txHash, deliveryId, eventId }) => (
        <li key={key} className={`${tone} ${at > now ? "is-ahead" : ""}`}>
          <time dateTime={at}>{exactTimeText(at, language)}</time>
          <p>{text}</p>
          {detail && <p className="hint">{detail}</p>}
          {txHash && <Transaction txHash={txHash} />}
          {deliveryId && (
            <Link to="/deliveries/$id" params={{ id: deliveryId }}>
              {words.story.delivery}
            </Link>
          )}
          {eventId && seesBodies && <EventBody id={eventId} />}
        </li>
      ))}
    </ol>
  );
}

/** The bytes that a webhook of the event carries, read when they are looked at. */
function EventBody({ id }: { readonly id: string }) {
  const [isOpen, setOpen] = useState(false);
  const event = useRead("GET /v1/events/{id}", { path: { id } }, { isWanted: isOpen });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{words.developers.deliveries.event}</summary>
      {event.data && <pre className="snippet">{JSON.stringify(event.data, null, 2)}</pre>}
    </details>
  );
}
