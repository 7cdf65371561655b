/** The two ways in which a reader's screen is set. */
export type Mode = "light" | "dark";

/** Inks that hold contrast on their background: 7:1 for texts, 4.5:1 for what is faint. */
export const inks: Readonly<Record<Mode, { readonly back: string; readonly ink: string; readonly faint: string; readonly grid: string }>> = {
  light: { back: "#ffffff", ink: "#1f2328", faint: "#57606a", grid: "#d8dee4" },
  dark: { back: "#0d1117", ink: "#e6edf3", faint: "#9198a1", grid: "#30363d" },
};

/** Colours of series, told apart by most who do not see red or green; later series begin anew. */
export const seriesColors: Readonly<Record<Mode, readonly string[]>> = {
  light: ["#0969da", "#bc4c00", "#1a7f37", "#8250df", "#9a6700", "#57606a"],
  dark: ["#58a6ff", "#f0883e", "#3fb950", "#a371f7", "#d29922", "#9198a1"],
};

/**
 * Writes the rules of a picture for both modes, all below its class, so that a page that holds the picture keeps its own looks.
 *
 * @param common Rules for both modes, each selector below `.ditto-picture`.
 * @param of Rules for one mode.
 */
export function themedStyle(common: readonly string[], of: (mode: Mode) => readonly string[]): string {
  const within = (rules: readonly string[]): string => rules.map((rule) => `.ditto-picture ${rule}`).join("");
  return `${within(common)}${within(of("light"))}@media(prefers-color-scheme:dark){${within(of("dark"))}}`;
}
