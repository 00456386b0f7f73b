import { useEffect, useState } from "react";
import { words } from "../words/words.ts";
import { Said } from "./said.tsx";

/** How long the button says that it copied. */
const SAID_MS = 2_000;

type Props = { readonly text: string; readonly label?: string; readonly kind?: "icon" | "button" };

/** Copies a text, and says so. */
export function CopyButton({ text, label = words.common.copy, kind = "icon" }: Props) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SAID_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  const note = isCopied && words.common.copied;
  const said = note || label;
  const isIcon = kind === "icon";
  return (
    <>
      <button
        type="button"
        className={isIcon ? "copy" : "button plain"}
        aria-label={isIcon ? `${said} ${shorten(text)}` : undefined}
        title={isIcon ? said : undefined}
        onClick={() => void copy()}
      >
        {isIcon ? <CopyIcon isDone={isCopied} /> : said}
        {isIcon && note}
      </button>
      <Said>{note}</Said>
    </>
  );
}

function CopyIcon({ isDone }: { readonly isDone: boolean }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className="icon">
      {isDone ? <path d="m3 8.5 3.2 3L13 4.5" /> : <path d="M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2" />}
    </svg>
  );
}

const SHOWN = 24;

function shorten(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`;
}

/** A text of the machine with its copy button: an address, a transaction, a key. */
export function Code({ text, isShort = false }: { readonly text: string; readonly isShort?: boolean }) {
  return (
    <span className="code">
      <code title={text} className={isShort ? "is-short" : ""}>
        {isShort ? ends(text) : text}
      </code>
      <CopyButton text={text} />
    </span>
  );
}

const KEPT = 6;

/** The beginning and the end of a long text, which are what people compare. */
export function ends(text: string): string {
  return text.length <= 2 * KEPT + 1 ? text : `${text.slice(0, KEPT)}…${text.slice(-KEPT)}`;
}

/** A secret, shown once, with its button to copy. */
export function Secret({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="secret">
      <p className="label">{label}</p>
      <pre>{text}</pre>
      <CopyButton text={text} kind="button" />
      <p className="hint">{words.common.onlyOnce}</p>
    </div>
  );
}
