import { type JsonServer, jsonServer, type ReceivedRequest } from "../../kinds/support/json-server.ts";

/** A server that embeds as OpenAI's endpoint does: a vector of the characters in a text, so that texts that share them are near. */
export function openAiEmbeddings(): Promise<JsonServer> {
  return jsonServer(({ body }) => ({
    object: "list",
    model: body.model,
    data: body.input.map((text: string, index: number) => ({ object: "embedding", index, embedding: characters(text) })),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  }));
}

function characters(text: string): number[] {
  const vector = new Array<number>(64).fill(0.01);
  for (const character of text) vector[(character.codePointAt(0) ?? 0) % 64] = 1;
  return vector;
}

/** A server that completes chats as OpenAI's endpoint does, with what `say` makes of the last message. */
export function chatCompletions(say: (message: string) => string | undefined): Promise<JsonServer> {
  return jsonServer(({ body }: ReceivedRequest) => {
    const content = say(body.messages.at(-1).content);
    if (content === undefined) return undefined;
    return { id: "c1", object: "chat.completion", model: body.model, choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }] };
  });
}

/** A server that reranks as Cohere's v2 endpoint does: the longer the document, the better. */
export function cohereRerank(): Promise<JsonServer> {
  return jsonServer(({ body }: ReceivedRequest) => {
    const ranked = body.documents.map((text: string, index: number) => ({ index, relevance_score: text.length / 1000 })) as { relevance_score: number }[];
    return { id: "r1", results: ranked.sort((a, b) => b.relevance_score - a.relevance_score).slice(0, body.top_n), meta: { api_version: { version: "2" } } };
  });
}
