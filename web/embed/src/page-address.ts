/** The paths of a payment page and of a payment link, below the script's own folder. */
const PAGE = /^[cl]\/[\w-]+$/;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * The address of a payment page, to be shown in a frame. `base` is the folder of the script. It names the
 * origin of the shop's page, so that the payment page can answer to this one alone.
 *
 * @throws TypeError that names the rule which the address breaks.
 */
export function pageAddress(text: string, base: URL, shop: string): string {
  const refuse = (rule: string) => new TypeError(`Daric.open: checkoutUrl must ${rule}`);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw refuse("be an absolute URL");
  }
  const { protocol, hostname, pathname } = url;
  const isSecure = protocol === "https:" || (protocol === "http:" && LOOPBACK.test(hostname));
  if (!isSecure) throw refuse("be an https URL");
  if (url.username || url.password) throw refuse("have no user name or password");
  if (url.origin !== base.origin) throw refuse(`be of ${base.origin}`);
  const isBelow = pathname.startsWith(base.pathname);
  if (!isBelow || !PAGE.test(pathname.slice(base.pathname.length)))
    throw refuse("have the path /c/… or /l/…");
  url.searchParams.set("embed", shop);
  return url.href;
}
