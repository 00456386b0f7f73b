import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import type { MediaType, Picture } from "./picture.ts";

export type StoredLogo = { readonly mediaType: MediaType; readonly content: Buffer };

/** Stores a picture once. Citus refuses `do nothing` to a role without a right to update. */
export async function insertLogo(db: Queryable, { id, mediaType, content }: Picture): Promise<void> {
  await db.query(sql`
    insert into logos (id, media_type, content) values (${id}, ${mediaType}, ${content})
    on conflict (id) do update set created_at = logos.created_at`);
}

export async function findLogoIds(db: Queryable): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(sql`select id from logos`);
  return new Set(rows.map(({ id }) => id));
}

export async function findLogo(db: Queryable, id: string): Promise<StoredLogo | undefined> {
  return maybeOne(
    await db.query<StoredLogo>(sql`select media_type as "mediaType", content from logos where id = ${id}`),
  );
}
