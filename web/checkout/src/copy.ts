import { announce } from "./announce.ts";
import type { PageTexts } from "./texts.ts";

const SHOWN_MS = 2_000;

/** Makes every `[data-copy]` button, present or future, copy its text and confirm it. */
export function enableCopyButtons(document: Document, texts: PageTexts): void {
  document.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-copy]") : null;
    if (button === null) return;
    const isCopied = await copyText(button.dataset.copy ?? "");
    show(button, isCopied ? texts.copied : texts.selectToCopy);
  });
}

/** The clipboard needs a secure context; over plain http the page selects the text instead. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelection(text);
  }
}

function copySelection(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  try {
    return document.execCommand("copy");
  } finally {
    field.remove();
  }
}

/** Shows the text on the button for a while, and has it read aloud: a button's name is no live region. */
function show(button: HTMLElement, text: string | undefined): void {
  announce(button.ownerDocument, text);
  const label = button.querySelector<HTMLElement>("[data-copy-label]");
  if (text === undefined || label === null || button.dataset.copied !== undefined) return;
  const before = label.textContent;
  button.dataset.copied = "";
  label.textContent = text;
  setTimeout(() => {
    delete button.dataset.copied;
    label.textContent = before;
  }, SHOWN_MS);
}
