import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { memo } from "react";
import { call, pageContext } from "../api/call.ts";
import { useRead } from "../api/use-call.ts";
import { chooseMerchant, setSession, useMay, useMembership, useSession } from "../session/session-store.ts";
import { LanguageSelect } from "../ui/language-select.tsx";
import { words } from "../words/words.ts";
import { merchantPages, operatorPages, type PageGroup } from "./pages.ts";

/** How often the number at the inbox is read. */
const INBOX_MS = 30_000;

/** The pages of the chosen merchant, and of the operator. It is not drawn again where the menu only opens. */
export const Navigation = memo(function Navigation({ onFollow }: { readonly onFollow: () => void }) {
  const session = useSession();
  const membership = useMembership();
  const groups = [...merchantPages(membership), ...operatorPages(session?.person.is_operator ?? false)];
  return (
    <>
      <MerchantSwitch />
      <nav aria-label={words.shell.navigation}>
        {groups.map((group, index) => (
          <Group key={group.title ?? index} group={group} onFollow={onFollow} />
        ))}
      </nav>
      <Own onFollow={onFollow} />
    </>
  );
});

function Group({ group, onFollow }: { readonly group: PageGroup; readonly onFollow: () => void }) {
  return (
    <>
      {group.title && <p className="nav-title">{group.title}</p>}
      <ul>
        {group.links.map(({ to, name }) => (
          <li key={to}>
            <Link
              className="nav-link"
              to={to}
              activeOptions={{ exact: to === "/" || to === "/operator" }}
              onClick={onFollow}
            >
              {name}
              {to === "/inbox" && <InboxCount />}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

const MAX_SHOWN = 99;

function InboxCount() {
  const everyMs = INBOX_MS;
  const isWanted = useMay("refunds:read");
  const { data } = useRead("GET /dashboard/v1/inbox", {}, { everyMs });
  const refunds = useRead("GET /dashboard/v1/inbox/refunds", {}, { everyMs, isWanted });
  const count = (data?.length ?? 0) + (refunds.data?.length ?? 0);
  if (count === 0) return null;
  return <span className="count">{count <= MAX_SHOWN ? count : `${MAX_SHOWN}+`}</span>;
}

function MerchantSwitch() {
  const session = useSession();
  const navigate = useNavigate();
  const membership = useMembership();
  const memberships = session?.memberships ?? [];
  if (membership === undefined) return <p className="merchant">{words.common.product}</p>;
  if (memberships.length === 1) return <p className="merchant">{membership.merchant_name}</p>;
  return (
    <select
      className="merchant"
      aria-label={words.shell.merchant}
      value={pageContext.merchantId}
      onChange={(event) => {
        chooseMerchant(event.target.value);
        void navigate({ to: "/" });
      }}
    >
      {memberships.map(({ merchant_id, merchant_name }) => (
        <option key={merchant_id} value={merchant_id}>
          {merchant_name}
        </option>
      ))}
    </select>
  );
}

function Own({ onFollow }: { readonly onFollow: () => void }) {
  const session = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const signOut = async () => {
    await call("POST /dashboard/v1/sign-out", {}).catch(() => undefined);
    client.clear();
    setSession(undefined);
    await navigate({ to: "/sign-in", search: {} });
  };
  return (
    <div className="own">
      <Link className="nav-link" to="/security" onClick={onFollow}>
        {session?.person.name || session?.person.email}
      </Link>
      <a className="nav-link" href="/docs">
        {words.shell.docs}
      </a>
      <button type="button" className="nav-link" onClick={() => void signOut()}>
        {words.signIn.signOut}
      </button>
      <LanguageSelect />
    </div>
  );
}
