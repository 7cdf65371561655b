// Self-attention over all tokens of one text, head by head, with integer products as in the linear layers.
//
// Keys lie as [four keys][pair of dimensions][key][2] and values as [pair of keys][dimension][2]: each vector of a
// product then belongs to four results, and no sums across lanes are needed.
#pragma once
#include "vector.h"

#define KEY_TILE 16                   // scores are computed for 16 keys and 2 queries at a time
#define QUERY_TILE 2
#define PADDED_TOKENS (MAX_TOKENS + KEY_TILE)
#define QKV_SIZE (3 * HIDDEN_SIZE)    // a token's query, key and value, all heads each
#define SCORE_FACTOR 0.17677669f      // 1 / sqrt(HEAD_SIZE)
#define NO_SCORE -1e30f

// 32 products of a query and a key, and up to 512 of a probability and a value, must stay below 2^31.
#define QUERY_MAX 4095.f
#define KEY_MAX 8191.f
#define VALUE_MAX 32767.f
#define PROBABILITY_MAX 32767.f

static i16 keys[PADDED_TOKENS * HEAD_SIZE], values[PADDED_TOKENS * HEAD_SIZE];
static float key_units[PADDED_TOKENS];
static i16 queries[QUERY_TILE][HEAD_SIZE], probabilities[QUERY_TILE][PADDED_TOKENS];
static float scores[QUERY_TILE][PADDED_TOKENS];

// One head of one token as integers up to `top`; returns their unit.
INLINE float quantise_head(const float *from, i16 *to, float top) {
  const float largest = max_magnitude(from, HEAD_SIZE);
  const f32x4 factor = splat_f32(largest > 0 ? top / largest : 0);
  for (int i = 0; i < HEAD_SIZE; i += 8) store_i16(to + i, scaled_i16(from + i, factor));
  return largest / top;
}

// Keys beyond the text repeat its last one; their scores are thrown away.
static void pack_keys(const float *head_keys, int token_count, int padded_count) {
  i16 rows[4][HEAD_SIZE];
  for (int first = 0; first < padded_count; first += 4) {
    for (int i = 0; i < 4; i++) {
      const int token = first + i < token_count ? first + i : token_count - 1;
      key_units[first + i] = SCORE_FACTOR * quantise_head(head_keys + token * QKV_SIZE, rows[i], KEY_MAX);
    }
    i16 *to = keys + first * HEAD_SIZE;
    for (int i = 0; i < HEAD_SIZE; i += 8, to += 4 * 8) {   // a transpose of 4 x 4 pairs
      const i32x4 a = (i32x4)load_i16(rows[0] + i), b = (i32x4)load_i16(rows[1] + i);
      const i32x4 c = (i32x4)load_i16(rows[2] + i), d = (i32x4)load_i16(rows[3] + i);
      const i32x4 ab_low = interleave_low(a, b), cd_low = interleave_low(c, d);
      const i32x4 ab_high = interleave_high(a, b), cd_high = interleave_high(c, d);
      store_i16(to, (i16x8)low_halves(ab_low, cd_low));
      store_i16(to + 8, (i16x8)high_halves(ab_low, cd_low));
      store_i16(to + 16, (i16x8)low_halves(ab_high, cd_high));
      store_i16(to + 24, (i16x8)high_halves(ab_high, cd_high));
    }
  }
}

// All values of a head share one unit, which is returned; those beyond the text are zero.
static float pack_values(const float *head_values, int token_count, int padded_count) {
  float largest = 0;
  for (int token = 0; token < token_count; token++) {
    const float of_token = max_magnitude(head_values + token * QKV_SIZE, HEAD_SIZE);
    if (of_token > largest) largest = of_token;
  }
  const f32x4 factor = splat_f32(largest > 0 ? VALUE_MAX / largest : 0);
  for (int token = 0; token < padded_count; token += 2) {
    const float *from = head_values + token * QKV_SIZE;
    i16 *to = values + token * HEAD_SIZE;
    for (int i = 0; i < HEAD_SIZE; i += 8, to += 2 * 8) {
      const i16x8 zero = {0};
      const i16x8 a = token < token_count ? scaled_i16(from + i, factor) : zero;
      const i16x8 b = token + 1 < token_count ? scaled_i16(from + QKV_SIZE + i, factor) : zero;
      store_i16(to, __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11));
      store_i16(to + 8, __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15));
    }
  }
  return largest / VALUE_MAX;
}

INLINE i16x8 splat_pair(const i16 *pair) { return (i16x8)wasm_v128_load32_splat(pair); }

INLINE f32x4 store_scores(float *to, i32x4 products, int key, float query_unit) {
  const f32x4 four = to_f32(products) * load_f32(key_units + key) * query_unit;
  store_f32(to + key, four);
  return four;
}

INLINE f32x4 max_of_four(f32x4 a, f32x4 b, f32x4 c, f32x4 d) { return max_f32(max_f32(a, b), max_f32(c, d)); }

