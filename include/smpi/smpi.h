/* SMPI's annotations, for programs that were written for it: <smpi/smpi.h> as SimGrid 3.32 has it,
 * as far as programs use it. For C and C++.
 *
 * Where a program takes these from SMPI's own mpi.h, compile with `heddlecc -include smpi/smpi.h`.
 * What loops and blocks cost that are sampled is what `heddle run --compute` says. */
#ifndef HEDDLE_SMPI_H
#define HEDDLE_SMPI_H

#include <heddle.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Work that is not done, but costs its time. */
#define smpi_execute(seconds) heddle_compute(seconds)
#define smpi_execute_benched(seconds) heddle_compute(seconds)
#define smpi_execute_flops(operations) heddle_compute_flops(operations)
#define smpi_execute_flops_benched(operations) heddle_compute_flops(operations)
#define SMPI_SAMPLE_DELAY(seconds) for (heddle_compute(seconds); 0;)
#define SMPI_SAMPLE_FLOPS(operations) for (heddle_compute_flops(operations); 0;)

/* Loops of which some rounds are run and the others charged with what these cost on average. Like
 * SMPI's they count their rounds first, so beginning, end and step are evaluated twice. */
#define SMPI_JOIN2(a, b) a##b
#define SMPI_JOIN(a, b) SMPI_JOIN2(a, b)
#define SMPI_PLACE SMPI_JOIN(smpi_place_, __LINE__)
#define SMPI_ROUNDS SMPI_JOIN(smpi_rounds_, __LINE__)
#define SMPI_SAMPLE_LOOP(begin, end, step, everywhere, most, error, tag)                     \
  char SMPI_PLACE[192];                                                                      \
  int SMPI_ROUNDS = 0;                                                                       \
  snprintf(SMPI_PLACE, sizeof SMPI_PLACE, "%s:%d:%s", __FILE__, __LINE__, tag);              \
  {                                                                                          \
    begin;                                                                                   \
    while (end) {                                                                            \
      SMPI_ROUNDS++;                                                                         \
      (step);                                                                                \
    }                                                                                        \
  }                                                                                          \
  for (begin;                                                                                \
       (end) && heddle_sample_begin(SMPI_PLACE, (everywhere), (most), (error), SMPI_ROUNDS); \
       heddle_sample_end(SMPI_PLACE, (everywhere)), SMPI_ROUNDS--, (step))
#define SMPI_SAMPLE_LOCAL(begin, end, step, most, error) \
  SMPI_SAMPLE_LOOP(begin, (end), (step), 0, (most), (error), "")
#define SMPI_SAMPLE_LOCAL_TAG(begin, end, step, most, error, tag) \
  SMPI_SAMPLE_LOOP(begin, (end), (step), 0, (most), (error), tag)
#define SMPI_SAMPLE_GLOBAL(begin, end, step, most, error) \
  SMPI_SAMPLE_LOOP(begin, (end), (step), 1, (most), (error), "")
#define SMPI_SAMPLE_GLOBAL_TAG(begin, end, step, most, error, tag) \
  SMPI_SAMPLE_LOOP(begin, (end), (step), 1, (most), (error), tag)

/* Memory that all ranks share, for data that nobody looks at. */
#define SMPI_SHARED_MALLOC(size) heddle_folded_alloc(size)
#define SMPI_PARTIAL_SHARED_MALLOC(size, offsets, ranges) \
  heddle_folded_alloc_partly((size), (offsets), (ranges))
#define SMPI_SHARED_FREE(memory) smpi_shared_free(memory)

static inline void smpi_shared_free(void* memory) {
  if (memory != NULL && !heddle_folded_free(memory)) free(memory);
}
static inline void* smpi_shared_malloc(size_t size, const char* file, int line) {
  (void)file;
  (void)line;
  return heddle_folded_alloc(size);
}
static inline void* smpi_shared_malloc_partial(size_t size, const size_t* offsets, int ranges) {
  return heddle_folded_alloc_partly(size, offsets, ranges);
}

/* Functions whose result is the same for all ranks that call them with the same input: the first
 * one calls, the others get what it answered. */
#define SMPI_SHARED_CALL(function, input, ...)    \
  (smpi_shared_known_call(#function, (input))     \
       ? smpi_shared_get_call(#function, (input)) \
       : smpi_shared_set_call(#function, (input), ((function)(__VA_ARGS__))))

static inline void* smpi_shared_get_call(const char* function, const char* input) {
  char key[512];
  void* answer = NULL;
  snprintf(key, sizeof key, "smpi:%s:%s", function, input);
  heddle_find(key, &answer, sizeof answer);
  return answer;
}
static inline int smpi_shared_known_call(const char* function, const char* input) {
  char key[512];
  snprintf(key, sizeof key, "smpi:%s:%s", function, input);
  return heddle_find(key, NULL, 0) >= 0;
}
static inline void* smpi_shared_set_call(const char* function, const char* input, void* answer) {
  char key[512];
  snprintf(key, sizeof key, "smpi:%s:%s", function, input);
  heddle_show(key, &answer, sizeof answer);
  return answer;
}

static inline int smpi_global_size(void) {
  return heddle_size();
}
/* Measuring goes on by itself. */
static inline void smpi_bench_begin(void) {}
static inline void smpi_bench_end(void) {}

#endif
