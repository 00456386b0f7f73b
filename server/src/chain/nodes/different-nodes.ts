const OF_THIS_MACHINE = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const THIS_MACHINE = "127.0.0.1";

/**
 * How many nodes these URLs name. Two URLs of one host are one node, whatever their ports and paths are: one operator answers at both.
 * On this machine the port counts too: tests and private chains run several nodes there, each on a port of its own.
 */
export function countDifferentNodes(urls: readonly string[]): number {
  return new Set(urls.map(hostOfNode)).size;
}

/** The first host that two of these URLs name, as {@link countDifferentNodes} counts them; undefined where none does. */
export function repeatedHost(urls: readonly string[]): string | undefined {
  const hosts = urls.map(hostOfNode);
  return hosts.find((host, index) => hosts.indexOf(host) !== index);
}

/** Of the URL only what holds no key: neither its user nor its path. */
function hostOfNode(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  // The dot at the end of a full name names the same host.
  const name = hostname.replace(/\.$/, "");
  if (!OF_THIS_MACHINE.test(name)) return name;
  return `${THIS_MACHINE}:${port || (protocol === "https:" ? "443" : "80")}`;
}
