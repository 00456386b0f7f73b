import { useEffect, useState } from "react";
import { downloadWords, loadDownloadWords } from "../words/download-words.ts";
import { currentTag, words } from "../words/words.ts";
import { Dialog } from "./dialog.tsx";
import type { DownloadFile } from "./download-file.ts";
import { SelectField } from "./field.tsx";

type Props = { readonly files: readonly [DownloadFile, ...DownloadFile[]]; readonly onClose: () => void };

/** The menu of downloads: which file, its format, and the marks by which a country's spreadsheets read CSV. */
export function DownloadDialog(props: Props) {
  const [isLoaded, setLoaded] = useState(downloadWords !== undefined);
  useEffect(() => void loadDownloadWords().then(() => setLoaded(true)), []);
  return isLoaded ? <Menu {...props} /> : null;
}

function Menu({ files, onClose }: Props) {
  const [index, setIndex] = useState("0");
  const [format, setFormat] = useState("csv");
  const [separator, setSeparator] = useState(",");
  const [decimal, setDecimal] = useState(".");
  const file = files[Number(index)] ?? files[0];
  const text = downloadWords;
  const formats = Object.fromEntries(["csv", ...file.formats].map((name) => [name, name.toUpperCase()]));
  const chosen = format in formats ? format : "csv";
  const marks = chosen === "csv" ? { separator, decimal } : {};
  const language = chosen === "pdf" ? { language: currentTag() } : {};
  return (
    <Dialog title={text.title} onClose={onClose}>
      {files.length > 1 && (
        <SelectField
          label={text.file}
          options={Object.fromEntries(
            files.map(({ name }, at) => [String(at), name ? text.names[name] : ""]),
          )}
          value={index}
          onChange={(event) => setIndex(event.target.value)}
        />
      )}
      <SelectField
        label={text.format}
        options={formats}
        value={chosen}
        onChange={(event) => setFormat(event.target.value)}
      />
      {"separator" in marks && (
        <>
          <SelectField
            label={text.separator}
            hint={text.marksHint}
            options={{ ",": text.comma, ";": text.semicolon, tab: text.tab }}
            value={separator}
            onChange={(event) => setSeparator(event.target.value)}
          />
          <SelectField
            label={text.decimal}
            options={{ ".": text.point, ",": text.comma }}
            value={decimal}
            onChange={(event) => setDecimal(event.target.value)}
          />
        </>
      )}
      {chosen === "xlsx" && <p className="hint">{text.workbookHint}</p>}
      <div className="actions">
        <a
          className="button primary"
          href={file.url({ format: chosen, ...marks, ...language })}
          download
          onClick={onClose}
        >
          {text.download}
        </a>
        <button type="button" className="button quiet" onClick={onClose}>
          {words.common.close}
        </button>
      </div>
    </Dialog>
  );
}
