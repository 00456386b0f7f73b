import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { startTransition, useCallback, useEffect, useRef, useState } from "react";
import { call } from "../api/call.ts";
import { watch } from "../api/live.ts";
import { useRead } from "../api/use-call.ts";
import { useMembership, useSession } from "../session/session-store.ts";
import { Empty } from "../ui/page.tsx";
import { words } from "../words/words.ts";
import { CommandMenu } from "./command-menu.tsx";
import { Navigation } from "./navigation.tsx";
import { mayOpen } from "./pages.ts";
import { ReauthenticationDialog } from "./reauthentication.tsx";
import { SessionEndDialog } from "./session-end.tsx";

/** Where the menu stands beside the page, as the sheet has it. */
const WIDE = "(min-width: 60rem)";
/** The same on every keyboard that has them; a Mac's has Cmd K too. */
const SEARCH_KEYS = "Ctrl K";

/** The frame of every page behind sign-in. */
export function Shell() {
  const [isSearching, setSearching] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isMenuDrawn = useMenuDrawn();
  usePageKeys(setSearching);
  useLive();
  const closeMenu = useCallback(() => setMenuOpen(false), []);
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {words.common.skip}
      </a>
      <Ribbon />
      <header className="bar">
        <button
          type="button"
          className="button plain menu-button"
          aria-expanded={isMenuOpen}
          aria-controls="side"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          {words.shell.menu}
        </button>
        <button
          type="button"
          className="search-button"
          aria-keyshortcuts="Control+K"
          onClick={() => setSearching(true)}
        >
          {words.shell.search} <kbd>{SEARCH_KEYS}</kbd>
        </button>
      </header>
      <aside id="side" aria-label={words.shell.menu} className={`side ${isMenuOpen ? "is-open" : ""}`}>
        {isMenuDrawn && <Navigation onFollow={closeMenu} />}
      </aside>
      <Content />
      {isSearching && <CommandMenu onClose={() => setSearching(false)} />}
      <ReauthenticationDialog />
      <SessionEndDialog />
    </div>
  );
}

/** False until the page is painted where the menu is out of view at first, as on a phone. */
function useMenuDrawn(): boolean {
  const [isDrawn, setDrawn] = useState(() => matchMedia(WIDE).matches);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setDrawn(true)));
    return () => clearTimeout(timer);
  }, []);
  return isDrawn;
}

/** The page. It is made anew for another merchant, so that nothing of the one before stays in view. */
function Content() {
  const membership = useMembership();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const needsMerchant = !/^\/(operator|security)/.test(path);
  const isOperator = useSession()?.person.is_operator ?? false;
  const refused =
    (path.startsWith("/operator") && !isOperator) || (membership !== undefined && !mayOpen(membership, path));
  const main = useRef<HTMLElement>(null);
  const last = useRef(path);
  // A reader hears the other page, and the next stop is in it.
  useEffect(() => {
    if (last.current !== path) main.current?.focus({ preventScroll: true });
    last.current = path;
  }, [path]);
  return (
    <main ref={main} id="content" tabIndex={-1} key={membership?.merchant_id}>
      {membership && <Suspension />}
      {refused ? (
        <Empty title={words.common.noRight} />
      ) : needsMerchant && membership === undefined ? (
        <Empty title={words.shell.noMerchant} hint={words.shell.noMerchantHint} />
      ) : (
        <Outlet />
      )}
    </main>
  );
}

function Suspension() {
  const settings = useRead("GET /dashboard/v1/settings", {});
  if (!settings.data?.suspended_at) return null;
  return <p className="notice">{words.common.suspended}</p>;
}

function Ribbon() {
  const session = useSession();
  if (session?.environment !== "test") return null;
  return (
    <aside className="ribbon" aria-label={words.common.test}>
      <strong>{words.common.test}</strong> · {session.network} · {words.common.testHint}
    </aside>
  );
}

/** Reads again what the service says has changed, of the merchant in view or of the whole service. */
function useLive(): void {
  const client = useQueryClient();
  const merchantId = useMembership()?.merchant_id;
  const isOperatorPage = useRouterState({
    select: ({ location: { pathname } }) => pathname.startsWith("/operator"),
  });
  const isOperator = useSession()?.person.is_operator ?? false;
  const watched = isOperatorPage && isOperator ? undefined : merchantId;
  const isWanted = watched !== undefined || isOperator;
  useEffect(() => {
    if (!isWanted) return undefined;
    // The answer says so if the session has ended.
    const onRefused = () => void call("GET /dashboard/v1/sessions", {}).catch(() => undefined);
    return watch({ client, merchantId: watched, onRefused });
  }, [client, watched, isWanted]);
}

/** Moves the focus from a row of the page's list to the next or the previous one. Enter follows its link by itself. */
function moveBy(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const index = rows.indexOf(document.activeElement as HTMLElement);
  if (index !== -1) rows[index + step]?.focus();
}

/**
 * The keys of every page: Ctrl K or Cmd K opens search and commands. A letter alone acts on a row with the focus and nowhere else,
 * because spoken words are letters too.
 */
function usePageKeys(setSearching: (isSearching: boolean) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (key === "k" && (ctrlKey || metaKey)) {
        event.preventDefault();
        setSearching(true);
      } else if (!(ctrlKey || metaKey || altKey)) moveBy({ j: 1, k: -1 }[key] ?? 0);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [setSearching]);
}
