/* Atomic operations: sums of all ranks in one place, every operation on every type of whole
 * numbers, floating point, and all kinds of exchange. Rank 0 is the target. */
#include "checked.h"

static int64_t total[3];
static union {
  int8_t i8;
  uint8_t u8;
  int16_t i16;
  uint16_t u16;
  int32_t i32;
  uint32_t u32;
  int64_t i64;
  uint64_t u64;
  float f;
  double d;
} place, given, had;

static struct Side side;
static ptl_handle_md_t from, into;
static ptl_handle_ct_t done;
static ptl_size_t expected = 0;

static void await(void) {
  IS(reached(done, ++expected).failure, 0);
}

static void combine(ptl_op_t operation, ptl_datatype_t type, size_t size) {
  OK(PtlAtomic(from, 0, size, PTL_CT_ACK_REQ, rank_id(0), side.portal, 2, 0, NULL, 0, operation,
               type));
  await();
}

/* What both would be with each other, as C has it. */
static int64_t combined(ptl_op_t operation, int64_t a, int64_t b) {
  switch (operation) {
    case PTL_MIN:
      return a < b ? a : b;
    case PTL_MAX:
      return a > b ? a : b;
    case PTL_SUM:
      return a + b;
    case PTL_PROD:
      return a * b;
    case PTL_LOR:
      return a || b;
    case PTL_LAND:
      return a && b;
    case PTL_BOR:
      return a | b;
    case PTL_BAND:
      return a & b;
    case PTL_LXOR:
      return !a != !b;
    default:
      return a ^ b;
  }
}

#define EACH_TYPE(X)   \
  X(i8, PTL_INT8_T)    \
  X(u8, PTL_UINT8_T)   \
  X(i16, PTL_INT16_T)  \
  X(u16, PTL_UINT16_T) \
  X(i32, PTL_INT32_T) X(u32, PTL_UINT32_T) X(i64, PTL_INT64_T) X(u64, PTL_UINT64_T)

static void whole_numbers(void) {
  for (ptl_op_t operation = PTL_MIN; operation <= PTL_BXOR; ++operation) {
#define ONE(member, type)                        \
  place.member = 11;                             \
  given.member = 6;                              \
  combine(operation, type, sizeof place.member); \
  IS(place.member, combined(operation, 11, 6));
    EACH_TYPE(ONE)
#undef ONE
  }
}

static void floating_point(void) {
  place.d = 1.5;
  given.d = -2.25;
  combine(PTL_PROD, PTL_DOUBLE, sizeof(double));
  IS(place.d == -3.375, 1);
  place.f = 0.5f;
  given.f = 8;
  combine(PTL_MAX, PTL_FLOAT, sizeof(float));
  IS(place.f == 8, 1);
}

static void swap(ptl_op_t operation, int64_t operand, int64_t value, int64_t before,
                 int64_t after) {
  place.i64 = before;
  given.i64 = value;
  OK(PtlSwap(into, 0, from, 0, 8, rank_id(0), side.portal, 2, 0, NULL, 0,
             operation == PTL_SWAP ? NULL : &operand, operation, PTL_INT64_T));
  await();
  IS(had.i64, before);
  IS(place.i64, after);
}

/* The condition is "operand op target". */
static void exchanges(void) {
  swap(PTL_SWAP, 0, 5, 3, 5);
  swap(PTL_CSWAP, 3, 5, 3, 5);
  swap(PTL_CSWAP, 4, 5, 3, 3);
  swap(PTL_CSWAP_NE, 4, 5, 3, 5);
  swap(PTL_CSWAP_LE, 3, 5, 3, 5);
  swap(PTL_CSWAP_LT, 3, 5, 3, 3);
  swap(PTL_CSWAP_GE, 2, 5, 3, 3);
  swap(PTL_CSWAP_GT, 4, 5, 3, 5);
  swap(PTL_MSWAP, 0xf0, 0xab, 0xcd, 0xad);
}

int main(void) {
  side = begin(PTL_NI_MATCHING | PTL_NI_LOGICAL, 0);
  const unsigned options = PTL_ME_OP_PUT | PTL_ME_OP_GET | PTL_ME_EVENT_COMM_DISABLE;
  append(&side, entry_of(total, sizeof total, options, 1), NULL);
  append(&side, entry_of(&place, sizeof place, options, 2), NULL);
  done = counter_of(&side);
  from =
      bind(&side, &given, sizeof given, PTL_MD_EVENT_CT_ACK | PTL_MD_EVENT_SUCCESS_DISABLE, done);
  into = bind(&side, &had, sizeof had, PTL_MD_EVENT_CT_REPLY | PTL_MD_EVENT_SUCCESS_DISABLE, done);
  heddle_barrier();
  for (int i = 0; i < 10; ++i) {
    given.i64 = side.rank + 1;
    OK(PtlAtomic(from, 0, 8, PTL_CT_ACK_REQ, rank_id(0), side.portal, 1, 0, NULL, 0, PTL_SUM,
                 PTL_INT64_T));
    await();
    given.i64 = 1;
    OK(PtlFetchAtomic(into, 0, from, 0, 8, rank_id(0), side.portal, 1, 8, NULL, 0, PTL_SUM,
                      PTL_INT64_T));
    await();
    IS(had.i64 >= i && had.i64 < 10 * side.size, 1);
  }
  heddle_barrier();
  OK(PtlAtomicSync());
  if (side.rank == 0) {
    IS(total[0], 10 * side.size * (side.size + 1) / 2);
    IS(total[1], 10 * side.size);
    whole_numbers();
    floating_point();
    exchanges();
  }
  return finish(&side);
}