// Scores of both queries against all keys; `largest` receives the largest of each.
INLINE void score_keys(int padded_count, const float *query_units, float *largest) {
  f32x4 largest_a = splat_f32(NO_SCORE), largest_b = largest_a;
  for (int key = 0; key < padded_count; key += KEY_TILE) {
    const i16 *k = keys + key * HEAD_SIZE;
    i32x4 a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
    for (int i = 0; i < HEAD_SIZE; i += 2, k += 8) {
      const i16x8 a = splat_pair(queries[0] + i), b = splat_pair(queries[1] + i);
      i16x8 four_keys = load_i16(k);
      a0 += dot_pairs(a, four_keys), b0 += dot_pairs(b, four_keys);
      four_keys = load_i16(k + 4 * HEAD_SIZE);
      a1 += dot_pairs(a, four_keys), b1 += dot_pairs(b, four_keys);
      four_keys = load_i16(k + 8 * HEAD_SIZE);
      a2 += dot_pairs(a, four_keys), b2 += dot_pairs(b, four_keys);
      four_keys = load_i16(k + 12 * HEAD_SIZE);
      a3 += dot_pairs(a, four_keys), b3 += dot_pairs(b, four_keys);
    }
    largest_a = max_f32(largest_a, max_of_four(store_scores(scores[0], a0, key, query_units[0]), store_scores(scores[0], a1, key + 4, query_units[0]),
                                               store_scores(scores[0], a2, key + 8, query_units[0]), store_scores(scores[0], a3, key + 12, query_units[0])));
    largest_b = max_f32(largest_b, max_of_four(store_scores(scores[1], b0, key, query_units[1]), store_scores(scores[1], b1, key + 4, query_units[1]),
                                               store_scores(scores[1], b2, key + 8, query_units[1]), store_scores(scores[1], b3, key + 12, query_units[1])));
  }
  largest[0] = max_of_lanes(largest_a), largest[1] = max_of_lanes(largest_b);
}

// Softmax of one query's scores, as integers. A repeated key cannot change `largest`, and its probability is zero.
INLINE void scores_to_probabilities(float *query_scores, i16 *to, float largest, int token_count, int padded_count) {
  for (int key = token_count; key < padded_count; key++) query_scores[key] = NO_SCORE;
  f32x4 sum = splat_f32(0);
  for (int key = 0; key < padded_count; key += 4) {
    const f32x4 power = exp_of_negative(load_f32(query_scores + key) - largest);
    store_f32(query_scores + key, power);
    sum += power;
  }
  const f32x4 factor = splat_f32(PROBABILITY_MAX / sum_of_lanes(sum));
  for (int key = 0; key < padded_count; key += 8) store_i16(to + key, scaled_i16(query_scores + key, factor));
}

INLINE void store_sixteen(float *to, i32x4 a, i32x4 b, i32x4 c, i32x4 d, float unit) {
  store_f32(to, to_f32(a) * unit), store_f32(to + 4, to_f32(b) * unit);
  store_f32(to + 8, to_f32(c) * unit), store_f32(to + 12, to_f32(d) * unit);
}

// The mean of the values, weighted by the probabilities of both queries, 16 dimensions at a time.
INLINE void mix_values(float *output, int padded_count, float unit) {
  for (int first = 0; first < HEAD_SIZE; first += 16) {
    const i16 *v = values + 2 * first;
    i32x4 a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
    for (int key = 0; key < padded_count; key += 2, v += 2 * HEAD_SIZE) {
      const i16x8 a = splat_pair(probabilities[0] + key), b = splat_pair(probabilities[1] + key);
      i16x8 two_keys = load_i16(v);
      a0 += dot_pairs(a, two_keys), b0 += dot_pairs(b, two_keys);
      two_keys = load_i16(v + 8);
      a1 += dot_pairs(a, two_keys), b1 += dot_pairs(b, two_keys);
      two_keys = load_i16(v + 16);
      a2 += dot_pairs(a, two_keys), b2 += dot_pairs(b, two_keys);
      two_keys = load_i16(v + 24);
      a3 += dot_pairs(a, two_keys), b3 += dot_pairs(b, two_keys);
    }
    store_sixteen(output + first, a0, a1, a2, a3, unit);
    store_sixteen(output + HIDDEN_SIZE + first, b0, b1, b2, b3, unit);
  }
}

// `qkv` holds QKV_SIZE floats a token. `output` must have room for one token more, which an odd last query writes.
static void attend(const float *qkv, float *output, int token_count) {
  const int padded_count = (token_count + KEY_TILE - 1) / KEY_TILE * KEY_TILE;
  for (int head = 0; head < HEADS; head++) {
    const float *head_queries = qkv + head * HEAD_SIZE;
    pack_keys(head_queries + HIDDEN_SIZE, token_count, padded_count);
    const float value_unit = pack_values(head_queries + 2 * HIDDEN_SIZE, token_count, padded_count);
    for (int token = 0; token < token_count; token += QUERY_TILE) {
      float query_units[QUERY_TILE], largest[QUERY_TILE];
      for (int i = 0; i < QUERY_TILE; i++) {
        const int query = token + i < token_count ? token + i : token;
        query_units[i] = quantise_head(head_queries + query * QKV_SIZE, queries[i], QUERY_MAX);
      }
      score_keys(padded_count, query_units, largest);
      for (int i = 0; i < QUERY_TILE; i++) scores_to_probabilities(scores[i], probabilities[i], largest[i], token_count, padded_count);
      mix_values(output + token * HIDDEN_SIZE + head * HEAD_SIZE, padded_count, value_unit / PROBABILITY_MAX);
    }
  }
}
