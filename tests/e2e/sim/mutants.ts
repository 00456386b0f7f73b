/**
 * Guards of the service that a mutant removes in the database; without each, some seed must fail. Every block
 * names another witness, so a block 18 deep is solid.
 */
export const simMutants = {
  "no-unique-key":
    "alter table deposits drop constraint deposits_pkey cascade; do $$ declare key text; begin for key in select conname from pg_constraint where conrelid = 'deposits'::regclass and contype = 'u' loop execute format('alter table deposits drop constraint %I', key); end loop; end $$",
  "no-outbox": ["webhook_events", "webhook_event_bodies", "webhook_deliveries"]
    .map((table) => beforeEach(table, "insert", "return null"))
    .join("; "),
  "no-fencing": beforeEach("leases", "update", "new.epoch := old.epoch; return new"),
  "no-waiting": beforeEach("deposit_checks", "insert", "new.result := 'passed'; return new"),
  "no-solid-check": beforeEach("blocks", "insert", "new.witness := new.id; return new"),
} as const satisfies Record<string, string>;

export type SimMutant = keyof typeof simMutants;

export function isSimMutant(name: string): name is SimMutant {
  return Object.hasOwn(simMutants, name);
}

function beforeEach(table: string, change: "insert" | "update", body: string): string {
  const name = `spoil_${table}`;
  return `create function ${name}() returns trigger language plpgsql as $$ begin ${body}; end $$;
    create trigger ${name} before ${change} on ${table} for each row execute function ${name}()`;
}
