import type { CliOutput } from "../cli-context.ts";

/** How a text is set off. */
type Tone = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Sets a text off where colour is wanted. */
export type Paint = (tone: Tone, text: string) => string;

const codes: Readonly<Record<Tone, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** The paint of an output: colours on a terminal, nothing elsewhere. */
export function paintFor(output: Pick<CliOutput, "color">): Paint {
  return output.color ? (tone, text) => `\u001b[${codes[tone][0]}m${text}\u001b[${codes[tone][1]}m` : (_, text) => text;
}
