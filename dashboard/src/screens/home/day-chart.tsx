import { useId } from "react";
import type { Day } from "../../api/work-operations.ts";
import { isZero, largerOf, moneyText, thousandthsOf } from "../../format/amount.ts";
import { dateText } from "../../format/time.ts";
import { Table } from "../../ui/table.tsx";
import { language, words } from "../../words/words.ts";

const WIDTH = 720;
const HEIGHT = 140;
const GAP = 4;

/** Bars of thirty days, and the same figures as a table: a picture of a sum never stands alone. */
export function DayChart({ days }: { readonly days: readonly Day[] }) {
  const id = useId();
  const most = days.reduce((largest, { volume }) => largerOf(largest, volume.USDT), "0");
  const step = WIDTH / Math.max(1, days.length);
  return (
    <>
      <p className="chart-top hint">{moneyText(most, "USDT")}</p>
      <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
        <title id={id}>{`${words.work.home.chart}: ${moneyText(most, "USDT")}`}</title>
        {days.map(({ date, volume }, index) => {
          const height = Math.max(2, (thousandthsOf(volume.USDT, most) / 1_000) * HEIGHT);
          return (
            <rect
              key={date}
              className={isZero(volume.USDT) ? "none" : ""}
              x={index * step}
              y={HEIGHT - height}
              width={step - GAP}
              height={height}
              rx="2"
            >
              <title>{`${dateText(date, language)}: ${moneyText(volume.USDT, "USDT")}`}</title>
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

function DayTable({ days }: { readonly days: readonly Day[] }) {
  const text = words.work.home;
  const withMoney = days.filter(
    ({ orders_paid: paid, volume }) => paid > 0 || !isZero(volume.USDT) || !isZero(volume.TRX),
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
          { name: text.orders, cell: ({ orders_paid }) => orders_paid, isEnd: true },
          { name: "USDT", cell: ({ volume }) => moneyText(volume.USDT, "USDT"), isEnd: true },
          { name: "TRX", cell: ({ volume }) => moneyText(volume.TRX, "TRX"), isEnd: true },
        ]}
      />
    </details>
  );
}
