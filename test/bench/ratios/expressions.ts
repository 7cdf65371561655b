import { compileExpression } from "../../../src/expression/compile-expression.ts";
import { parseExpression } from "../../../src/expression/parse-expression.ts";
import { compareWork, type Figure } from "./figure.ts";
import { peerModule } from "./peers.ts";

type Jsonata = (text: string) => { evaluate(input: unknown): Promise<unknown> };

const candidates = Array.from({ length: 200 }, (_, index) => ({ score: 1 - index / 200, metadata: { importance: 0.5, age: index } }));

/** The score of 200 candidates, beside a function by hand and beside JSONata. */
export async function expressionFigures(): Promise<readonly Figure[]> {
  const parsed = parseExpression("candidate.score * exp(-candidate.metadata.age / 30) * (0.5 + candidate.metadata.importance)");
  if (!parsed.ok) throw new Error("the expression does not parse");
  const compiled = compileExpression(parsed.expression);
  const ours = (): void => {
    for (const candidate of candidates) compiled.evaluate({ candidate });
  };
  // Called through a variable, as any function that is handed over is.
  const byHand = [({ score, metadata }: (typeof candidates)[number]): number => score * Math.exp(-metadata.age / 30) * (0.5 + metadata.importance)];
  const native = await compareWork({
    ours,
    peer: () => {
      for (let turn = 0; turn < 10; turn += 1) for (const candidate of candidates) byHand[0]?.(candidate);
    },
    calls: 200,
  });
  const jsonata = peerModule<Jsonata>("jsonata");
  const query = jsonata?.("score * $power(2.718281828459045, -metadata.age / 30) * (0.5 + metadata.importance)");
  const peer = async (): Promise<void> => {
    for (const candidate of candidates) await query?.evaluate(candidate);
  };
  return [
    { name: "expression over 200 candidates", peer: "ten times by hand", ratio: native, limit: 15, noise: 0.4 },
    {
      name: "expression over 200 candidates",
      peer: "JSONata",
      ratio: query === undefined ? undefined : await compareWork({ ours, peer, calls: 10 }),
      limit: 0.2,
      noise: 0.35,
    },
  ];
}
