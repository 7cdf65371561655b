// 128-bit vectors with operators, and the few functions of them that the model needs.
#pragma once
#include <wasm_simd128.h>

typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef unsigned int u32;
typedef i8 i8x16 __attribute__((vector_size(16)));
typedef u8 u8x16 __attribute__((vector_size(16)));
typedef i16 i16x8 __attribute__((vector_size(16)));
typedef int i32x4 __attribute__((vector_size(16)));
typedef float f32x4 __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))

INLINE f32x4 load_f32(const float *from) { return (f32x4)wasm_v128_load(from); }
INLINE i16x8 load_i16(const i16 *from) { return (i16x8)wasm_v128_load(from); }
INLINE u8x16 load_u8(const u8 *from) { return (u8x16)wasm_v128_load(from); }
INLINE void store_f32(float *to, f32x4 value) { wasm_v128_store(to, (v128_t)value); }
INLINE void store_i16(i16 *to, i16x8 value) { wasm_v128_store(to, (v128_t)value); }

INLINE f32x4 splat_f32(float value) { return (f32x4)wasm_f32x4_splat(value); }
INLINE f32x4 to_f32(i32x4 value) { return __builtin_convertvector(value, f32x4); }
INLINE f32x4 abs_f32(f32x4 value) { return (f32x4)wasm_f32x4_abs((v128_t)value); }

// The lane-wise larger one. pmax is one machine instruction; max costs several for the sake of NaN and -0, which do not occur.
INLINE f32x4 max_f32(f32x4 a, f32x4 b) { return (f32x4)wasm_f32x4_pmax((v128_t)a, (v128_t)b); }

INLINE float sum_of_lanes(f32x4 v) { return v[0] + v[1] + v[2] + v[3]; }

INLINE float max_of_lanes(f32x4 v) {
  v = max_f32(v, __builtin_shufflevector(v, v, 2, 3, 0, 1));
  v = max_f32(v, __builtin_shufflevector(v, v, 1, 0, 3, 2));
  return v[0];
}

// Lane i: a[2i] * b[2i] + a[2i + 1] * b[2i + 1]. The widest integer product that WebAssembly offers.
INLINE i32x4 dot_pairs(i16x8 a, i16x8 b) { return (i32x4)wasm_i32x4_dot_i16x8((v128_t)a, (v128_t)b); }

// The two 4 x 4 halves that a transpose is made of: pairs (a0 b0 a1 b1) and (a2 b2 a3 b3).
INLINE i32x4 interleave_low(i32x4 a, i32x4 b) { return __builtin_shufflevector(a, b, 0, 4, 1, 5); }
INLINE i32x4 interleave_high(i32x4 a, i32x4 b) { return __builtin_shufflevector(a, b, 2, 6, 3, 7); }
INLINE i32x4 low_halves(i32x4 a, i32x4 b) { return __builtin_shufflevector(a, b, 0, 1, 4, 5); }
INLINE i32x4 high_halves(i32x4 a, i32x4 b) { return __builtin_shufflevector(a, b, 2, 3, 6, 7); }

// Lane i of the answer is the sum of the lanes of the i-th argument.
INLINE i32x4 sums_of_lanes(i32x4 a, i32x4 b, i32x4 c, i32x4 d) {
  i32x4 ab = interleave_low(a, b) + interleave_high(a, b);
  i32x4 cd = interleave_low(c, d) + interleave_high(c, d);
  return low_halves(ab, cd) + high_halves(ab, cd);
}

// Adding 1.5 * 2^23 to a float below 2^22 leaves the rounded integer in the low bits of its mantissa:
// cheaper than a conversion, which has to look at numbers out of range first.
#define ROUNDING_SHIFT 12582912.f
#define ROUNDING_SHIFT_BITS 0x4B400000

INLINE i32x4 round_to_i32(f32x4 value) { return (i32x4)(value + ROUNDING_SHIFT) - ROUNDING_SHIFT_BITS; }

INLINE i16x8 round_to_i16(f32x4 low, f32x4 high) {
  return (i16x8)wasm_i16x8_narrow_i32x4((v128_t)round_to_i32(low), (v128_t)round_to_i32(high));
}

// Eight floats times a factor that brings them into range.
INLINE i16x8 scaled_i16(const float *from, f32x4 factor) {
  return round_to_i16(load_f32(from) * factor, load_f32(from + 4) * factor);
}

// Largest absolute value of `count` floats, a multiple of four.
INLINE float max_magnitude(const float *values, int count) {
  f32x4 largest = splat_f32(0);
  for (int i = 0; i < count; i += 4) largest = max_f32(largest, abs_f32(load_f32(values + i)));
  return max_of_lanes(largest);
}

// e^x for x <= 0. With x / ln 2 = n + r and |r| <= 1/2, 2^r is a polynomial (its Taylor series, error below 4e-6),
// and the factor 2^n is added to the exponent bits.
INLINE f32x4 exp_of_negative(f32x4 x) {
  f32x4 scaled = max_f32(x, splat_f32(-87.f)) * 1.44269504f;
  f32x4 shifted = scaled + ROUNDING_SHIFT;
  f32x4 r = scaled - (shifted - ROUNDING_SHIFT);
  f32x4 power = r * 1.3333558e-3f + 9.6181291e-3f;
  power = power * r + 5.5504109e-2f;
  power = power * r + 2.4022651e-1f;
  power = power * r + 6.9314718e-1f;
  power = power * r + 1.f;
  return (f32x4)((i32x4)power + ((i32x4)shifted << 23));
}

// GELU in its exact form, x/2 * (1 + erf(x / sqrt 2)), with erf after Abramowitz and Stegun 7.1.26 (error below 2e-7).
INLINE f32x4 gelu(f32x4 x) {
  f32x4 z = abs_f32(x) * 0.70710678f;
  f32x4 t = 1.f / (z * 0.3275911f + 1.f);
  f32x4 series = t * 1.061405429f + -1.453152027f;
  series = series * t + 1.421413741f;
  series = series * t + -0.284496736f;
  series = series * t + 0.254829592f;
  f32x4 magnitude = 1.f - series * t * exp_of_negative(-(z * z));
  const i32x4 sign_bit = {(int)0x80000000, (int)0x80000000, (int)0x80000000, (int)0x80000000};
  f32x4 erf = (f32x4)((i32x4)magnitude | ((i32x4)x & sign_bit));
  return x * 0.5f * (1.f + erf);
}

// float16 to float32. The model file holds no infinities and no NaN.
INLINE float half_to_float(u16 half) {
  u32 exponent = (half >> 10) & 31, mantissa = half & 1023;
  union { u32 bits; float value; } magnitude;
  if (exponent) magnitude.bits = (exponent + 112) << 23 | mantissa << 13;
  else magnitude.value = mantissa * 0x1p-24f;
  return half & 0x8000 ? -magnitude.value : magnitude.value;
}
