/** A function of the language that is computed once for each. To make a formatter of the browser costs a hundred uses of it. */
export function oncePerLanguage<Made>(make: (language: string) => Made): (language: string) => Made {
  const byLanguage = new Map<string, Made>();
  return (language) => {
    const made = byLanguage.get(language) ?? make(language);
    byLanguage.set(language, made);
    return made;
  };
}
