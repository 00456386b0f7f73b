import type { Overview } from "../../api/operator-operations.ts";
import { moneyText } from "../../format/amount.ts";
import { spanText } from "../../format/time.ts";
import { Section } from "../../ui/page.tsx";
import { Facts } from "../../ui/show.tsx";
import { language, words } from "../../words/words.ts";

/** Transfers to merchants' wallets that are under way, and what they cost. */
export function Sweeps({ sweeps }: Pick<Overview, "sweeps">) {
  const text = words.operator;
  const open = sweeps.open.filter(({ count }) => count > 0);
  return (
    <Section title={text.settlement}>
      {open.length === 0 && <p className="hint">{text.noSweeps}</p>}
      <Facts
        rows={[
          ...open.map(
            ({ status, count, oldest_seconds }) =>
              [
                text.sweeps[status] ?? status,
                `${count} · ${text.oldest} ${spanText(oldest_seconds, language)}`,
              ] as const,
          ),
          sweeps.held.length > 0 && [text.held, String(sweeps.held.length)],
          [text.gas, moneyText(sweeps.gas_of_week, "TRX")],
        ]}
      />
    </Section>
  );
}
