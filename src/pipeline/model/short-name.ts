/** `targets.kb.strategies.hybrid` is `kb/hybrid` to people, `resources.kb` is `kb`. */
export function shortName(id: string): string {
  return id.replace(/^resources\./, "").replace(/^targets\.([^.]+)\.strategies\./, "$1/");
}
