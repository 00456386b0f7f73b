import { type ReactNode, useEffect, useId, useRef } from "react";
import { words } from "../words/words.ts";

type Props = {
  readonly title: string;
  readonly onClose: () => void;
  /** hides the page beneath */
  readonly isOpaque?: boolean;
  readonly children: ReactNode;
};

/** A modal dialog of the browser: it holds the focus, Escape closes it, and the focus returns. */
export function Dialog({ title, onClose, isOpaque = false, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    if (element?.open === false) element.showModal();
    // The first field, rather than the button that closes the dialog.
    element?.querySelector<HTMLElement>("input, select, textarea")?.focus();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isOpaque ? "is-opaque" : ""}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <button type="button" className="icon-button" aria-label={words.common.close} onClick={onClose}>
          ×
        </button>
      </header>
      {children}
    </dialog>
  );
}
