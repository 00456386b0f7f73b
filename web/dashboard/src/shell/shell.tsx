import { useQueryClient } from "@tanstack/react-query";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { startTransition, useCallback, useEffect, useState } from "react";
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

/** The frame of every page behind sign-in. */
export function Shell() {
  const [isSearching, setSearching] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const isMenuDrawn = useMenuDrawn();
  const openCommands = useCallback(() => setSearching(true), []);
  usePageKeys(openCommands);
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
          aria-keyshortcuts="/ Control+K"
          onClick={openCommands}
        >
          {words.shell.search} <kbd>/</kbd>
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
  return (
    <main id="content" tabIndex={-1} key={membership?.merchant_id}>
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

/** Whether a key belongs to the element that has the focus and not to the page. */
function isTyping({ target }: KeyboardEvent): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** Moves the focus to the next or the previous row of the page's list. Enter follows its link by itself. */
function moveBy(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
  const index = rows.indexOf(document.activeElement as HTMLElement);
  const next = index === -1 ? rows[step === 1 ? 0 : rows.length - 1] : rows[index + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

/** The keys of every page: j and k move in a list, / searches, Ctrl K or Cmd K opens the commands. */
function usePageKeys(openCommands: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isCommand = event.key === "k" && (event.ctrlKey || event.metaKey);
      if (isCommand || (event.key === "/" && !isTyping(event))) {
        event.preventDefault();
        return openCommands();
      }
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (event.key === "j") moveBy(1);
      if (event.key === "k") moveBy(-1);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [openCommands]);
}
