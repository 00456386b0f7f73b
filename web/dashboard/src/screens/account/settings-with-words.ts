import { loadBookWords } from "../../words/book-words.ts";

await loadBookWords();

export { SettingsPage } from "./settings.tsx";
