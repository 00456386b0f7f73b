/** A browser answers a ping every 25 s, and says when it goes. */
const MOST_CONTROL_FRAMES = 20;
const WITHIN_MS = 25_000;
/** Opcodes below it are of data, and a control frame has at most so many bytes of its own (RFC 6455, 5.2 and 5.5). */
const FIRST_CONTROL_OPCODE = 8;
const LONGEST_CONTROL_FRAME = 125;
const MASK_BYTES = 4;

/**
 * Reads the heads of the frames that a page sends, and answers of each piece of them whether a page may send it: no data, not
 * even the beginning of it, and at most 20 control frames in 25 s.
 */
export function createFrameLimit(nowMs: () => number): (bytes: Uint8Array) => boolean {
  const timesMs: number[] = [];
  let isInHead = false;
  /** bytes of a frame that still come, behind its head */
  let left = 0;

  function countFrame(): boolean {
    const now = nowMs();
    timesMs.push(now);
    return timesMs.length <= MOST_CONTROL_FRAMES || now - (timesMs.shift() ?? now) >= WITHIN_MS;
  }

  function mayBegin(opcode: number): boolean {
    isInHead = true;
    return opcode >= FIRST_CONTROL_OPCODE && countFrame();
  }

  function mayBeLong(length: number): boolean {
    isInHead = false;
    left = MASK_BYTES + length;
    return length <= LONGEST_CONTROL_FRAME;
  }

  return (bytes) => {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      const skipped = Math.min(left, bytes.length - at);
      if (skipped > 0) {
        left -= skipped;
        at += skipped - 1;
      } else if (!(isInHead ? mayBeLong(byte & 0x7f) : mayBegin(byte & 0x0f))) return false;
    }
    return true;
  };
}
