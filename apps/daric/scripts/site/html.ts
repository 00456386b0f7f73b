/** Text as it stands in markup, between tags and between double quotes. */
export function asMarkup(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** A name of the contract as a part of an address: `DepositAddress` and `ORDER_CLOSED` become kebab-case. */
export function kebab(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1-$2");
  return words.toLowerCase().replace(/[_. ]+/g, "-");
}

/** The anchor of a heading, by the rule of the sites that show Markdown. */
export function anchorOf(heading: string): string {
  const kept = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
  return kept.trim().replace(/\s/g, "-");
}

/** A block of code that is read by scrolling where it is wider than its page. */
export function codeBlock(code: string, label = "Code"): string {
  return `<pre tabindex="0" role="group" aria-label="${asMarkup(label)}"><code>${asMarkup(code)}</code></pre>\n`;
}

/** A value of the contract as JSON that people read. */
export function jsonBlock(value: unknown, label: string): string {
  return codeBlock(JSON.stringify(value, null, 2), label);
}

/** Where a page of the site is as Markdown. */
export function plainPathOf(path: string): string {
  return `${path}.md`;
}
