/**
 * Texts with names in braces: `Write to {shop}`. A text that counts has the plural forms of its language, in which `#` is the number:
 * `{count, plural, one {# payment} other {# payments}}`. This is the part of ICU MessageFormat that the catalogues use.
 */
const NAMED = /\{(\w{1,20})(?:, plural, ((?:\w{3,5} \{[^{}]*\} ?){1,6}))?\}/g;

type NamesIn<Text> = Text extends `{${infer Name}, plural, ${string}`
  ? Name
  : Text extends `${string}{${infer Name}}${infer Rest}`
    ? Name | NamesIn<Rest>
    : never;

/** A text that needs its names: `{ shop: "Blue Bottle Books" }`. */
export type Sentence<Names extends string> = (named: Readonly<Record<Names, string | number>>) => string;

type TextOf<Text extends string> = [NamesIn<Text>] extends [never] ? string : Sentence<NamesIn<Text>>;

/** A catalogue in another language: the keys of the English one. */
export type Translated<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? string : Translated<English[Key]>;
};

/** The texts of a catalogue in any language; the English one says what each text is. */
export type Texts<English> = {
  readonly [Key in keyof English]: English[Key] extends string ? TextOf<English[Key]> : Texts<English[Key]>;
};

/** Makes every text with names a function of them. */
export function compileTexts<English>(catalogue: Translated<English>, language: string): Texts<English> {
  const texts = Object.entries(catalogue).map(([key, value]) => [
    key,
    typeof value === "string" ? textOf(value, language) : compileTexts(value as object, language),
  ]);
  return Object.fromEntries(texts);
}

function textOf(text: string, language: string): string | Sentence<string> {
  if (!text.includes("{")) return text;
  let rules: Intl.PluralRules | undefined;
  return (named) =>
    text.replace(NAMED, (_, name: string, forms?: string) => {
      const value = String(named[name]);
      if (!forms) return value;
      rules ??= new Intl.PluralRules(language);
      return formOf(forms, rules.select(Number(value))).replaceAll("#", value);
    });
}

/** The form of a rule. One that a language leaves out is the general form, which is the last. */
function formOf(forms: string, rule: string): string {
  const parts = forms.split(/ \{|\} ?/);
  return parts[parts.indexOf(rule) + 1 || parts.length - 2] ?? "";
}
