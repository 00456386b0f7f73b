import ipaddr from "ipaddr.js";
import type { ApiApp } from "./api-app.ts";

/** 0.0.0.0/8 is never a source address (RFC 1122, 3.2.1.3). */
const UNSPECIFIED_BITS = 8;

/** The fault of a trusted-proxy entry, to follow it; undefined if it is valid. */
export function faultOfProxy(entry: string): string | undefined {
  if (/[;\s]/.test(entry)) return "is more than one entry: put commas between";
  const [text = "", bits, more] = entry.split("/");
  const address = parse(text);
  if (address === undefined || more !== undefined)
    return "is neither an address nor a CIDR like 10.0.0.0/8: name the address that the proxy connects from";
  const max = address.kind() === "ipv4" ? 32 : 128;
  if (bits !== undefined && !(/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= max))
    return `does not end in a number from /1 to /${max}`;
  const length = Number(bits ?? max);
  if (length === 0) return "is every address: any client could choose its own";
  if (bits !== undefined && address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress())
    return "maps IPv4: write the IPv4 range";
  return isUnspecified(address, length) ? "is no source address" : undefined;
}

/**
 * The widest network of one owner: 10.0.0.0/8 (RFC 1918), fc00::/7 (RFC 4193), and a registry's share of
 * public IPv6.
 */
const WIDEST = { ipv4: 8, private: 7, ipv6: 16 };

/** Whether an entry is wider than any network of one owner, so probably a mistake. */
export function isTooWideForProxy(entry: string): boolean {
  const [text = "", bits] = entry.split("/");
  const address = parse(text);
  if (address === undefined || bits === undefined) return false;
  if (address.kind() === "ipv4") return Number(bits) < WIDEST.ipv4;
  return Number(bits) < (address.range() === "uniqueLocal" ? WIDEST.private : WIDEST.ipv6);
}

/** Returns a test for the addresses of these proxies; each entry passed {@link faultOfProxy}. */
export function proxyMatcher(entries: readonly string[]): (address: string) => boolean {
  const ranges = entries.map((entry) => {
    const [address = "", bits = 128] = entry.split("/");
    const [network, length] = [ipaddr.process(address), Number(bits)];
    return { network, length: network.kind() === "ipv4" ? Math.min(length, 32) : length };
  });
  return (text) => {
    if (ranges.length === 0 || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(
      ({ network, length }) => network.kind() === address.kind() && address.match(network, length),
    );
  };
}

/**
 * Rewrites X-Forwarded-For to plain addresses before anything reads it: some proxies write a port or brackets beside an address.
 * An entry that is no address is cut with all entries before it, which may be the client's invention. The request then counts as
 * its proxy's own. `onJunk` gets the first such entry.
 */
export function cleanForwardedFor(app: ApiApp, onJunk: (entry: string) => void): void {
  let isReported = false;
  app.addHook("onRequest", ({ headers }, _reply, done) => {
    const sent = headers[FORWARDED_FOR];
    if (sent === undefined) return done();
    const { addresses, junk } = readForwarded(String(sent));
    if (addresses.length === 0) delete headers[FORWARDED_FOR];
    else headers[FORWARDED_FOR] = addresses.join(", ");
    if (junk !== undefined && !isReported) onJunk(junk);
    isReported ||= junk !== undefined;
    done();
  });
}

const FORWARDED_FOR = "x-forwarded-for";

/** The addresses behind the last entry that is none, without ports and brackets, and that entry. */
export function readForwarded(header: string): { addresses: string[]; junk?: string } {
  const addresses: string[] = [];
  for (const entry of header.split(",").toReversed()) {
    const text = entry.trim();
    const address = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d{1,5}$/, "$1");
    if (parse(address) === undefined) return { addresses, junk: text };
    addresses.unshift(address);
  }
  return { addresses };
}

/** Only the full spelling: parsers disagree on 127.1 and 0x7f.1. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (text.includes("%")) return undefined;
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
  return isAddress ? ipaddr.parse(text) : undefined;
}

function isUnspecified(address: ipaddr.IPv4 | ipaddr.IPv6, length: number): boolean {
  const range = address.range();
  if (range === "multicast") return length >= (address.kind() === "ipv4" ? 4 : 8);
  return range === "unspecified" && length >= (address.kind() === "ipv4" ? UNSPECIFIED_BITS : 128);
}
