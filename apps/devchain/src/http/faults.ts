import type { HttpAnswer } from "./http-server.ts";

/** A false payment of a transaction, and the part of it that balances include from its block on; millionths. */
export type Arrival = {
  readonly txId: string;
  /** 21-byte hex, like every address here */
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly held: bigint;
};

/** A false response of this node. The chain itself stays correct. */
export type Fault =
  | (Arrival & { readonly kind: "log"; readonly contract: string })
  | (Arrival & { readonly kind: "internal"; readonly rejected: boolean })
  | { readonly kind: "status"; readonly path: string; readonly status: number }
  | { readonly kind: "body"; readonly path: string; readonly body: string }
  | { readonly kind: "delay"; readonly path: string; readonly delayMs: number }
  | { readonly kind: "height"; readonly path: string; readonly by: number }
  /** removes the infos of these transactions, or of all without a list */
  | { readonly kind: "infos"; readonly path: string | undefined; readonly drop: readonly string[] }
  | { readonly kind: "solid"; readonly back: number | "head" }
  /** the node's head stays at this block */
  | { readonly kind: "still"; readonly at: number }
  /** the node ran without `vm.saveInternalTx` from this block to that one */
  | { readonly kind: "internals"; readonly from: number; readonly to: number }
  /** the node hides the logs and the internal transactions of this transaction */
  | { readonly kind: "hidden"; readonly txId: string };

export type FaultOf<Kind extends Fault["kind"]> = Extract<Fault, { readonly kind: Kind }>;

/**
 * The active faults in order. `changed` counts the responses that a fault has affected, `left` those that it still
 * will.
 */
export type Faults = { changed: number; left: number; readonly given: object; readonly fault: Fault }[];

/** Endpoints with responses of a certain height. */
const OF_HEIGHT: readonly string[] = [
  "getnowblock",
  "getblock",
  "getblockbynum",
  "gettransactioninfobyblocknum",
];

export function isOfHeight(path: string): boolean {
  return OF_HEIGHT.includes(path.split("/").at(-1) ?? "");
}

/** The final response: its status, text and delay. */
export function falsifyAnswer(faults: Faults, path: string, answer: HttpAnswer): HttpAnswer {
  const fits = (fault: { readonly path: string }) => fault.path === path;
  const [{ status } = answer] = takeFaults(faults, "status", fits);
  const [{ body } = answer] = takeFaults(faults, "body", fits);
  const [{ delayMs } = { delayMs: 0 }] = takeFaults(faults, "delay", fits);
  return { status, body, delayMs };
}

/** Returns the matching faults of a kind that are not used up, and counts a use. */
export function takeFaults<Kind extends Fault["kind"]>(
  faults: Faults,
  kind: Kind,
  fits: (fault: FaultOf<Kind>) => boolean,
): FaultOf<Kind>[] {
  const found: FaultOf<Kind>[] = [];
  for (const active of faults) {
    const { fault } = active;
    if (active.left === 0 || !isOf(fault, kind) || !fits(fault)) continue;
    active.left -= 1;
    active.changed += 1;
    found.push(fault);
  }
  return found;
}

function isOf<Kind extends Fault["kind"]>(fault: Fault, kind: Kind): fault is FaultOf<Kind> {
  return fault.kind === kind;
}
