/**
 * Takes the accents off Latin, Greek and Cyrillic letters: `é` becomes `e`, `ё` becomes `е`, a final `ς` becomes `σ`.
 *
 * Marks of other scripts stay, for there they are vowels and not accents.
 *
 * @param word A lower-case word in composed form.
 */
export function foldAccents(word: string): string {
  if (plain.test(word)) return word;
  return word.normalize("NFD").replace(accents, "").normalize("NFC").replaceAll("ς", "σ");
}

const plain = /^[\0-\x7f]*$/;
const accents = /[\u0300-\u036f]+/g;
