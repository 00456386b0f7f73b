import { useRead } from "../../api/use-call.ts";
import { Loaded, Page, Section } from "../../ui/page.tsx";
import { words } from "../../words/words.ts";
import { Tree } from "./tree.tsx";
import { WorstEndpoints } from "./worst-endpoints.tsx";

const LIVE_MS = 5_000;

/** How the service is, section by section. */
export function OverviewPage() {
  const overview = useRead("GET /dashboard/v1/operator/overview", {}, { everyMs: LIVE_MS });
  const text = words.operator;
  return (
    <Page title={text.title} hint={text.hint}>
      <Loaded from={overview}>
        {(found) => (
          <>
            {Object.entries(found).map(([name, value]) => (
              <Section key={name} title={text.sections[name] ?? name}>
                <Tree value={value} />
              </Section>
            ))}
          </>
        )}
      </Loaded>
      <WorstEndpoints />
    </Page>
  );
}
