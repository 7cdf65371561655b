// Forward pass of the sentence encoder: a BERT of 12 layers with 4-bit weights, for WebAssembly with 128-bit SIMD.
// Freestanding: no library, no imports. The host copies the packed file behind `__heap_base`, tells where each tensor
// lies, and from then on writes token ids, calls `encode` and reads a vector.
//
// Matrix products are integers (linear.h, attention.h); normalisation, softmax, GELU and the residual stream are float32.

#define HIDDEN_SIZE 384
#define INNER_SIZE 1536
#define HEADS 12
#define HEAD_SIZE (HIDDEN_SIZE / HEADS)
#define LAYERS 12
#define MAX_TOKENS 512

#include "attention.h"
#include "linear.h"
#include "vector.h"

#define EXPORT(name) __attribute__((export_name(name)))
#define NORM_EPSILON 1e-12f

// The four matrices of a layer, in the order of the calls of `set_linear`.
enum { QUERY_KEY_VALUE, ATTENTION_OUTPUT, INNER, INNER_OUTPUT, MATRICES };
static const int matrix_rows[MATRICES] = {QKV_SIZE, HIDDEN_SIZE, INNER_SIZE, HIDDEN_SIZE};
static const int matrix_columns[MATRICES] = {HIDDEN_SIZE, HIDDEN_SIZE, HIDDEN_SIZE, INNER_SIZE};
#define LAYER_ROWS (QKV_SIZE + HIDDEN_SIZE + INNER_SIZE + HIDDEN_SIZE)
#define LAYER_BLOCKS ((QKV_SIZE + HIDDEN_SIZE + INNER_SIZE) * (HIDDEN_SIZE / BLOCK_WEIGHTS) + HIDDEN_SIZE * (INNER_SIZE / BLOCK_WEIGHTS))

typedef struct { const float *gain, *bias; } Norm;
typedef struct { Linear linear[MATRICES]; Norm after_attention, after_inner; } Layer;

static Layer layers[LAYERS];
static float row_units[LAYERS * LAYER_ROWS];
static i16 block_multipliers[LAYERS * LAYER_BLOCKS];

static struct { const u16 *scales; const u8 *blocks; const float *positions; Norm norm; } embedding;

static int token_ids[MAX_TOKENS];
static float sentence_vector[HIDDEN_SIZE];

// One token more than a text can have, for the last tile of an odd number of tokens.
static float hidden[(MAX_TOKENS + 1) * HIDDEN_SIZE];
static float wide[(MAX_TOKENS + 1) * INNER_SIZE];
static float narrow[(MAX_TOKENS + 1) * QKV_SIZE];

EXPORT("token_ids") int *get_token_ids(void) { return token_ids; }
EXPORT("sentence_vector") float *get_sentence_vector(void) { return sentence_vector; }
EXPORT("hidden_size") int get_hidden_size(void) { return HIDDEN_SIZE; }
EXPORT("inner_size") int get_inner_size(void) { return INNER_SIZE; }
EXPORT("heads") int get_heads(void) { return HEADS; }
EXPORT("layers") int get_layers(void) { return LAYERS; }
EXPORT("max_tokens") int get_max_tokens(void) { return MAX_TOKENS; }

// `words`: packed matrix of `word_count` rows. `positions`: float32, one row per position, the token type already added.
EXPORT("set_embedding")
void set_embedding(const u16 *words, int word_count, const float *positions, const float *norm_gain, const float *norm_bias) {
  embedding.scales = words;
  embedding.blocks = (const u8 *)(words + word_count * (HIDDEN_SIZE / BLOCK_WEIGHTS));
  embedding.positions = positions;
  embedding.norm = (Norm){norm_gain, norm_bias};
}

// `weights`: packed matrix. The matrices of a layer may come in any order; each is prepared once, here.
EXPORT("set_linear")
void set_linear(int layer, int matrix, const u16 *weights, const float *bias) {
  const int rows = matrix_rows[matrix], columns = matrix_columns[matrix];
  float *units = row_units + layer * LAYER_ROWS;
  i16 *multipliers = block_multipliers + layer * LAYER_BLOCKS;
  for (int i = 0; i < matrix; i++) {
    units += matrix_rows[i];
    multipliers += matrix_rows[i] * (matrix_columns[i] / BLOCK_WEIGHTS);
  }
  const u8 *blocks = (const u8 *)(weights + rows * (columns / BLOCK_WEIGHTS));
  layers[layer].linear[matrix] = (Linear){rows, columns, blocks, multipliers, units, bias};
  prepare_linear(&layers[layer].linear[matrix], weights);
}

