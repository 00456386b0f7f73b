import { isUrl } from "@daric/domain/url";
import { type AllowedTargets, isDenied, isOpened, isOwn, withoutRootDot } from "./allowed-targets.ts";
import { type Address, isIn, parseIp, type Range, ranges } from "./ip-ranges.ts";

/** A webhook URL that its text alone allows. A host name still has to be resolved and vetted. */
export type EgressTarget = {
  /** the URL after parsing: the stored and used form */
  readonly href: string;
  /** the host without brackets and without the root dot: an address, or a name in lower case */
  readonly host: string;
  readonly isAddress: boolean;
};

/** The longest accepted URL (service contract, "Limits"), for the text and for its parsed form. */
const MAX_TARGET_LENGTH = 2048;

/**
 * IPv4 that is not global unicast (IANA IPv4 Special-Purpose Address Registry, RFC 6890). Also 168.63.129.16,
 * the platform address inside every Azure network, which no registry lists.
 */
const DENIED_IPV4 = ranges(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
);

/**
 * IPv6 is allowed by list: 2000::/3 is all of global unicast (RFC 4291). So embedded and translated IPv4
 * (::/96, 64:ff9b::/96, ::ffff:0:0:0/96), unique local, link local and multicast are excluded. Inside it,
 * IETF protocol assignments (Teredo among them), documentation and 6to4 are denied.
 */
const ALLOWED_IPV6 = ranges("2000::/3");
const DENIED_IPV6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20");

/** Names that never belong to a public host. `.svc` is Kubernetes' own. */
const SPECIAL_SUFFIXES = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
  "svc",
  "onion",
];

/**
 * Judges a URL by its WHATWG parse, never by its text. The parser folds decimal, octal, hex, short,
 * full-width and percent-encoded IPv4 to the dotted form that would be dialled. Any port is allowed. Returns
 * undefined for a refused URL.
 */
export function parseTarget(text: string, allowed: AllowedTargets): EgressTarget | undefined {
  if (text.length > MAX_TARGET_LENGTH || !isUrl(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return undefined;
  if (url.username !== "" || url.password !== "" || url.href.length > MAX_TARGET_LENGTH) return undefined;
  const host = withoutRootDot(url.hostname.replace(/^\[(.*)\]$/, "$1"));
  const isAddress = parseIp(host) !== undefined;
  const isGood = isAddress ? isAllowedAddress(host, allowed) : isAllowedName(host, allowed);
  return isGood ? { href: url.href, host, isAddress } : undefined;
}

/**
 * Whether this address may be dialled for a host of this name: a public one of another machine, or an allowed
 * one, unless denied. Without a name the address is its own host.
 */
export function isAllowedAddress(text: string, allowed: AllowedTargets, name?: string): boolean {
  const address = parseIp(text);
  if (address === undefined || isDenied(address, allowed, name)) return false;
  return isOpened(address, allowed, name) || (isPublic(address) && !isOwn(address, allowed));
}

/** The part of a range that is public without an exception. */
export function publicPartOf([network, bits]: Range): "all" | "some" | "none" {
  const meets = (list: readonly Range[]) =>
    list.some((range) => isIn(network, [range]) || isIn(range[0], [[network, bits]]));
  const lies = (list: readonly Range[]) => list.some((range) => range[1] <= bits && isIn(network, [range]));
  if (network.kind() === "ipv4") {
    if (lies(DENIED_IPV4)) return "none";
    return meets(DENIED_IPV4) ? "some" : "all";
  }
  if (!meets(ALLOWED_IPV6) || lies(DENIED_IPV6)) return "none";
  return lies(ALLOWED_IPV6) && !meets(DENIED_IPV6) ? "all" : "some";
}

function isAllowedName(host: string, allowed: AllowedTargets): boolean {
  if (allowed.denied.names.has(host)) return false;
  if (allowed.names.has(host)) return true;
  const isSpecial = SPECIAL_SUFFIXES.some((suffix) => host === suffix || host.endsWith(`.${suffix}`));
  return !isSpecial && host.includes(".") && host.split(".").every((label) => label !== "");
}

function isPublic(address: Address): boolean {
  if (address.kind() === "ipv4") return !isIn(address, DENIED_IPV4);
  return isIn(address, ALLOWED_IPV6) && !isIn(address, DENIED_IPV6);
}
