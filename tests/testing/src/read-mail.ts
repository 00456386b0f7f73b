/** One part of a mail. */
export type PartOfMail = {
  /** such as text/html */
  readonly type: string;
  readonly headers: MailHeaders;
  readonly content: Buffer;
};

/** Each header with its decoded value, in their order; names are in small letters. */
export type MailHeaders = readonly (readonly [name: string, value: string])[];

export type ReadMail = {
  readonly headers: MailHeaders;
  /** the value of the header, which must be there at most once */
  header(name: string): string | undefined;
  /** the parts that have content, in their order */
  readonly parts: readonly PartOfMail[];
  /** the text of the first part of this type */
  textOf(type: string): string;
};

/** Reads a mail as it arrived: unfolds and decodes its headers, and decodes its parts. */
export function readMail(raw: string): ReadMail {
  const headers = headersOf(headOf(raw));
  const parts = partsOf(raw);
  return {
    headers,
    header(name) {
      const values = headers.filter(([each]) => each === name.toLowerCase());
      if (values.length > 1) throw new Error(`the header ${name} is there ${values.length} times`);
      return values[0]?.[1];
    },
    parts,
    textOf: (type) => parts.find((part) => part.type === type)?.content.toString() ?? "",
  };
}

function headOf(raw: string): string {
  return raw.split("\r\n\r\n", 1)[0] ?? "";
}

function headersOf(head: string): MailHeaders {
  const lines = head.replaceAll(/\r\n[ \t]+/g, " ").split("\r\n");
  return lines.map((line) => {
    const [, name = "", value = ""] = /^([^\s:]+): ?(.*)$/.exec(line) ?? [];
    return [name.toLowerCase(), decodedWords(value)] as const;
  });
}

/** RFC 2047: blanks between encoded words do not count. */
function decodedWords(value: string): string {
  const joined = value.replaceAll(/\?=\s+=\?/g, "?==?");
  return joined.replaceAll(/=\?([\w-]+)\?([BQ])\?([^?]*)\?=/gi, (_, __, encoding: string, text: string) =>
    encoding.toUpperCase() === "B"
      ? Buffer.from(text, "base64").toString()
      : unquoted(text.replaceAll("_", " ")).toString(),
  );
}

function unquoted(text: string): Buffer {
  const bytes = text
    .replaceAll(/=\r\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1");
}

function partsOf(raw: string): PartOfMail[] {
  const head = headOf(raw);
  const body = raw.slice(head.length + "\r\n\r\n".length);
  const headers = headersOf(head);
  const headerOf = (name: string) => headers.find(([each]) => each === name)?.[1] ?? "";
  const type = headerOf("content-type");
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (boundary !== undefined)
    return `\r\n${body}`
      .split(`\r\n--${boundary}`)
      .slice(1, -1)
      .flatMap((part) => partsOf(part.replace(/^\r\n/, "")));
  const encoding = headerOf("content-transfer-encoding").toLowerCase();
  const content =
    encoding === "base64"
      ? Buffer.from(body, "base64")
      : encoding === "quoted-printable"
        ? unquoted(body)
        : Buffer.from(body);
  return [{ type: type.split(";", 1)[0]?.trim() ?? "", headers, content }];
}
