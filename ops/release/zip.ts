import { crc32 } from "node:zlib";

/** A file of an archive: its path with slashes, and its bytes. */
export type ZipEntry = { readonly path: string; readonly bytes: Buffer };

/** Version 2.0 of the format, as made on UNIX: the upper half of the attributes is then the mode. */
const VERSION = 20;
const MADE_ON_UNIX = (3 << 8) | VERSION;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const STORED = 0;
/** A regular file that its owner may write and every user may read. */
const MODE = 0o100644;

/**
 * The bytes of a ZIP file with these files, in the order of their paths and without entries of folders. The files are stored, not
 * compressed, so that no version of a compressor changes the bytes. `modified` counts to two seconds, in UTC, from 1980 on.
 *
 * Source: APPNOTE.TXT of PKWARE, 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16.
 */
export function zipped(entries: readonly ZipEntry[], modified: Date): Buffer {
  const sorted = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { path, bytes } of sorted) {
    const name = Buffer.from(path);
    const shared = sharedFields(name, bytes, modified);
    const local = Buffer.concat([integers([0x04034b50, 4], [VERSION, 2]), shared, name, bytes]);
    // No comment, the first disk, no internal attribute; then the mode and the place of the local header.
    const own = integers([0, 2], [0, 2], [0, 2], [MODE * 2 ** 16, 4], [offset, 4]);
    directory.push(integers([0x02014b50, 4], [MADE_ON_UNIX, 2], [VERSION, 2]), shared, own, name);
    locals.push(local);
    offset += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const count = sorted.length;
  const end = integers(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [count, 2],
    [count, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  );
  return Buffer.concat([...locals, ...directory, end]);
}

/** The fields that a local header and the central directory have in common. */
function sharedFields(name: Buffer, bytes: Buffer, modified: Date): Buffer {
  const time =
    (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | (modified.getUTCSeconds() >> 1);
  const day =
    ((modified.getUTCFullYear() - 1980) << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate();
  return integers(
    [FLAGS, 2],
    [STORED, 2],
    [time, 2],
    [day, 2],
    [crc32(bytes), 4],
    [bytes.length, 4],
    [bytes.length, 4],
    [name.length, 2],
    // No extra field.
    [0, 2],
  );
}

/** Unsigned integers, the lowest byte first, each as value and number of bytes. */
function integers(...fields: readonly (readonly [value: number, bytes: number])[]): Buffer {
  return Buffer.concat(
    fields.map(([value, size]) => {
      const field = Buffer.alloc(size);
      field.writeUIntLE(value, 0, size);
      return field;
    }),
  );
}
