const OF_THIS_MACHINE = /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const THIS_MACHINE = "127.0.0.1";

/** URLs of one host are one node, because one operator runs it. On this machine ports count, for tests and private chains. */
export function countDifferentNodes(urls: readonly string[]): number {
  return new Set(urls.map(hostOfNode)).size;
}

export function repeatedHost(urls: readonly string[]): string | undefined {
  const hosts = urls.map(hostOfNode);
  return hosts.find((host, index) => hosts.indexOf(host) !== index);
}

/** Only the host: user and path may hold a key. */
function hostOfNode(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  // A trailing dot names the same host.
  const name = hostname.replace(/\.$/, "");
  if (!OF_THIS_MACHINE.test(name)) return name;
  return `${THIS_MACHINE}:${port || (protocol === "https:" ? "443" : "80")}`;
}
