import type { HttpAnswer } from "./http-server.ts";

/** Money that is told to have come with a transaction, and how much of it balances hold from its block on; millionths. */
export type Arrival = {
  readonly txId: string;
  /** 21-byte hex, like every address here */
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly held: bigint;
};

/** Something false that this chain tells where it is asked. The chain itself stays as it is. */
export type Fault =
  | (Arrival & { readonly kind: "log"; readonly contract: string })
  | (Arrival & { readonly kind: "internal"; readonly rejected: boolean })
  | { readonly kind: "status"; readonly path: string; readonly status: number }
  | { readonly kind: "body"; readonly path: string; readonly body: string }
  | { readonly kind: "delay"; readonly path: string; readonly delayMs: number }
  | { readonly kind: "height"; readonly path: string; readonly by: number }
  /** of the infos of a block those of these transactions are missing; all where none is named */
  | { readonly kind: "infos"; readonly path: string | undefined; readonly drop: readonly string[] }
  | { readonly kind: "solid"; readonly back: number | "head" };

/** A fault of this kind. */
export type FaultOf<Kind extends Fault["kind"]> = Extract<Fault, { readonly kind: Kind }>;

/** The faults in force, in the order they came; each with what was asked for and how often it is told and still to be. */
export type Faults = { told: number; left: number; readonly given: object; readonly fault: Fault }[];

/** Whose answers are of a height. */
const OF_HEIGHT: readonly string[] = [
  "getnowblock",
  "getblock",
  "getblockbynum",
  "gettransactioninfobyblocknum",
];

/** Whether an answer under this path can be of another height than was asked for. */
export function isOfHeight(path: string): boolean {
  return OF_HEIGHT.includes(path.split("/").at(-1) ?? "");
}

/** The answer as it goes out: its status and text, and when. */
export function spoilAnswer(faults: Faults, path: string, answer: HttpAnswer): HttpAnswer {
  const fits = (fault: { readonly path: string }) => fault.path === path;
  const [{ status } = answer] = takeFaults(faults, "status", fits);
  const [{ body } = answer] = takeFaults(faults, "body", fits);
  const [{ delayMs } = { delayMs: 0 }] = takeFaults(faults, "delay", fits);
  return { status, body, delayMs };
}

/** The faults of a kind that fit and are not used up; they count as told. */
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
    active.told += 1;
    found.push(fault);
  }
  return found;
}

function isOf<Kind extends Fault["kind"]>(fault: Fault, kind: Kind): fault is FaultOf<Kind> {
  return fault.kind === kind;
}
