import ipaddr from "ipaddr.js";

export type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type Range = readonly [network: Address, bits: number];

/** Ranges in CIDR notation. */
export function ranges(...texts: string[]): Range[] {
  return texts.map((text) => ipaddr.parseCIDR(text));
}

/**
 * An address in canonical form; a mapped one (::ffff:0:0/96) becomes its IPv4, as the kernel dials it.
 * Undefined for anything else, including an address with a zone (fe80::1%eth0).
 */
export function parseIp(text: string): Address | undefined {
  if (text.includes("%")) return undefined;
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return undefined;
  return ipaddr.process(text);
}

export function isIn(address: Address, list: readonly Range[]): boolean {
  return list.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/** The first address of a CIDR range. */
export function firstOf(cidr: string): Address {
  return (cidr.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4).networkAddressFromCIDR(cidr);
}

export function rangeOf(address: Address): Range {
  return [address, address.kind() === "ipv4" ? 32 : 128];
}
