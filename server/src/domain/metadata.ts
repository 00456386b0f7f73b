/** What a merchant keeps with a charge for itself: text by name. Told to that merchant and to nobody else. */
export type Metadata = Readonly<Record<string, string>>;

/** Lengths are in characters (code points); `bytes` is of all of it as JSON without blanks, in UTF-8. */
export const metadataLimits = { keys: 20, keyLength: 40, valueLength: 500, bytes: 2_048 } as const;

/** A rule that metadata breaks, and the key that breaks it where one does. */
export type MetadataFault = { readonly path: readonly string[]; readonly message: string };

/** What is wrong with metadata beside the number of its keys, which is counted before, and the length of its values. */
export function metadataFaults(metadata: Metadata): MetadataFault[] {
  const { bytes } = metadataLimits;
  const names = Object.keys(metadata);
  const faults = names.flatMap((name) => keyFaults(name));
  if (new TextEncoder().encode(JSON.stringify(metadata)).length > bytes)
    faults.push({ path: [], message: `must have at most ${bytes} bytes as JSON in UTF-8` });
  return faults;
}

function keyFaults(name: string): MetadataFault[] {
  const { keyLength } = metadataLimits;
  const length = [...name].length;
  if (length < 1 || length > keyLength)
    return [{ path: [name], message: `must have a key of 1 to ${keyLength} characters` }];
  if (/[\0\p{Surrogate}]/u.test(name))
    return [{ path: [name], message: "must not have NUL or half a surrogate pair in its key" }];
  return [];
}
