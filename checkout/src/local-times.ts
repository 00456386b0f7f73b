/**
 * Shows times in the device's zone, in the page's language and Latin digits; the server, which does not know
 * the zone, wrote UTC.
 */
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
