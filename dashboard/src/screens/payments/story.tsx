import { Link } from "@tanstack/react-router";
import type { Moment } from "../../format/story.ts";
import { exactTimeText } from "../../format/time.ts";
import { Transaction } from "../../ui/transaction.tsx";
import { language, words } from "../../words/words.ts";

/** The line of time. What is still to come is drawn hollow. */
export function Story({ moments }: { readonly moments: readonly Moment[] }) {
  const now = new Date().toISOString();
  return (
    <ol className="story">
      {moments.map(({ key, at, tone, text, detail, txHash, deliveryId }) => (
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
        </li>
      ))}
    </ol>
  );
}
