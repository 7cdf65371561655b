/**
 * Characters and pairs of Chinese that say nothing in a question: particles, pronouns of asking, joining words, in both scripts.
 *
 * `为什` stands for the first pair of `为什么`, for pairs are what a question is made of.
 */
export const cjkStopWords: ReadonlySet<string> = new Set(
  (
    "的 地 得 了 着 过 是 在 和 与 與 及 或 也 就 都 而 被 把 从 從 对 對 于 於 由 以 之 其 这 這 那 此 个 個 们 們 " +
    "什 么 麼 哪 谁 誰 何 几 幾 吗 嗎 呢 吧 啊 怎 " +
    "什么 什麼 哪个 哪個 哪些 哪里 哪裡 哪儿 谁的 為何 为何 何时 何時 何处 如何 怎么 怎麼 怎样 怎樣 多少 几个 幾個 " +
    "为什 為什 是否 是什 有什 这个 這個 那个 那個 这些 這些 那些 以及 或者 以及 因为 因為 所以 但是 如果"
  ).split(" "),
);
