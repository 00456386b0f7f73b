import type { CreatedDepositAddress } from "@daric/sdk/contract";
import { Link } from "@tanstack/react-router";
import { encode } from "uqr";
import { moneyText } from "../format/amount.ts";
import { timeWithZoneText } from "../format/time.ts";
import { useMembership } from "../session/session-store.ts";
import { language, words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Code, CopyButton } from "./copy.tsx";
import { Section } from "./page.tsx";

type Props = { readonly link: CreatedDepositAddress; readonly onAgain?: () => void };

/** The finished link: to copy, to scan, to send. */
export function ReadyLink({ link, onAgain }: Props) {
  const text = words.work.link;
  const merchant = useMembership()?.merchant_name ?? "";
  const url = link.checkout_url ?? link.address;
  const amount = priceOf(link);
  const until =
    link.expires_at === null ? "" : text.until({ time: timeWithZoneText(link.expires_at, language) });
  return (
    <Section title={text.ready}>
      <div className="ready">
        <QrCode content={url} label={text.scan} />
        <div className="form">
          <p className="figure">{amount}</p>
          <p className="hint">{until}</p>
          <Code text={url} />
          <div className="buttons">
            <CopyButton text={url} kind="button" />
            <CopyButton
              text={`${text.message({ merchant, amount, url })}\n${until}`}
              kind="button"
              label={text.copyMessage}
            />
            <Link className="button plain" to="/payments/$id" params={{ id: link.id }}>
              {text.watch}
            </Link>
            {onAgain && (
              <Button kind="quiet" onClick={onAgain}>
                {text.another}
              </Button>
            )}
          </div>
        </div>
      </div>
    </Section>
  );
}

function priceOf({ fiat_amount, amount_due, expected_amount, currency }: CreatedDepositAddress): string {
  if (fiat_amount !== null) return moneyText(fiat_amount, "USD");
  const amount = amount_due ?? expected_amount;
  return amount === null ? words.work.link.anyAmount : moneyText(amount, currency);
}

/** A QR code, dark on light in both schemes, as scanners want it. */
function QrCode({ content, label }: { readonly content: string; readonly label: string }) {
  const { data, size } = encode(content, { border: 2 });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return (
    <figure className="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
        <path d={path} />
      </svg>
      <figcaption className="hint">{label}</figcaption>
    </figure>
  );
}
