import { encode } from "uqr";

/** Scanners want so many light modules around the code. */
const BORDER = 2;
/** A printed code of so many pixels is sharp on a page. */
const PNG_PX = 1_200;

/** The dark modules as the path of an SVG, and the width of the code in modules. */
function qrPath(content: string): { readonly path: string; readonly size: number } {
  const { data, size } = encode(content, { border: BORDER });
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    .join("");
  return { path, size };
}

/** A QR code, dark on light in both schemes, as scanners want it. */
export function QrCode({ content, label }: { readonly content: string; readonly label: string }) {
  const { path, size } = qrPath(content);
  return (
    <figure className="qr">
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
        <path d={path} />
      </svg>
      <figcaption className="hint">{label}</figcaption>
    </figure>
  );
}

/** The QR code as a file of vectors, in the address of a download. */
export function qrSvgUrl(content: string): string {
  const { path, size } = qrPath(content);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** The QR code as a picture, in the address of a download. */
export function qrPngUrl(content: string): string {
  const { path, size } = qrPath(content);
  const canvas = document.createElement("canvas");
  const scale = Math.ceil(PNG_PX / size);
  canvas.width = size * scale;
  canvas.height = size * scale;
  const drawing = canvas.getContext("2d");
  if (drawing === null) return "";
  drawing.fillStyle = "#fff";
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.scale(scale, scale);
  drawing.fillStyle = "#000";
  drawing.fill(new Path2D(path));
  return canvas.toDataURL("image/png");
}
