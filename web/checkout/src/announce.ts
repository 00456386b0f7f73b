/** Makes a screen reader say this text once, after its current one. */
export function announce(document: Document, text: string | undefined): void {
  const announcement = document.getElementById("announcement");
  if (announcement !== null && text) announcement.textContent = text;
}
