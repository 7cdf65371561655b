/** Reads a value out of the text that PostgreSQL writes it as. */
export type ParseText = (text: string) => unknown;

/**
 * How values are read, by the number of their type; anything else stays a text.
 *
 * Nothing is lost: whole numbers and decimals that a double cannot hold stay texts with all their digits, and points in time are texts of
 * ISO 8601 with as many digits as there are. Both drivers get these, whatever they would do on their own.
 */
export const resultTypes: ReadonlyMap<number, ParseText> = new Map<number, ParseText>([
  [16, (text) => text === "t" || text === "true"],
  [17, readBytes],
  [20, exactNumber],
  [21, Number],
  [23, Number],
  [26, Number],
  [700, finiteNumber],
  [701, finiteNumber],
  [1700, exactNumber],
  [114, (text) => JSON.parse(text) as unknown],
  [3802, (text) => JSON.parse(text) as unknown],
  [1114, (text) => text.replace(" ", "T")],
  [1184, readInstant],
  ...arrays([
    [1000, (text) => text === "t"],
    [1005, Number],
    [1007, Number],
    [1016, exactNumber],
    [1021, finiteNumber],
    [1022, finiteNumber],
    [1231, exactNumber],
    [1009, String],
    [1015, String],
    [1002, String],
    [1014, String],
    [2951, String],
    [1182, String],
    [199, (text) => JSON.parse(text) as unknown],
    [3807, (text) => JSON.parse(text) as unknown],
  ]),
]);

/** A number where it is exact, else the text. */
function exactNumber(text: string): number | string {
  const value = Number(text);
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(value) ? value : text;
  if (!Number.isFinite(value)) return text;
  return canonicalDecimal(text) === canonicalDecimal(plainDecimal(value)) ? value : text;
}

function finiteNumber(text: string): number | string {
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

function canonicalDecimal(text: string): string {
  const [whole = "", fraction = ""] = text.split(".");
  return `${whole}.${fraction.replace(/0+$/, "")}`;
}

function plainDecimal(value: number): string {
  const text = String(value);
  if (!text.includes("e")) return text;
  const [mantissa = "", exponent = ""] = text.split("e");
  const negative = mantissa.startsWith("-");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  const plain =
    point <= 0 ? `0.${"0".repeat(-point)}${digits}` : point >= digits.length ? digits.padEnd(point, "0") : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return negative ? `-${plain}` : plain;
}

function readBytes(text: string): Uint8Array {
  return Buffer.from(text.slice(2), "hex");
}

/** `2024-01-31 09:30:00.5+02` becomes `2024-01-31T07:30:00.5Z`; years of more than four digits stay as they are. */
function readInstant(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-])(\d\d)(?::(\d\d))?(?::\d\d)?$/.exec(text);
  if (match === null) return text.replace(" ", "T");
  const [, day, time, fraction = "", sign, hours, minutes = "0"] = match;
  const offsetMs = (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  const instant = new Date(Date.parse(`${day}T${time}Z`) - offsetMs);
  return `${instant.toISOString().slice(0, 19)}${fraction}Z`;
}

function arrays(items: readonly (readonly [number, ParseText])[]): readonly (readonly [number, ParseText])[] {
  return items.map(([type, item]) => [type, (text) => readArray(text, item)] as const);
}

/** Reads `{a,"b c",NULL,{...}}`; what stands before a `=` are bounds. */
function readArray(text: string, item: ParseText): readonly unknown[] {
  let at = text.indexOf("{");
  const read = (): readonly unknown[] => {
    const items: unknown[] = [];
    at += 1;
    while (at < text.length && text[at] !== "}") {
      if (text[at] === ",") at += 1;
      else if (text[at] === "{") items.push(read());
      else if (text[at] === '"') items.push(item(readQuoted()));
      else {
        const end = /[,}]/g;
        end.lastIndex = at;
        const stop = end.exec(text)?.index ?? text.length;
        const plain = text.slice(at, stop);
        at = stop;
        items.push(plain === "NULL" ? null : item(plain));
      }
    }
    at += 1;
    return items;
  };
  const readQuoted = (): string => {
    let value = "";
    for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
      if (text[at] === "\\") at += 1;
      value += text[at] ?? "";
    }
    at += 1;
    return value;
  };
  return at === -1 ? [] : read();
}
