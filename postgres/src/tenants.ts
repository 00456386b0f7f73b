/** 200, or 1 where a sharded engine sends each statement to the one node of a tenant. */
let mostTenants = 200;

/** The most tenants that one statement of this process may name. A caller splits a longer list. */
export function maxTenants(): number {
  return mostTenants;
}

/** Sets the most tenants that one statement of this process may name. Called once, before any work begins. */
export function limitTenants(most: number): void {
  mostTenants = most;
}
