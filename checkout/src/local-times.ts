/** Times of day in the zone of the payer's device, in the language of the page and Latin digits; the server, which knows no zone, wrote them in UTC. */
export function showLocalTimes(root: HTMLElement): void {
  const locale = `${root.ownerDocument.documentElement.lang}-u-nu-latn`;
  for (const time of root.querySelectorAll<HTMLTimeElement>("time[data-local]")) {
    time.textContent = new Date(time.dateTime).toLocaleTimeString(locale, {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  }
}
