import { maybeOne, type Queryable, sql } from "@daric/postgres/sql";
import type { MediaType, Picture } from "./picture.ts";

/** Keeps a picture; one that is there stays. */
export async function insertLogo(db: Queryable, { id, mediaType, content }: Picture): Promise<void> {
  await db.query(sql`
    insert into logos (id, media_type, content) values (${id}, ${mediaType}, ${content}) on conflict do nothing`);
}

/** The picture of an id, whoever shows it; undefined where there is none. */
export async function findLogo(
  db: Queryable,
  id: string,
): Promise<{ readonly mediaType: MediaType; readonly content: Buffer } | undefined> {
  return maybeOne(
    await db.query<{ mediaType: MediaType; content: Buffer }>(
      sql`select media_type as "mediaType", content from logos where id = ${id}`,
    ),
  );
}
