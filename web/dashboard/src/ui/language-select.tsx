import { useRouter } from "@tanstack/react-router";
import { chooseLanguage, currentTag, languages, words } from "../words/words.ts";

/** The language of the pages. Each is named in itself, so that a person finds the own one. */
export function LanguageSelect() {
  const router = useRouter();
  const choose = async (tag: string) => {
    await chooseLanguage(tag);
    router.options.context.drawAgain();
  };
  return (
    <select
      className="language"
      aria-label={words.common.language}
      value={currentTag()}
      onChange={(event) => void choose(event.target.value)}
    >
      {languages.map(({ tag, name }) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  );
}
