import type { Language } from "@daric/hosted-checkout/messages/languages";
import PDFDocument from "pdfkit";
import type { Fonts } from "./fonts.ts";
import { hasGap, type TextRun, visualRuns } from "./runs.ts";

/** The points of an A4 page, its margin, and the room of a line. */
const [WIDTH, HEIGHT, MARGIN] = [595.28, 841.89, 48];
export const ROOM = WIDTH - 2 * MARGIN;
const LINE = 1.45;
const FOOT = 24;
const SMALL = 8;
const ink = { text: "#111827", faint: "#6b7280", rule: "#d1d5db" } as const;

type Style = { readonly size: number; readonly colour?: keyof typeof ink };
/** A place in a line, in points from its start. The start is on the right where text goes to the left. */
type Place = { readonly from: number; readonly width: number; readonly align?: "start" | "end" };

/** A paper that is written from its top, line by line; it begins a new page where one is full. */
export type Paper = {
  /** a text of any length across a part of the line, whose next line is below it */
  text(text: string, style: Style, place?: Place): void;
  /** cells side by side, each cut to its place */
  row(cells: readonly { readonly text: string; readonly place: Place }[], style: Style): void;
  rule(): void;
  space(points: number): void;
  /** whether a text so far had a letter that no font has */
  hasGaps(): boolean;
  /** The bytes, after each page got its number by this sentence. */
  finish(pageOf: (page: number, pages: number) => string): Promise<Uint8Array>;
};

type Line = { readonly text: string; readonly y: number; readonly style: Style; readonly place: Place };
/** Measures and draws single lines. */
type Pen = { width(text: string, size: number): number; draw(line: Line): void };

function createPen(doc: typeof PDFDocument.prototype, direction: Language["direction"], fonts: Fonts): Pen {
  for (const [name, file] of fonts.files) doc.registerFont(name, file);
  const widthOf = ({ text, font }: TextRun, size: number) => {
    doc.font(font).fontSize(size);
    // Without a list of features, pdfkit shapes each word apart and loses the order of Arabic words.
    return doc.widthOfString(text, { features: [] });
  };
  const width = (text: string, size: number) =>
    visualRuns(text, direction, fonts).reduce((sum, run) => sum + widthOf(run, size), 0);
  return {
    width,
    draw({ text, y, style: { size, colour = "text" }, place: { from, width: room, align = "start" } }) {
      const isAtLeft = (align === "start") === (direction === "ltr");
      const left = direction === "ltr" ? MARGIN + from : WIDTH - MARGIN - from - room;
      let x = isAtLeft ? left : left + room - width(text, size);
      for (const run of visualRuns(text, direction, fonts)) {
        const runWidth = widthOf(run, size);
        const options = { lineBreak: false, baseline: "alphabetic", features: [] };
        doc.fillColor(ink[colour]).text(run.text, x, y + size, options);
        x += runWidth;
      }
    },
  };
}

/** Opens a paper in a language. */
export function openPaper(
  { direction, tag }: Pick<Language, "direction" | "tag">,
  title: string,
  fonts: Fonts,
): Paper {
  const size: [number, number] = [WIDTH, HEIGHT];
  const doc = new PDFDocument({ size, margin: 0, bufferPages: true, info: { Title: title }, lang: tag });
  const bytes: Buffer[] = [];
  doc.on("data", (chunk: Buffer) => bytes.push(chunk));
  const ended = new Promise<void>((resolve) => doc.on("end", resolve));
  const pen = createPen(doc, direction, fonts);
  let hasGaps = false;
  const draw = (line: Line) => {
    hasGaps ||= hasGap(line.text, fonts);
    pen.draw(line);
  };
  let y = MARGIN;
  /** Makes room for a line of so many points. */
  const need = (points: number) => {
    if (y + points <= HEIGHT - MARGIN - FOOT) return;
    doc.addPage();
    y = MARGIN;
  };
  return {
    text(text, style, place = { from: 0, width: ROOM }) {
      const measure = (of: string) => pen.width(of, style.size);
      for (const line of text.split("\n").flatMap((part) => wrapped(part, place.width, measure))) {
        need(style.size * LINE);
        draw({ text: line, y, style, place });
        y += style.size * LINE;
      }
    },
    row(cells, style) {
      need(style.size * LINE);
      for (const { text, place } of cells)
        draw({ text: cut(text, place.width, (of) => pen.width(of, style.size)), y, style, place });
      y += style.size * LINE;
    },
    rule() {
      need(SMALL);
      const [left, right] = [MARGIN, WIDTH - MARGIN];
      doc.strokeColor(ink.rule).lineWidth(0.5).moveTo(left, y).lineTo(right, y).stroke();
      y += SMALL;
    },
    space(points) {
      y += points;
    },
    hasGaps: () => hasGaps,
    async finish(pageOf) {
      const { count } = doc.bufferedPageRange();
      const style = { size: SMALL, colour: "faint" } as const;
      for (let page = 0; page < count; page += 1) {
        doc.switchToPage(page);
        const place = { from: 0, width: ROOM, align: "end" } as const;
        draw({ text: pageOf(page + 1, count), y: HEIGHT - MARGIN, style, place });
      }
      doc.end();
      await ended;
      return Buffer.concat(bytes);
    },
  };
}

type Measure = (text: string) => number;

/** The lines of a text, broken at blanks; a longer word is broken anywhere. */
function wrapped(text: string, room: number, width: Measure): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((of) => broken(of, room, width))) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (line !== "" && width(longer) > room) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

function broken(word: string, room: number, width: Measure): string[] {
  if (width(word) <= room) return [word];
  const pieces: string[] = [];
  let piece = "";
  for (const char of word) {
    if (piece !== "" && width(piece + char) > room) {
      pieces.push(piece);
      piece = "";
    }
    piece += char;
  }
  return [...pieces, piece];
}

function cut(text: string, room: number, width: Measure): string {
  if (width(text) <= room) return text;
  const chars = [...text];
  let [fits, most] = [0, chars.length];
  while (fits < most) {
    const half = Math.ceil((fits + most) / 2);
    if (width(`${chars.slice(0, half).join("")}…`) <= room) fits = half;
    else most = half - 1;
  }
  return `${chars.slice(0, fits).join("")}…`;
}
