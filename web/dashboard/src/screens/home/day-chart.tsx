import { useId } from "react";
import type { Day } from "../../api/work-operations.ts";
import { countText, isZero, largerOf, moneyText, thousandthsOf } from "../../format/amount.ts";
import { dateText } from "../../format/time.ts";
import { Table } from "../../ui/table.tsx";
import { language, words } from "../../words/words.ts";

const WIDTH = 720;
const HEIGHT = 140;
const GAP = 4;

/** Bars of thirty days for the first coin, and the figures of every coin as a table: a picture of a sum never stands alone. */
export function DayChart({ days }: { readonly days: readonly Day[] }) {
  const id = useId();
  const [coin = ""] = coinsOf(days);
  const barOf = ({ volume }: Day) => amountOf(volume, coin);
  const most = days.reduce((largest, day) => largerOf(largest, barOf(day)), "0");
  const step = WIDTH / Math.max(1, days.length);
  return (
    <>
      <p className="chart-top hint">{moneyText(most, coin)}</p>
      <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
        <title id={id}>{`${words.work.home.chart}: ${moneyText(most, coin)}`}</title>
        {days.map((day, index) => {
          const { date } = day;
          const height = Math.max(2, (thousandthsOf(barOf(day), most) / 1_000) * HEIGHT);
          return (
            <rect
              key={date}
              className={isZero(barOf(day)) ? "none" : ""}
              x={index * step}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              rx="2"
            >
              <title>{`${dateText(date, language)}: ${moneyText(barOf(day), coin)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="chart-ends hint">
        <span>{days[0] && dateText(days[0].date, language)}</span>
        <span>{dateText(days.at(-1)?.date ?? new Date().toISOString(), language)}</span>
      </p>
      <DayTable days={days} />
    </>
  );
}

/** The service names every coin of every day. */
function coinsOf([day]: readonly Day[]): readonly string[] {
  return Object.keys(day?.volume ?? {});
}

function amountOf(volume: Readonly<Record<string, string>>, coin: string): string {
  return volume[coin] ?? "0";
}

function DayTable({ days }: { readonly days: readonly Day[] }) {
  const text = words.work.home;
  const withMoney = days.filter(
    ({ orders_paid: paid, volume }) => paid > 0 || !Object.values(volume).every(isZero),
  );
  return (
    <details>
      <summary>{text.chartTable}</summary>
      <Table
        label={text.chart}
        rows={withMoney}
        keyOf={({ date }) => date}
        columns={[
          { name: text.day, cell: ({ date }) => dateText(date, language) },
          { name: text.orders, cell: ({ orders_paid }) => countText(orders_paid), isEnd: true },
          ...coinsOf(days).map((coin) => ({
            name: coin,
            cell: ({ volume }: Day) => moneyText(amountOf(volume, coin), coin),
            isEnd: true,
          })),
        ]}
      />
    </details>
  );
}
