import { useEffect } from "react";

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
export function usePageKeys(openCommands: () => void): void {
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
