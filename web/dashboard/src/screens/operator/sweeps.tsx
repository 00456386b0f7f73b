import type { Overview, SettlingStatus } from "../../api/operator-operations.ts";
import { moneyText } from "../../format/amount.ts";
import { spanText } from "../../format/time.ts";
import { Code } from "../../ui/copy.tsx";
import { Section } from "../../ui/page.tsx";
import { Badge, type Fact, Facts } from "../../ui/show.tsx";
import { language, operatorWords } from "../../words/words.ts";
import { flagged } from "./flagged.tsx";

/** A sweep moves on within minutes, unless it waits for a price, an operator or a later time. */
const STUCK_SECONDS = 1_800;
const HELD = ["WAITING", "RETRY", "FROZEN"];

/** Transfers to merchants' wallets that are under way, and what they cost. */
export function Sweeps({ sweeps, settlement }: Pick<Overview, "sweeps" | "settlement">) {
  const text = operatorWords;
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
                flagged(
                  HELD.includes(status) ? status === "FROZEN" : oldest_seconds > STUCK_SECONDS,
                  `${count} · ${text.oldest} ${spanText(oldest_seconds, language)}`,
                ),
              ] as const,
          ),
          [text.gas, moneyText(sweeps.gas_of_week, "TRX")],
        ]}
      />
      {sweeps.held.length > 0 && <HeldSweeps held={sweeps.held} />}
    </Section>
  );
}

/** Money that waits for a price, an operator or a later time, with the reason. */
function HeldSweeps({ held }: { readonly held: Overview["sweeps"]["held"] }) {
  const text = operatorWords;
  return (
    <details>
      <summary>
        {text.held}: {held.length}
      </summary>
      <ul className="lines">
        {held.map(({ address, currency, amount, status, reason }) => (
          <li key={`${address} ${currency} ${status}`}>
            <Badge tone={status === "FROZEN" ? "bad" : "quiet"}>{text.sweeps[status] ?? status}</Badge>
            <span>{moneyText(amount, currency)}</span>
            <Code text={address} />
            {reason !== null && (
              <span className="hint" dir="auto">
                {reason}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
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
  const text = operatorWords;
  const signer = (seconds: number) =>
    seconds <= SILENT_SECONDS ? text.ok : text.signerSilent({ span: spanText(seconds, language) });
  return [
    [text.gasWallet, flagged(is_gas_low, `${moneyText(gas, "TRX")}${is_gas_low ? ` · ${text.gasLow}` : ""}`)],
    stake !== null && [
      text.stakePays,
      flagged(stake.loans === 0, `${stake.loans} · ${moneyText(stake.free, "TRX")}`),
    ],
    silent !== null && [text.signer, flagged(silent > SILENT_SECONDS, signer(silent))],
  ];
}
