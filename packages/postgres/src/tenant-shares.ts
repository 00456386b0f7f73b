import { HeldUpError, isHeldUp } from "./errors.ts";
import { LOCK_WAIT_MS } from "./limits.ts";
import { serverOf } from "./tenants.ts";

/** A request for a connection; `mayBlock` means that it may wait for a lock, as every write may. */
type Wish = { readonly tenant: string; readonly mayBlock: boolean };
/** `server`: the tenant's on a sharded engine */
type Turn = Wish & { readonly server: string | undefined };

export type Shares = {
  /**
   * Runs `work` once the tenant may have a connection. @throws HeldUpError after two seconds, before the work
   * began.
   */
  take<T>(wish: Wish, work: () => Promise<T>): Promise<T>;
};

/** Connections that are reserved for reads, so that held rows never block all. */
const READERS = 2;
const MAX_WAITING = 10_000;
const TOO_MANY = "too many of the same tenant wait";

/**
 * Divides connections: a tenant gets at most half, and half of that for work that may wait for locks. All tenants
 * together leave two to reads. A waiting tenant lets others pass. The tenants of a server of a sharded engine get half together, so one
 * that hangs leaves the rest to the others.
 * After a lock timeout, the tenant's waiting writes are refused too, so that a held row costs each caller its time
 * once. Until one succeeds, all such tenants share half of the places for writes, so others go on.
 */
export function createShares(connections: number): Shares {
  const budget = createBudget(connections);
  const queue = createQueue();

  function beginNext(): void {
    for (let next = queue.first(budget.has); next !== undefined; next = queue.first(budget.has)) {
      budget.take(next);
      next.begin();
    }
  }

  return {
    take: async (wish, work) => {
      const turn = { ...wish, server: serverOf(wish.tenant) };
      if (budget.has(turn)) budget.take(turn);
      else await queue.wait(turn);
      try {
        const result = await work();
        budget.setHeldUp(turn, { isHeldUp: false });
        return result;
      } catch (error) {
        budget.setHeldUp(turn, { isHeldUp: isHeldUp(error) });
        if (isHeldUp(error)) queue.refuseBehind(turn);
        throw error;
      } finally {
        budget.giveBack(turn);
        beginNext();
      }
    },
  };
}

function createBudget(connections: number) {
  const maxPerTenant = Math.max(1, Math.floor(connections / 2));
  const maxBlockingPerTenant = Math.max(1, Math.floor(maxPerTenant / 2));
  const maxBlocking = Math.max(1, connections - READERS);
  const maxBlockingHeldUp = Math.max(1, Math.floor(maxBlocking / 2));
  const usedOfTenants = new Map<string, { all: number; blocking: number }>();
  const usedOfServers = new Map<string, number>();
  /** tenants whose last write timed out at a lock */
  const heldUp = new Set<string>();
  let blocking = 0;

  function blockingOfHeldUp(): number {
    const theirs = [...usedOfTenants].filter(([tenant]) => heldUp.has(tenant));
    return theirs.reduce((sum, [, taken]) => sum + taken.blocking, 0);
  }

  function count({ tenant, server, mayBlock }: Turn, by: 1 | -1): void {
    if (server !== undefined) usedOfServers.set(server, (usedOfServers.get(server) ?? 0) + by);
    const taken = usedOfTenants.get(tenant) ?? { all: 0, blocking: 0 };
    taken.all += by;
    if (mayBlock) taken.blocking += by;
    if (mayBlock) blocking += by;
    if (taken.all === 0) usedOfTenants.delete(tenant);
    else usedOfTenants.set(tenant, taken);
  }

  return {
    has: ({ tenant, server, mayBlock }: Turn): boolean => {
      const taken = usedOfTenants.get(tenant);
      if (server !== undefined && (usedOfServers.get(server) ?? 0) >= maxPerTenant) return false;
      if (taken !== undefined && taken.all >= maxPerTenant) return false;
      if (!mayBlock) return true;
      if (blocking >= maxBlocking) return false;
      if (heldUp.has(tenant) && blockingOfHeldUp() >= maxBlockingHeldUp) return false;
      return taken === undefined || taken.blocking < maxBlockingPerTenant;
    },
    take: (turn: Turn) => count(turn, 1),
    giveBack: (turn: Turn) => count(turn, -1),
    setHeldUp: ({ tenant, mayBlock }: Turn, { isHeldUp: isVain }: { isHeldUp: boolean }): void => {
      if (isVain) heldUp.add(tenant);
      else if (mayBlock) heldUp.delete(tenant);
    },
  };
}

type Waiting = Turn & { readonly begin: () => void; readonly refuse: (reason: string) => void };

function createQueue() {
  const queue = new Set<Waiting>();

  function join(turn: Turn): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        queue.delete(waiting);
      };
      const begin = (): void => {
        leave();
        resolve();
      };
      const refuse = (reason: string): void => {
        leave();
        reject(new HeldUpError(reason));
      };
      const waiting = { ...turn, begin, refuse };
      const timer = setTimeout(refuse, LOCK_WAIT_MS, TOO_MANY);
      queue.add(waiting);
    });
  }

  return {
    first: (may: (turn: Turn) => boolean): Waiting | undefined => {
      for (const waiting of queue) if (may(waiting)) return waiting;
      return undefined;
    },
    wait: async (turn: Turn): Promise<void> => {
      if (queue.size >= MAX_WAITING) throw new HeldUpError(TOO_MANY);
      await join(turn);
    },
    refuseBehind: ({ tenant }: Turn): void => {
      for (const waiting of queue)
        if (waiting.tenant === tenant && waiting.mayBlock)
          waiting.refuse("an earlier write of this tenant waits for a held row");
    },
  };
}
