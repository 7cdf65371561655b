// Linear layers y = W x + b with 4-bit weights.
//
// A packed matrix holds all scales first (float16, row after row, one per 32 weights), then all blocks of 32 weights in
// 16 bytes: weight j in the low, weight j + 16 in the high half of byte j; a weight is (nibble - 8) * scale.
//
// Products are integers. The activations of a token become 13-bit numbers in a unit of their own. The scales of a row
// become multiples of a unit of the row, so that a weight is a 16-bit number: (nibble - 8) * multiplier.
// A matrix is never unpacked as a whole: a few rows at a time are, into a buffer that stays in the first-level cache
// while all tokens of the text pass by. Memory then holds the packed file and little else.
#pragma once
#include "vector.h"

#define BLOCK_WEIGHTS 32
#define BLOCK_BYTES 16
#define TILE_TOKENS 2                 // 2 x 4 running sums, their operands and a product just fit 16 registers
#define TILE_ROWS 4
#define ACTIVATION_MAX 4095.f
#define MULTIPLIER_MAX 4090.f         // times a nibble of -8 it still is a 16-bit number, after rounding too
#define SUM_MAX 2.1e9f                // below 2^31 by more than the rounding of the multipliers can add

typedef struct {
  int rows, columns;
  const u8 *blocks;
  i16 *multipliers;                   // one per block
  float *units;                       // one per row
  const float *bias;                  // one per row
} Linear;

static i16 activations[(MAX_TOKENS + TILE_TOKENS) * INNER_SIZE];   // [tile][eight columns][token of the tile][8]
static float activation_units[MAX_TOKENS + TILE_TOKENS];
static i16 unpacked_rows[TILE_ROWS * INNER_SIZE];                  // [eight columns][row of the tile][8]

INLINE i8x16 low_nibbles(u8x16 block) { return (i8x16)(block & 15) - 8; }
INLINE i8x16 high_nibbles(u8x16 block) { return (i8x16)(block >> 4) - 8; }

INLINE float sum_of_nibble_magnitudes(u8x16 block) {
  v128_t bytes = (v128_t)((i8x16)wasm_i8x16_abs((v128_t)low_nibbles(block)) + (i8x16)wasm_i8x16_abs((v128_t)high_nibbles(block)));
  v128_t sums = wasm_i32x4_extadd_pairwise_i16x8(wasm_i16x8_extadd_pairwise_i8x16(bytes));
  return sum_of_lanes(to_f32((i32x4)sums));
}

// The smallest unit of a row for which no sum of products can leave 32 bits and no weight 16 bits.
static float row_unit(const u16 *scales, const u8 *blocks, int block_count) {
  float magnitude_sum = 0, largest_scale = 0;
  for (int i = 0; i < block_count; i++) {
    float scale = __builtin_fabsf(half_to_float(scales[i]));
    if (scale > largest_scale) largest_scale = scale;
    magnitude_sum += scale * sum_of_nibble_magnitudes(load_u8(blocks + i * BLOCK_BYTES));
  }
  float for_sum = magnitude_sum * (ACTIVATION_MAX / SUM_MAX), for_weight = largest_scale / MULTIPLIER_MAX;
  float unit = for_sum > for_weight ? for_sum : for_weight;
  return unit > 0 ? unit : 1;
}

// Fills units and multipliers, once per matrix.
static void prepare_linear(Linear *layer, const u16 *scales) {
  const int block_count = layer->columns / BLOCK_WEIGHTS;
  for (int row = 0; row < layer->rows; row++) {
    const u16 *row_scales = scales + row * block_count;
    const float unit = row_unit(row_scales, layer->blocks + row * block_count * BLOCK_BYTES, block_count);
    layer->units[row] = unit;
    for (int i = 0; i < block_count; i++) {
      float multiplier = half_to_float(row_scales[i]) / unit;
      layer->multipliers[row * block_count + i] = (i16)(multiplier < 0 ? multiplier - 0.5f : multiplier + 0.5f);
    }
  }
}

INLINE i16x8 even_lanes(i16x8 a, i16x8 b) { return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14); }
INLINE i16x8 odd_lanes(i16x8 a, i16x8 b) { return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15); }

