import { isHigh, isLow, splitsPair } from "./text-characters.ts";

/** How much of a text a number of units covers. */
export interface TextMeasure {
  /** The last offset up to which a piece that begins at `from` holds no more than `units`; beyond `from` by at least one character. */
  reach(from: number, units: number): number;
  /** The first offset from which a piece that ends at `end` holds no more than `units`. */
  reachBack(end: number, units: number): number;
  /** Whether a piece holds no more than `units`. */
  fits(from: number, end: number, units: number): boolean;
}

/** Counts characters: Unicode code points. */
export function characterMeasure(text: string): TextMeasure {
  return {
    reach: (from, units) => forward(text, from, units),
    reachBack: (end, units) => backward(text, end, units),
    fits: () => true,
  };
}

/**
 * Counts tokens by asking for whole pieces, since a tokenizer's counts do not add up.
 *
 * The answer is found by guessing from the characters a token took so far, and may fall short by a fiftieth, never be too long.
 */
export function tokenMeasure(text: string, countTokens: (text: string) => number): TextMeasure {
  let charactersPerToken = 3;
  const whole = (at: number): number => (splitsPair(text, at) ? at - 1 : at);

  /** The longest piece that fits, by its length in UTF-16 units. */
  const longest = (most: number, units: number, count: (length: number) => number): number => {
    let fitting = 0;
    let tooLong = most + 1;
    let guess = Math.min(most, Math.ceil(units * charactersPerToken));
    for (let round = 0; round < 24 && fitting < most; round += 1) {
      const tokens = count(guess);
      if (tokens > 0 && guess > 0) charactersPerToken = guess / tokens;
      if (tokens <= units) fitting = guess;
      else tooLong = guess;
      if (tooLong - fitting <= Math.max(1, fitting / 50)) break;
      const aimed = Math.floor(units * charactersPerToken);
      const inside = aimed > fitting && aimed < tooLong;
      guess = Math.min(most, inside && round < 6 ? aimed : tooLong > most ? Math.max(fitting * 2, 1) : Math.floor((fitting + tooLong) / 2));
      if (guess <= fitting) break;
    }
    return fitting;
  };

  return {
    reach: (from, units) => {
      const length = longest(text.length - from, units, (size) => countTokens(text.slice(from, whole(from + size))));
      return Math.max(whole(from + length), forward(text, from, 1));
    },
    reachBack: (end, units) => {
      if (units === 0) return end;
      const start = end - longest(end, units, (size) => countTokens(text.slice(whole(end - size), end)));
      return splitsPair(text, start) ? start + 1 : start;
    },
    fits: (from, end, units) => countTokens(text.slice(from, end)) <= units,
  };
}

function forward(text: string, from: number, characters: number): number {
  let at = from;
  for (let left = characters; left > 0 && at < text.length; left -= 1) at += isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1)) ? 2 : 1;
  return at;
}

function backward(text: string, end: number, characters: number): number {
  let at = end;
  for (let left = characters; left > 0 && at > 0; left -= 1) at -= at > 1 && isLow(text.charCodeAt(at - 1)) && isHigh(text.charCodeAt(at - 2)) ? 2 : 1;
  return at;
}
