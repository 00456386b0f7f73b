/** Has a screen reader say this, once, when it has said what it is at. */
export function announce(document: Document, text: string | undefined): void {
  const announcement = document.getElementById("announcement");
  if (announcement !== null && text) announcement.textContent = text;
}