// Turns `token_count` rows of `columns` floats into integers, in the order in which a block unpacks, and fills up the
// last tile with zeros (what lies behind the text is finite, and its factor is zero).
static void quantise_activations(const float *input, int token_count, int columns) {
  for (int token = 0; token < token_count || token % TILE_TOKENS; token++) {
    i16 *to = activations + token / TILE_TOKENS * TILE_TOKENS * columns + token % TILE_TOKENS * 8;
    const float *from = input + token * columns;
    const float largest = token < token_count ? max_magnitude(from, columns) : 0;
    const f32x4 factor = splat_f32(largest > 0 ? ACTIVATION_MAX / largest : 0);
    activation_units[token] = largest / ACTIVATION_MAX;
    for (int i = 0; i < columns; i += BLOCK_WEIGHTS, to += TILE_TOKENS * BLOCK_WEIGHTS) {
      const i16x8 a = scaled_i16(from + i, factor), b = scaled_i16(from + i + 8, factor);
      const i16x8 c = scaled_i16(from + i + 16, factor), d = scaled_i16(from + i + 24, factor);
      store_i16(to, even_lanes(a, b));
      store_i16(to + TILE_TOKENS * 8, even_lanes(c, d));
      store_i16(to + TILE_TOKENS * 16, odd_lanes(a, b));
      store_i16(to + TILE_TOKENS * 24, odd_lanes(c, d));
    }
  }
}

// Each 16 bits of a block hold four weights, so shifts unpack eight weights at once: those of the even bytes' low halves
// (0, 2 .. 14), their high halves (16, 18 .. 30), and the same of the odd bytes. With its highest bit inverted, a nibble
// of n is the four-bit number n - 8, which a shift to the right extends with its sign.
static void unpack_rows(const Linear *layer, int first_row) {
  const int block_count = layer->columns / BLOCK_WEIGHTS;
  for (int row = 0; row < TILE_ROWS; row++) {
    const u8 *blocks = layer->blocks + (first_row + row) * block_count * BLOCK_BYTES;
    const i16 *multipliers = layer->multipliers + (first_row + row) * block_count;
    i16 *to = unpacked_rows + row * 8;
    for (int i = 0; i < block_count; i++, to += TILE_ROWS * BLOCK_WEIGHTS) {
      const i16x8 block = (i16x8)(load_u8(blocks + i * BLOCK_BYTES) ^ 0x88);
      const i16 multiplier = multipliers[i];
      store_i16(to, (block << 12 >> 12) * multiplier);
      store_i16(to + TILE_ROWS * 8, (block << 8 >> 12) * multiplier);
      store_i16(to + TILE_ROWS * 16, (block << 4 >> 12) * multiplier);
      store_i16(to + TILE_ROWS * 24, (block >> 12) * multiplier);
    }
  }
}

// output[token][row] = W input + b. `output` must have room for one token more, which an odd last tile writes.
static void apply_linear(const Linear *layer, const float *input, float *output, int token_count) {
  const int rows = layer->rows, columns = layer->columns;
  quantise_activations(input, token_count, columns);
  for (int row = 0; row < rows; row += TILE_ROWS) {
    unpack_rows(layer, row);
    const f32x4 units = load_f32(layer->units + row), bias = load_f32(layer->bias + row);
    for (int token = 0; token < token_count; token += TILE_TOKENS) {
      const i16 *x = activations + token * columns, *end = x + TILE_TOKENS * columns, *w = unpacked_rows;
      i32x4 a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
      do {   // eight columns a turn; unrolled, more values are alive than there are registers
        const i16x8 a = load_i16(x), b = load_i16(x + 8);
        i16x8 weights = load_i16(w);
        a0 += dot_pairs(a, weights), b0 += dot_pairs(b, weights);
        weights = load_i16(w + 8);
        a1 += dot_pairs(a, weights), b1 += dot_pairs(b, weights);
        weights = load_i16(w + 16);
        a2 += dot_pairs(a, weights), b2 += dot_pairs(b, weights);
        weights = load_i16(w + 24);
        a3 += dot_pairs(a, weights), b3 += dot_pairs(b, weights);
        x += TILE_TOKENS * 8, w += TILE_ROWS * 8;
      } while (x != end);
      float *to = output + token * rows + row;
      store_f32(to, to_f32(sums_of_lanes(a0, a1, a2, a3)) * (units * activation_units[token]) + bias);
      store_f32(to + rows, to_f32(sums_of_lanes(b0, b1, b2, b3)) * (units * activation_units[token + 1]) + bias);
    }
  }
}
