/** Makes a text safe between tags and in quoted attributes. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** A pixel with one decimal place, which is all that a screen shows. */
export function pixel(value: number): number {
  return Math.round(value * 10) / 10;
}
