import { Link } from "@tanstack/react-router";
import { useRead } from "../../api/use-call.ts";
import type { Home, Period } from "../../api/work-operations.ts";
import { countText, isZero, moneyText } from "../../format/amount.ts";
import { spanText } from "../../format/time.ts";
import { useMay } from "../../session/session-store.ts";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { language, words } from "../../words/words.ts";
import { DayChart } from "./day-chart.tsx";
import { FIGURES } from "./figures-read.ts";
import { Latest } from "./latest.tsx";

const LIVE_MS = 15_000;

/** Whether money comes in, and what needs a decision. */
export function HomePage() {
  const home = useRead(FIGURES, {}, { everyMs: LIVE_MS });
  const mayCreate = useMay("charges:write");
  const maySet = useMay("settings:write");
  const action = mayCreate && (
    <Link className="button primary" to="/ask-for-payment">
      {words.shell.askForPayment}
    </Link>
  );
  return (
    <Page title={words.work.home.title} actions={action}>
      {maySet && <MissingContact />}
      {maySet && home.data?.mail_configured === false && <p className="notice">{words.work.home.noMail}</p>}
      <Loaded from={home}>{(data) => <Figures home={data} />}</Loaded>
      <Latest />
    </Page>
  );
}

/** Says that payers have no address to write to, until a contact is set. */
function MissingContact() {
  const { data } = useRead("GET /dashboard/v1/settings", {});
  if (data === undefined || data.support_email !== null || data.support_url !== null) return null;
  return (
    <p className="notice">
      {words.work.home.noContact} <Link to="/branding">{words.work.home.addContact}</Link>
    </p>
  );
}

function Figures({ home }: { readonly home: Home }) {
  const text = words.work.home;
  const isNew = home.month.orders_created === 0 && home.open === 0;
  if (isNew) return <FirstSteps />;
  return (
    <>
      <div className="tiles">
        <PeriodTile title={text.today} period={home.today} />
        <PeriodTile title={text.week} period={home.week} />
        <PeriodTile title={text.month} period={home.month} />
      </div>
      <div className="tiles small">
        <Tile
          title={text.attention}
          value={countText(home.attention)}
          to="/inbox"
          isLoud={home.attention > 0}
        />
        <Tile title={text.open} value={countText(home.open)} />
        <Tile title={text.abandoned} value={countText(home.abandoned)} hint={text.abandonedHint} />
        <Tile title={text.toPay} value={durationOf(home.seconds_to_pay)} hint={text.median} />
        <Tile title={text.toConfirm} value={durationOf(home.seconds_to_confirm)} hint={text.median} />
      </div>
      <Section title={text.chart}>
        <DayChart days={home.days} />
      </Section>
    </>
  );
}

function durationOf(seconds: number | null): string {
  return seconds === null ? "–" : spanText(seconds, language);
}

function PeriodTile({ title, period }: { readonly title: string; readonly period: Period }) {
  const [first, ...others] = Object.entries(period.volume);
  return (
    <section className="card tile">
      <h2 className="label">{title}</h2>
      {first && <p className="figure">{moneyText(first[1], first[0])}</p>}
      {others.map(
        ([coin, amount]) =>
          !isZero(amount) && (
            <p key={coin} className="figure second">
              {moneyText(amount, coin)}
            </p>
          ),
      )}
      <p className="hint">
        {words.work.home.paid({
          paid: countText(period.orders_paid),
          created: countText(period.orders_created),
        })}
      </p>
    </section>
  );
}

type TileProps = {
  readonly title: string;
  readonly value: string;
  readonly hint?: string;
  readonly to?: "/inbox";
  readonly isLoud?: boolean;
};

function Tile({ title, value, hint, to, isLoud }: TileProps) {
  return (
    <section className={`card tile ${isLoud ? "is-loud" : ""}`}>
      <h2 className="label">{to ? <Link to={to}>{title}</Link> : title}</h2>
      <p className="figure">{value}</p>
      {hint && <p className="hint">{hint}</p>}
    </section>
  );
}

/** The first steps of a merchant without a payment. */
function FirstSteps() {
  const { steps, welcome } = words.work.home;
  const rows = [
    { to: "/ask-for-payment", name: steps.ask, hint: steps.askHint },
    { to: "/payment-links/new", name: steps.link, hint: steps.linkHint },
    { to: "/keys", name: steps.key, hint: steps.keyHint },
    { to: "/webhooks", name: steps.webhook, hint: steps.webhookHint },
    { to: "/branding", name: steps.brand, hint: steps.brandHint },
  ] as const;
  return (
    <Section title={welcome}>
      <ol className="steps">
        {rows.map(({ to, name, hint }) => (
          <li key={to}>
            <Link data-row to={to}>
              {name}
            </Link>
            <p className="hint">{hint}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
