/** Why there is no place, or how to give back the one that was taken. */
export type SocketSlot = { readonly isFull: "token" | "address" | "all" } | { readonly release: () => void };

type Caps = {
  readonly perToken: number;
  readonly perAddress: number;
  readonly inAll: number;
};

/** How many sockets there are of each token, from each address and in all; none is taken beyond the caps. */
export function createConnectionLimits(caps: Caps): (token: string, address: string) => SocketSlot {
  const ofToken = new Map<string, number>();
  const ofAddress = new Map<string, number>();
  let all = 0;

  return (token, address) => {
    if (all >= caps.inAll) return { isFull: "all" };
    if ((ofToken.get(token) ?? 0) >= caps.perToken) return { isFull: "token" };
    if ((ofAddress.get(address) ?? 0) >= caps.perAddress) return { isFull: "address" };
    add(ofToken, token, 1);
    add(ofAddress, address, 1);
    all += 1;
    return {
      release: () => {
        add(ofToken, token, -1);
        add(ofAddress, address, -1);
        all -= 1;
      },
    };
  };
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
