// Nearest neighbours over vectors of 8-bit numbers: what is too slow in JavaScript, and nothing else.
//
// A vector x of length 1 is kept as 8-bit codes c, a scale s and the length e of x - s * c, so that |x.q - s * c.q| <= e
// for every q of length 1. The caller searches the codes, and then looks exactly at all that the bound cannot rule out.

#include <stdint.h>
#include <wasm_simd128.h>

static inline float sum4(v128_t s) {
  return (wasm_f32x4_extract_lane(s, 0) + wasm_f32x4_extract_lane(s, 1)) + (wasm_f32x4_extract_lane(s, 2) + wasm_f32x4_extract_lane(s, 3));
}

// Turns one vector of any length but zero into codes; components behind the last one up to `stride` are zero.
// Everything is divided by the largest component first, so that no square is too large or too small.
__attribute__((export_name("encode")))
void encode(const float *vector, int stride, int8_t *codes, float *scale, float *error) {
  v128_t most = wasm_f32x4_const_splat(0);
  for (int i = 0; i < stride; i += 4) most = wasm_f32x4_pmax(most, wasm_f32x4_abs(wasm_v128_load(vector + i)));
  float largest = 0;
  for (int lane = 0; lane < 4; lane++) {
    float each = ((const float *)&most)[lane];
    if (each > largest) largest = each;
  }
  v128_t divisor = wasm_f32x4_splat(largest), steps = wasm_f32x4_const_splat(127);
  v128_t squares = wasm_f32x4_const_splat(0), lost = squares;
  for (int i = 0; i < stride; i += 4) {
    v128_t x = wasm_f32x4_div(wasm_v128_load(vector + i), divisor);
    v128_t code = wasm_f32x4_nearest(wasm_f32x4_mul(x, steps));
    v128_t rest = wasm_f32x4_sub(x, wasm_f32x4_div(code, steps));
    squares = wasm_f32x4_add(squares, wasm_f32x4_mul(x, x));
    lost = wasm_f32x4_add(lost, wasm_f32x4_mul(rest, rest));
    v128_t whole = wasm_i32x4_trunc_sat_f32x4(code);
    v128_t words = wasm_i16x8_narrow_i32x4(whole, whole);
    wasm_v128_store32_lane(codes + i, wasm_i8x16_narrow_i16x8(words, words), 0);
  }
  float length = __builtin_sqrtf(sum4(squares));
  scale[0] = 1 / (127 * length);
  error[0] = __builtin_sqrtf(sum4(lost)) / length;
}

static inline v128_t multiply(v128_t sum, v128_t codes, const int16_t *query) {
  v128_t low = wasm_i32x4_dot_i16x8(wasm_i16x8_extend_low_i8x16(codes), wasm_v128_load(query));
  v128_t high = wasm_i32x4_dot_i16x8(wasm_i16x8_extend_high_i8x16(codes), wasm_v128_load(query + 8));
  return wasm_i32x4_add(sum, wasm_i32x4_add(low, high));
}

// The four sums are added as floats, for together they can be larger than 32 bits hold.
static inline float total(v128_t sum) {
  return sum4(wasm_f32x4_convert_i32x4(sum));
}

// results[i] = unit * scales[i] * (codes of vector i . query); stride is a multiple of 16.
__attribute__((export_name("scan")))
void scan(const int8_t *codes, const int16_t *query, const float *scales, float *results, int count, int stride, float unit) {
  int i = 0;
  for (; i + 2 <= count; i += 2) {
    const int8_t *a = codes + (long)i * stride, *b = a + stride;
    v128_t sumA = wasm_i32x4_const_splat(0), sumB = sumA;
    for (int j = 0; j < stride; j += 16) {
      sumA = multiply(sumA, wasm_v128_load(a + j), query + j);
      sumB = multiply(sumB, wasm_v128_load(b + j), query + j);
    }
    results[i] = unit * scales[i] * total(sumA);
    results[i + 1] = unit * scales[i + 1] * total(sumB);
  }
  if (i < count) {
    const int8_t *a = codes + (long)i * stride;
    v128_t sum = wasm_i32x4_const_splat(0);
    for (int j = 0; j < stride; j += 16) sum = multiply(sum, wasm_v128_load(a + j), query + j);
    results[i] = unit * scales[i] * total(sum);
  }
}
