import { networkInterfaces } from "node:os";
import { isUrl } from "@daric/domain/url";
import { type Address, firstOf, isIn, parseIp, type Range, rangeOf, ranges } from "./ip-ranges.ts";

/** The settings of allowed and denied targets, as text. */
export type TargetSettings = {
  readonly allowTargets: readonly string[];
  readonly denyTargets: readonly string[];
};

/** Hosts and addresses of the operator's lists. */
type NamedTargets = {
  readonly names: ReadonlySet<string>;
  readonly ranges: readonly Range[];
};

/** The operator's exceptions: allowed private targets, and denied targets. */
export type AllowedTargets = NamedTargets & {
  /** refused, even if public or allowed */
  readonly denied: NamedTargets;
  /** the current addresses of this machine, which count as private */
  readonly ownAddresses: () => readonly string[];
};

/** The current addresses of this machine's interfaces. */
export function readOwnAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address),
  );
}

/**
 * Link-local addresses (RFC 3927, RFC 4291) are where clouds serve the machine's credentials. Only a range of
 * their own opens them, no wider range and no host name.
 */
const LINK_LOCAL = ranges("169.254.0.0/16", "fe80::/10");

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i;
/** URLs parse a host that ends in one as IPv4. */
const NUMBER = /^(\d+|0x[\da-f]*)$/i;

/**
 * Parses the settings of allowed and denied targets. An entry is a CIDR, an address or a host name; names
 * match exactly. An invalid entry has no effect.
 */
export function readAllowedTargets(
  settings: TargetSettings,
  ownAddresses: () => readonly string[] = readOwnAddresses,
): AllowedTargets {
  const { allowTargets, denyTargets } = settings;
  return { ...readTargets(allowTargets), denied: readTargets(denyTargets), ownAddresses };
}

function readTargets(entries: readonly string[]): NamedTargets {
  const targets = entries.map(readTarget);
  return {
    names: new Set(targets.flatMap((target) => ("name" in target ? [target.name] : []))),
    ranges: targets.flatMap((target) => ("range" in target ? [target.range] : [])),
  };
}

/** The range that an entry opens; undefined for a name. */
export function rangeOfTarget(entry: string): Range | undefined {
  const target = readTarget(entry);
  return "range" in target ? target.range : undefined;
}

/** The fault of an entry, with a correction; undefined if it is valid. */
export function faultOfTarget(entry: string): string | undefined {
  const target = readTarget(entry);
  return "fault" in target ? target.fault : undefined;
}

/** Whether the operator allowed this address, by range or, unless it is link-local, by host name. */
export function isOpened(address: Address, allowed: AllowedTargets, name?: string): boolean {
  const linkLocal = LINK_LOCAL.find((range) => isIn(address, [range]));
  if (linkLocal) return allowed.ranges.some((range) => range[1] >= linkLocal[1] && isIn(address, [range]));
  return isIn(address, allowed.ranges) || (name !== undefined && allowed.names.has(name));
}

/** Whether the operator denied this address, by range or by host name. */
export function isDenied(address: Address, { denied }: AllowedTargets, name?: string): boolean {
  return isIn(address, denied.ranges) || (name !== undefined && denied.names.has(name));
}

/** Whether this address belongs to this machine now. */
export function isOwn(address: Address, { ownAddresses }: Pick<AllowedTargets, "ownAddresses">): boolean {
  const own = ownAddresses().flatMap((text) => parseIp(text) ?? []);
  return isIn(address, own.map(rangeOf));
}

/** Whether the range contains an address of this machine: that address is private. */
export function holdsOwn(range: Range): boolean {
  return readOwnAddresses().some((text) => {
    const address = parseIp(text);
    return address !== undefined && isIn(address, [range]);
  });
}

type Target = { readonly range: Range } | { readonly name: string } | { readonly fault: string };

function readTarget(entry: string): Target {
  const address = parseIp(entry);
  if (address) return { range: rangeOf(address) };
  if (/^[^/]*\/\d+$/.test(entry)) return readRange(entry);
  if (isHostName(entry)) return { name: withoutRootDot(entry.toLowerCase()) };
  return { fault: faultOfText(entry) };
}

function readRange(cidr: string): Target {
  const [text = "", length = ""] = cidr.split("/");
  const network = parseIp(text);
  if (network === undefined) return { fault: "does not start with an address like 10.0.0.0 or fd00::" };
  const bits = Number(length);
  // Mapped addresses are compared as IPv4, so a mapped range would never match.
  if (network.kind() === "ipv4" && text.includes(":"))
    return { fault: `maps IPv4: write ${network}/${Math.max(0, bits - 96)}` };
  const maxBits = rangeOf(network)[1];
  if (bits > maxBits || String(bits) !== length)
    return { fault: `does not end in a number from /0 to /${maxBits}` };
  const first = firstOf(cidr).toString();
  if (first !== network.toString())
    return { fault: `starts inside its range: write ${first}/${bits} or ${network}` };
  return { range: [network, bits] };
}

function faultOfText(entry: string): string {
  if (/[;\s]/.test(entry)) return "is more than one entry: put commas between";
  if (entry.includes("*")) return "has a wildcard: write each host name in full";
  const url = entry.includes("://") ? entry : `http://${entry}`;
  const host = isUrl(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, "$1") : "";
  if (parseIp(host) || isHostName(host)) return `is not a host alone, which has any port: write ${host}`;
  return "is neither a CIDR like 10.0.0.0/8 nor an address nor a host name";
}

function isHostName(text: string): boolean {
  const labels = withoutRootDot(text).split(".");
  return labels.every((label) => LABEL.test(label)) && !NUMBER.test(labels.at(-1) ?? "");
}

/** The root dot has no meaning: `example.com.` is `example.com`. */
export function withoutRootDot(host: string): string {
  return host.endsWith(".") ? host.slice(0, -1) : host;
}
