import { useChange, useRead } from "../../api/use-call.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded, Section } from "../../ui/page.tsx";
import { Ago } from "../../ui/show.tsx";
import { words } from "../../words/words.ts";

const LIST = "GET /dashboard/v1/sessions";

/** Every browser in which the person is signed in. */
export function Sessions() {
  const list = useRead(LIST, {});
  const endOthers = useChange("POST /dashboard/v1/sessions/end-others", [LIST]);
  const end = useChange("DELETE /dashboard/v1/sessions/{id}", [LIST]);
  const text = words.signIn.security;
  const others = (
    <Button isBusy={endOthers.isPending} onClick={() => endOthers.mutate({})}>
      {text.endOthers}
    </Button>
  );
  return (
    <Section title={text.sessions} actions={others}>
      <p role="status">{endOthers.data && text.ended({ count: endOthers.data.ended })}</p>
      <Loaded from={list}>
        {(rows) => (
          <ul className="lines">
            {rows.map(({ id, user_agent, address, seen_at, is_current }) => (
              <li key={id}>
                <span>{browserOf(user_agent)}</span>
                <span className="hint">
                  {address} · <Ago at={seen_at} />
                </span>
                {is_current ? (
                  <strong>{text.thisOne}</strong>
                ) : (
                  <Button kind="quiet" isBusy={end.isPending} onClick={() => end.mutate({ path: { id } })}>
                    {text.endSession}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

const BROWSERS = ["Firefox", "Edg", "OPR", "Chrome", "Safari"];
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac OS", "Linux"];

/** The browser and the system out of what the browser says of itself. */
function browserOf(userAgent: string | null): string {
  const find = (names: readonly string[]) => names.find((name) => userAgent?.includes(name));
  return [find(BROWSERS), find(SYSTEMS)].filter(Boolean).join(", ") || "–";
}
