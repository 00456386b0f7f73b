/**
 * What the service can do, as far as a payment or a lie needs it: those that need something else are left out. Each line
 * that is false names a gap.
 */
export const abilities = {
  /** TRX that a contract sends is money */
  readsInternals: true,
  /** what is under a block's id is proven by its root */
  provesBytes: true,
  /** who may sign is known, or follows by descent */
  provesWitnesses: true,
  /** another node is asked well within half a minute when the head of the one that leads stands still; 90 s are granted until then */
  leavesStillNodes: false,
  /** what no root covers is compared with the solid balance */
  comparesBalances: true,
} as const satisfies Record<string, boolean>;

export type Ability = keyof typeof abilities;

export function isAble(needs: Ability | undefined): boolean {
  return needs === undefined || abilities[needs];
}