EXPORT("set_norms")
void set_norms(int layer, const float *attention_gain, const float *attention_bias, const float *inner_gain, const float *inner_bias) {
  layers[layer].after_attention = (Norm){attention_gain, attention_bias};
  layers[layer].after_inner = (Norm){inner_gain, inner_bias};
}

static void embed_token(int id, int position) {
  const int block_count = HIDDEN_SIZE / BLOCK_WEIGHTS;
  for (int i = 0; i < block_count; i++) {
    const float scale = half_to_float(embedding.scales[id * block_count + i]);
    const u8 *block = embedding.blocks + (id * block_count + i) * BLOCK_BYTES;
    const float *offset = embedding.positions + position * HIDDEN_SIZE + i * BLOCK_WEIGHTS;
    float *to = hidden + position * HIDDEN_SIZE + i * BLOCK_WEIGHTS;
    for (int j = 0; j < BLOCK_WEIGHTS / 2; j++) {
      to[j] = ((block[j] & 15) - 8) * scale + offset[j];
      to[j + 16] = ((block[j] >> 4) - 8) * scale + offset[j + 16];
    }
  }
}

static void normalise_token(float *token, Norm norm) {
  f32x4 sum = splat_f32(0), square_sum = splat_f32(0);
  for (int i = 0; i < HIDDEN_SIZE; i += 4) sum += load_f32(token + i);
  const f32x4 mean = splat_f32(sum_of_lanes(sum) / HIDDEN_SIZE);
  for (int i = 0; i < HIDDEN_SIZE; i += 4) {
    const f32x4 difference = load_f32(token + i) - mean;
    square_sum += difference * difference;
  }
  const f32x4 inverse = splat_f32(1 / __builtin_sqrtf(sum_of_lanes(square_sum) / HIDDEN_SIZE + NORM_EPSILON));
  for (int i = 0; i < HIDDEN_SIZE; i += 4)
    store_f32(token + i, (load_f32(token + i) - mean) * inverse * load_f32(norm.gain + i) + load_f32(norm.bias + i));
}

static void add_and_normalise(float *tokens, const float *added, Norm norm, int token_count) {
  for (int token = 0; token < token_count; token++, tokens += HIDDEN_SIZE, added += HIDDEN_SIZE) {
    for (int i = 0; i < HIDDEN_SIZE; i += 4) store_f32(tokens + i, load_f32(tokens + i) + load_f32(added + i));
    normalise_token(tokens, norm);
  }
}

static void apply_layer(const Layer *layer, int token_count) {
  apply_linear(&layer->linear[QUERY_KEY_VALUE], hidden, narrow, token_count);
  attend(narrow, wide, token_count);
  apply_linear(&layer->linear[ATTENTION_OUTPUT], wide, narrow, token_count);
  add_and_normalise(hidden, narrow, layer->after_attention, token_count);

  apply_linear(&layer->linear[INNER], hidden, wide, token_count);
  for (int i = 0; i < token_count * INNER_SIZE; i += 4) store_f32(wide + i, gelu(load_f32(wide + i)));
  apply_linear(&layer->linear[INNER_OUTPUT], wide, narrow, token_count);
  add_and_normalise(hidden, narrow, layer->after_inner, token_count);
}

// Mean over all tokens, scaled to length one; the scaling makes the division by their number needless.
static void pool_tokens(int token_count) {
  float square_sum = 0;
  for (int i = 0; i < HIDDEN_SIZE; i += 4) {
    f32x4 sum = splat_f32(0);
    for (int token = 0; token < token_count; token++) sum += load_f32(hidden + token * HIDDEN_SIZE + i);
    store_f32(sentence_vector + i, sum);
    square_sum += sum_of_lanes(sum * sum);
  }
  const f32x4 inverse = splat_f32(square_sum > 0 ? 1 / __builtin_sqrtf(square_sum) : 0);
  for (int i = 0; i < HIDDEN_SIZE; i += 4) store_f32(sentence_vector + i, load_f32(sentence_vector + i) * inverse);
}

// Encodes the first `token_count` (1 .. MAX_TOKENS) of `token_ids` into `sentence_vector`.
EXPORT("encode")
void encode(int token_count) {
  for (int token = 0; token < token_count; token++) {
    embed_token(token_ids[token], token);
    normalise_token(hidden + token * HIDDEN_SIZE, embedding.norm);
  }
  for (int layer = 0; layer < LAYERS; layer++) apply_layer(&layers[layer], token_count);
  pool_tokens(token_count);
}
