import type { CreatedDepositAddress } from "@daric/sdk/contract";
import { Link } from "@tanstack/react-router";
import { moneyText } from "../format/amount.ts";
import { timeWithZoneText } from "../format/time.ts";
import { useMembership } from "../session/session-store.ts";
import { language, words } from "../words/words.ts";
import { Button } from "./button.tsx";
import { Code, CopyButton } from "./copy.tsx";
import { Section } from "./page.tsx";
import { QrCode } from "./qr-code.tsx";

type Props = { readonly link: CreatedDepositAddress; readonly onAgain?: () => void };

/** The finished link: to copy, to scan, to send. */
export function ReadyLink({ link, onAgain }: Props) {
  const text = words.work.ask;
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

function priceOf(link: CreatedDepositAddress): string {
  const { fiat_amount, fiat_currency, amount_due, expected_amount, currency } = link;
  if (fiat_amount !== null && fiat_currency !== null) return moneyText(fiat_amount, fiat_currency);
  const amount = amount_due ?? expected_amount;
  return amount === null ? words.work.ask.anyAmount : moneyText(amount, currency);
}
