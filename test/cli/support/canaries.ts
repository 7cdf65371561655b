/** A secret of a test: unlike anything else, so that no trace of it is an accident. */
export interface Canary {
  /** What is looked for in outputs. */
  readonly core: string;
  /** The core with characters that URLs, JSON and shells write differently. */
  readonly value: string;
}

/** Makes a canary. */
export function canary(index: number): Canary {
  const core = `Cnry${String(index).padStart(2, "0")}xQzWvKj`;
  return { core, value: `${core}"\\/+?=%&'${core}` };
}

/** The forms in which a text may give a canary away: as it is, within URLs and JSON, reversed, in hexadecimal digits and in base64. */
function canaryForms({ core }: Canary): readonly string[] {
  const bytes = Buffer.from(core);
  return [core.toLowerCase(), bytes.toString("hex"), [...core].reverse().join("").toLowerCase(), ...[0, 1, 2].map((shift) => base64Within(core, shift))];
}

/** What every base64 text has that holds the core so many bytes behind a multiple of three. */
function base64Within(core: string, shift: number): string {
  const first = Math.ceil((shift * 8) / 6);
  const last = Math.floor(((shift + core.length) * 8) / 6);
  return Buffer.from(`${"\0".repeat(shift)}${core}`)
    .toString("base64")
    .slice(first, last);
}

/**
 * Finds the canaries that a text gives away.
 *
 * @returns What was found, with the text around it.
 */
export function canariesIn(text: string, canaries: readonly Canary[]): readonly string[] {
  const plain = text.toLowerCase();
  return canaries.flatMap((each) =>
    canaryForms(each).flatMap((form) => {
      const at = /^[a-z0-9]+$/u.test(form) ? plain.indexOf(form) : text.indexOf(form);
      return at === -1 ? [] : [`${each.core} as ${form}: ...${text.slice(Math.max(0, at - 60), at + 60)}`];
    }),
  );
}
