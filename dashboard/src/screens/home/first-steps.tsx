import { Link } from "@tanstack/react-router";
import { Section } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";

/** The first steps of a merchant without a payment. */
export function FirstSteps() {
  const { steps, welcome } = words.work.home;
  const rows = [
    { to: "/create-link", name: steps.link, hint: steps.linkHint },
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
