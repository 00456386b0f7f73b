import type { Overview, SettlingStatus } from "../../api/operator-operations.ts";
import { moneyText } from "../../format/amount.ts";
import { spanText } from "../../format/time.ts";
import { Section } from "../../ui/page.tsx";
import { type Fact, Facts } from "../../ui/show.tsx";
import { language, words } from "../../words/words.ts";

/** Transfers to merchants' wallets that are under way, and what they cost. */
export function Sweeps({ sweeps, settlement }: Pick<Overview, "sweeps" | "settlement">) {
  const text = words.operator;
  const { faults = [], accounts = null } = settlement ?? {};
  const open = sweeps.open.filter(({ count }) => count > 0);
  return (
    <Section title={text.settlement}>
      {faults.map((fault) => (
        <p key={fault} className="hint">
          {fault}
        </p>
      ))}
      {open.length === 0 && <p className="hint">{text.noSweeps}</p>}
      <Facts
        rows={[
          ...(accounts === null ? [] : accountFacts(accounts)),
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

/** A signer that says nothing for longer does not run. */
const SILENT_SECONDS = 60;

function accountFacts({
  gas,
  is_gas_low,
  stake,
  signer_silent_seconds: silent,
}: NonNullable<SettlingStatus["accounts"]>): Fact[] {
  const text = words.operator;
  const signer = (seconds: number) =>
    seconds <= SILENT_SECONDS ? text.ok : text.signerSilent(spanText(seconds, language));
  return [
    [text.gasWallet, `${moneyText(gas, "TRX")}${is_gas_low ? ` · ${text.gasLow}` : ""}`],
    stake !== null && [text.stakePays, `${stake.loans} · ${moneyText(stake.free, "TRX")}`],
    silent !== null && [text.signer, signer(silent)],
  ];
}
