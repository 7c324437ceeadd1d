// Atomic operations: every operator on every type, and the calls that carry them.
#include <complex>
#include <cstring>
#include <limits>

#include "portals/atomics.hpp"
#include "portals/support.hpp"

namespace heddle::portals {
namespace {

constexpr int kOperations = PTL_DIFF + 1;
constexpr int kTypes = PTL_LONG_DOUBLE_COMPLEX + 1;

bool is_integer(int type) {
  return type <= PTL_UINT64_T;
}
bool is_complex(int type) {
  return type == PTL_FLOAT_COMPLEX || type == PTL_DOUBLE_COMPLEX || type == PTL_LONG_DOUBLE_COMPLEX;
}

/// target op source, of one element.
template <class T>
T applied(ptl_op_t op, ptl_datatype_t type, T target, T source, T operand = T()) {
  EXPECT_EQ(element_size(type), sizeof(T));
  apply(op, type, reinterpret_cast<std::byte*>(&target),
        reinterpret_cast<const std::byte*>(&source), reinterpret_cast<const std::byte*>(&operand),
        sizeof(T));
  return target;
}

// Which pairs are taken, by the table of the interface: MIN and MAX on what has an order, SUM, PROD
// and DIFF on all, logical and bitwise ones on integers; swaps by PtlSwap only.
TEST(Atomics, KnowWhatGoesTogether) {
  for (int o = 0; o < kOperations; ++o) {
    for (int t = 0; t < kTypes; ++t) {
      const auto op = static_cast<ptl_op_t>(o);
      const auto type = static_cast<ptl_datatype_t>(t);
      const bool any = op == PTL_SUM || op == PTL_PROD || op == PTL_DIFF;
      const bool ordered = op == PTL_MIN || op == PTL_MAX;
      const bool bits = o >= PTL_LOR && o <= PTL_BXOR;
      EXPECT_EQ(combines(op, type), any || (ordered && !is_complex(t)) || (bits && is_integer(t)));
      const bool any_swap = op == PTL_SWAP || op == PTL_CSWAP || op == PTL_CSWAP_NE;
      const bool ordered_swap = o >= PTL_CSWAP_LE && o <= PTL_CSWAP_GT;
      EXPECT_EQ(swaps(op, type),
                any_swap || (ordered_swap && !is_complex(t)) || (op == PTL_MSWAP && is_integer(t)));
      EXPECT_EQ(has_operand(op), op != PTL_SWAP && o >= PTL_SWAP && o <= PTL_MSWAP);
    }
  }
  EXPECT_EQ(element_size(static_cast<ptl_datatype_t>(99)), 0U);
  EXPECT_FALSE(combines(static_cast<ptl_op_t>(99), PTL_INT8_T));
  EXPECT_FALSE(swaps(static_cast<ptl_op_t>(99), PTL_INT8_T));
}

/// The results that any integer type has: 12 op 10 = 0b1100 op 0b1010, operands around 12.
template <class T>
void check_integer(ptl_datatype_t type) {
  const auto of = [&](ptl_op_t op, T operand = T()) {
    return applied<T>(op, type, 12, 10, operand);
  };
  EXPECT_EQ(of(PTL_MIN), 10);
  EXPECT_EQ(of(PTL_MAX), 12);
  EXPECT_EQ(of(PTL_SUM), 22);
  EXPECT_EQ(of(PTL_DIFF), 2);
  EXPECT_EQ(of(PTL_PROD), 120);
  EXPECT_EQ(of(PTL_LOR), 1);
  EXPECT_EQ(of(PTL_LAND), 1);
  EXPECT_EQ(of(PTL_LXOR), 0);
  EXPECT_EQ(of(PTL_BOR), 14);
  EXPECT_EQ(of(PTL_BAND), 8);
  EXPECT_EQ(of(PTL_BXOR), 6);
  EXPECT_EQ(of(PTL_MSWAP, 3), 14) << "the low two bits of the source, the others as they were";
  EXPECT_EQ(applied<T>(PTL_LXOR, type, 5, 0), 1);
  EXPECT_EQ(applied<T>(PTL_LAND, type, 5, 0), 0);
  EXPECT_EQ(applied<T>(PTL_LOR, type, 0, 0), 0);
}

/// "operand xx target" decides whether the source is stored: 12 is there, 10 comes.
template <class T>
void check_swaps(ptl_datatype_t type) {
  const auto of = [&](ptl_op_t op, int operand) {
    return applied<T>(op, type, T(12), T(10), T(operand)) == T(10);
  };
  EXPECT_TRUE(of(PTL_SWAP, 0));
  EXPECT_TRUE(of(PTL_CSWAP, 12));
  EXPECT_FALSE(of(PTL_CSWAP, 11));
  EXPECT_TRUE(of(PTL_CSWAP_NE, 11));
  EXPECT_FALSE(of(PTL_CSWAP_NE, 12));
}
template <class T>
void check_ordered_swaps(ptl_datatype_t type) {
  const auto of = [&](ptl_op_t op, int operand) {
    return applied<T>(op, type, T(12), T(10), T(operand)) == T(10);
  };
  const auto stored = [&](ptl_op_t op) {
    return std::vector<bool>{of(op, 11), of(op, 12), of(op, 13)};
  };
  EXPECT_THAT(stored(PTL_CSWAP_LE), ElementsAre(true, true, false));
  EXPECT_THAT(stored(PTL_CSWAP_LT), ElementsAre(true, false, false));
  EXPECT_THAT(stored(PTL_CSWAP_GE), ElementsAre(false, true, true));
  EXPECT_THAT(stored(PTL_CSWAP_GT), ElementsAre(false, false, true));
}

TEST(Atomics, WorkOnIntegers) {
  check_integer<std::int8_t>(PTL_INT8_T);
  check_integer<std::uint8_t>(PTL_UINT8_T);
  check_integer<std::int16_t>(PTL_INT16_T);
  check_integer<std::uint16_t>(PTL_UINT16_T);
  check_integer<std::int32_t>(PTL_INT32_T);
  check_integer<std::uint32_t>(PTL_UINT32_T);
  check_integer<std::int64_t>(PTL_INT64_T);
  check_integer<std::uint64_t>(PTL_UINT64_T);
}

TEST(Atomics, MinimumKnowsSigns) {
  EXPECT_EQ(applied<std::int8_t>(PTL_MIN, PTL_INT8_T, -1, 1), -1);
  EXPECT_EQ(applied<std::uint8_t>(PTL_MIN, PTL_UINT8_T, 255, 1), 1);
  EXPECT_EQ(applied<std::int64_t>(PTL_MAX, PTL_INT64_T, -1, 1), 1);
  EXPECT_EQ(applied<std::uint64_t>(PTL_MAX, PTL_UINT64_T, UINT64_MAX, 1), UINT64_MAX);
}

TEST(Atomics, WrapAround) {
  EXPECT_EQ(applied<std::int8_t>(PTL_SUM, PTL_INT8_T, 127, 1), -128);
  EXPECT_EQ(applied<std::int32_t>(PTL_PROD, PTL_INT32_T, INT32_MAX, 2), -2);
  EXPECT_EQ(applied<std::int64_t>(PTL_SUM, PTL_INT64_T, INT64_MAX, 1), INT64_MIN);
  EXPECT_EQ(applied<std::uint16_t>(PTL_DIFF, PTL_UINT16_T, 0, 1), 65535);
}

template <class T>
void check_real(ptl_datatype_t type) {
  EXPECT_EQ(applied<T>(PTL_MIN, type, T(1.5), T(-2)), T(-2));
  EXPECT_EQ(applied<T>(PTL_MAX, type, T(1.5), T(-2)), T(1.5));
  EXPECT_EQ(applied<T>(PTL_SUM, type, T(1.5), T(-2)), T(-0.5));
  EXPECT_EQ(applied<T>(PTL_DIFF, type, T(1.5), T(-2)), T(3.5));
  EXPECT_EQ(applied<T>(PTL_PROD, type, T(1.5), T(-2)), T(-3));
  check_swaps<T>(type);
  check_ordered_swaps<T>(type);
}

TEST(Atomics, WorkOnReals) {
  check_real<float>(PTL_FLOAT);
  check_real<double>(PTL_DOUBLE);
  check_real<long double>(PTL_LONG_DOUBLE);
}

// (1 + 2i)(3 - i) = 5 + 5i.
template <class T>
void check_complex(ptl_datatype_t type) {
  using C = std::complex<T>;
  EXPECT_EQ(applied<C>(PTL_SUM, type, C(1, 2), C(3, -1)), C(4, 1));
  EXPECT_EQ(applied<C>(PTL_DIFF, type, C(1, 2), C(3, -1)), C(-2, 3));
  EXPECT_EQ(applied<C>(PTL_PROD, type, C(1, 2), C(3, -1)), C(5, 5));
  EXPECT_EQ(applied<C>(PTL_CSWAP, type, C(1, 2), C(3, 4), C(1, 0)), C(1, 2)) << "both parts count";
  check_swaps<C>(type);
}

TEST(Atomics, WorkOnComplexNumbers) {
  check_complex<float>(PTL_FLOAT_COMPLEX);
  check_complex<double>(PTL_DOUBLE_COMPLEX);
  check_complex<long double>(PTL_LONG_DOUBLE_COMPLEX);
}

// 1.5 + 1.5 = 3 in both parts; bytes of a long double that are not of its value (6 of 16 on x86)
// keep what the program has there.
TEST(Atomics, LeaveWhatIsNotOfTheValue) {
  using Part = long double;
  constexpr std::size_t kValue = std::numeric_limits<Part>::digits == 64 ? 10 : sizeof(Part);
  const Part value = 1.5;
  std::byte target[2 * sizeof(Part)];
  std::byte source[2 * sizeof(Part)];
  std::memset(target, 0x55, sizeof target);
  std::memset(source, 0xaa, sizeof source);
  for (const std::size_t part : {std::size_t{0}, sizeof(Part)}) {
    std::memcpy(target + part, &value, kValue);
    std::memcpy(source + part, &value, kValue);
  }
  apply(PTL_SUM, PTL_LONG_DOUBLE_COMPLEX, target, source, nullptr, sizeof target);
  for (const std::size_t part : {std::size_t{0}, sizeof(Part)}) {
    Part sum = 0;
    std::memcpy(&sum, target + part, sizeof sum);
    EXPECT_EQ(sum, 3);
    for (std::size_t i = kValue; i < sizeof(Part); ++i) {
      EXPECT_EQ(target[part + i], std::byte{0x55});
    }
  }
}

TEST(Atomics, SwapIntegers) {
  check_swaps<std::int8_t>(PTL_INT8_T);
  check_ordered_swaps<std::int8_t>(PTL_INT8_T);
  check_swaps<std::uint64_t>(PTL_UINT64_T);
  check_ordered_swaps<std::uint64_t>(PTL_UINT64_T);
  EXPECT_EQ(applied<std::int32_t>(PTL_CSWAP_LT, PTL_INT32_T, 1, 9, -1), 9);
  EXPECT_EQ(applied<std::uint32_t>(PTL_CSWAP_LT, PTL_UINT32_T, 1, 9, UINT32_MAX), 1U);
}

TEST(Atomics, WorkOnArrays) {
  std::int32_t target[] = {1, 2, 3};
  const std::int32_t source[] = {10, 20, 30};
  apply(PTL_SUM, PTL_INT32_T, reinterpret_cast<std::byte*>(target),
        reinterpret_cast<const std::byte*>(source), nullptr, 8);
  EXPECT_THAT(target, ElementsAre(11, 22, 3));
}

// Through the interface.

/// Rank 1 offers four numbers 10, 20, 30, 40; rank 0 has 1, 2, 3, 4 to send and a place for
/// results.
class Numbers {
 public:
  using Body = std::function<void(const Side&, ptl_handle_md_t out, ptl_handle_md_t in)>;
  void run(const Body& body, unsigned int options = kPutGet, ptl_size_t length = 32) {
    Bed bed;
    bed.run([&](std::uint32_t rank) {
      const Side side;
      if (rank == 0) {
        const ptl_handle_md_t out = side.bind(source, 32), in = side.bind(result, 32);
        pause();
        body(side, out, in);
        return pause();
      }
      side.append(me_of(target, length, options | PTL_ME_EVENT_LINK_DISABLE));
      pause();
      events = side.events();
    });
    EXPECT_EQ(bed.machine().commands().in_use(), 0U);
  }
  std::int64_t source[4] = {1, 2, 3, 4};
  std::int64_t target[4] = {10, 20, 30, 40};
  std::int64_t result[4] = {0, 0, 0, 0};
  std::vector<ptl_event_t> events;
};

TEST(Atomic, CombinesAtTheTarget) {
  Numbers numbers;
  numbers.run([](const Side& side, ptl_handle_md_t out, ptl_handle_md_t) {
    EXPECT_OK(PtlAtomic(out, 8, 16, PTL_ACK_REQ, rank_id(1), kPortal, 0, 16, nullptr, 5, PTL_SUM,
                        PTL_INT64_T));
    EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
    const ptl_event_t ack = side.wait();
    EXPECT_EQ(ack.type, PTL_EVENT_ACK);
    EXPECT_EQ(ack.mlength, 16U);
  });
  EXPECT_THAT(numbers.target, ElementsAre(10, 20, 32, 43));
  ASSERT_EQ(numbers.events.size(), 1U);
  EXPECT_EQ(numbers.events[0].type, PTL_EVENT_ATOMIC);
  EXPECT_EQ(numbers.events[0].atomic_operation, PTL_SUM);
  EXPECT_EQ(numbers.events[0].atomic_type, PTL_INT64_T);
  EXPECT_EQ(numbers.events[0].hdr_data, 5U);
}

// The entry has room for 20 bytes: two whole elements.
TEST(Atomic, IsTruncatedToWholeElements) {
  Numbers numbers;
  numbers.run(
      [](const Side& side, ptl_handle_md_t out, ptl_handle_md_t) {
        EXPECT_OK(PtlAtomic(out, 0, 32, PTL_ACK_REQ, rank_id(1), kPortal, 0, 0, nullptr, 0, PTL_SUM,
                            PTL_INT64_T));
        EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
        EXPECT_EQ(side.wait().mlength, 16U);
      },
      kPutGet, 20);
  EXPECT_THAT(numbers.target, ElementsAre(11, 22, 30, 40));
}

// The old values come back to the descriptor for results, SEND is told at the one for sources.
TEST(FetchAtomic, BringsOldValues) {
  Numbers numbers;
  numbers.run([](const Side& side, ptl_handle_md_t out, ptl_handle_md_t in) {
    EXPECT_OK(PtlFetchAtomic(in, 16, out, 0, 16, rank_id(1), kPortal, 0, 8, nullptr, 0, PTL_PROD,
                             PTL_INT64_T));
    EXPECT_THAT(side.kinds(), ElementsAre(PTL_EVENT_SEND, PTL_EVENT_REPLY));
  });
  EXPECT_THAT(numbers.target, ElementsAre(10, 20, 60, 40));
  EXPECT_THAT(numbers.result, ElementsAre(0, 0, 20, 30));
  ASSERT_EQ(numbers.events.size(), 1U);
  EXPECT_EQ(numbers.events[0].type, PTL_EVENT_FETCH_ATOMIC);
}

TEST(FetchAtomic, NeedsBothPermissions) {
  for (const unsigned int options : {PTL_ME_OP_PUT, PTL_ME_OP_GET}) {
    Numbers numbers;
    numbers.run(
        [](const Side& side, ptl_handle_md_t out, ptl_handle_md_t in) {
          EXPECT_OK(PtlFetchAtomic(in, 0, out, 0, 8, rank_id(1), kPortal, 0, 0, nullptr, 0, PTL_SUM,
                                   PTL_INT64_T));
          EXPECT_EQ(side.wait().type, PTL_EVENT_SEND);
          EXPECT_EQ(side.wait().ni_fail_type, PTL_NI_OP_VIOLATION);
        },
        options);
    EXPECT_EQ(numbers.target[0], 10);
    EXPECT_EQ(numbers.result[0], 0);
  }
}

TEST(Swap, ExchangesArrays) {
  Numbers numbers;
  numbers.run([](const Side& side, ptl_handle_md_t out, ptl_handle_md_t in) {
    EXPECT_OK(PtlSwap(in, 0, out, 0, 32, rank_id(1), kPortal, 0, 0, nullptr, 0, nullptr, PTL_SWAP,
                      PTL_INT64_T));
    side.events();
  });
  EXPECT_THAT(numbers.target, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(numbers.result, ElementsAre(10, 20, 30, 40));
  EXPECT_EQ(numbers.events[0].type, PTL_EVENT_FETCH_ATOMIC);
}

TEST(Swap, ExchangesIfTheOperandDecidesSo) {
  Numbers numbers;
  numbers.run([](const Side& side, ptl_handle_md_t out, ptl_handle_md_t in) {
    std::int64_t operand = 10;
    const auto swap = [&](ptl_size_t offset, ptl_op_t op) {
      EXPECT_OK(PtlSwap(in, offset, out, offset, 8, rank_id(1), kPortal, 0, offset, nullptr, 0,
                        &operand, op, PTL_INT64_T));
    };
    swap(0, PTL_CSWAP);
    swap(8, PTL_CSWAP);
    swap(16, PTL_CSWAP_LT);
    operand = 1;
    swap(24, PTL_MSWAP);
    side.events();
  });
  EXPECT_THAT(numbers.target, ElementsAre(1, 20, 3, 40)) << "bit 0 of 4 and of 40 is 0";
  EXPECT_THAT(numbers.result, ElementsAre(10, 20, 30, 40));
}

// Atomics on pieces of memory: the second number lies across two of them.
TEST(Atomic, WorksAcrossPieces) {
  Bed bed;
  std::int32_t a[2] = {1, 0}, b[2] = {0, 3};
  char* const first = reinterpret_cast<char*>(a);
  char* const second = reinterpret_cast<char*>(b);
  bed.run([&](std::uint32_t rank) {
    const Side side;
    if (rank == 1) {
      ptl_iovec_t pieces[] = {{first, 6}, {second + 2, 6}};
      side.append(me_of(pieces, 2, kPutGet | PTL_IOVEC));
      return pause(2);
    }
    std::int32_t ones[3] = {1, 0x00010001, 1}, old[3] = {};
    pause();
    EXPECT_OK(PtlFetchAtomic(side.bind(old, 12), 0, side.bind(ones, 12), 0, 12, rank_id(1), kPortal,
                             0, 0, nullptr, 0, PTL_SUM, PTL_INT32_T));
    side.events();
    EXPECT_THAT(old, ElementsAre(1, 0, 3));
  });
  EXPECT_EQ(a[0], 2);
  EXPECT_EQ(a[1], 1);
  EXPECT_EQ(b[0], 0x00010000);
  EXPECT_EQ(b[1], 4);
}

TEST(Atomic, ChecksArguments) {
  Numbers numbers;
  numbers.run([](const Side& side, ptl_handle_md_t out, ptl_handle_md_t) {
    std::vector<char> big(2048);
    const ptl_handle_md_t large = side.bind(big.data(), 2048);
    const auto atomic = [&](ptl_handle_md_t md, ptl_size_t length, ptl_op_t op,
                            ptl_datatype_t type) {
      return PtlAtomic(md, 0, length, PTL_NO_ACK_REQ, rank_id(1), kPortal, 0, 0, nullptr, 0, op,
                       type);
    };
    EXPECT_EQ(atomic(out, 12, PTL_SUM, PTL_INT64_T), PTL_ARG_INVALID) << "one and a half elements";
    EXPECT_EQ(atomic(out, 8, PTL_SWAP, PTL_INT64_T), PTL_ARG_INVALID);
    EXPECT_EQ(atomic(out, 8, PTL_BAND, PTL_DOUBLE), PTL_ARG_INVALID);
    EXPECT_EQ(atomic(out, 8, PTL_SUM, static_cast<ptl_datatype_t>(77)), PTL_ARG_INVALID);
    EXPECT_EQ(atomic(out, 40, PTL_SUM, PTL_INT64_T), PTL_ARG_INVALID) << "more than the descriptor";
    EXPECT_EQ(atomic(large, 1032, PTL_SUM, PTL_INT64_T), PTL_ARG_INVALID) << "1024 is the most";
    EXPECT_EQ(atomic(PTL_INVALID_HANDLE, 8, PTL_SUM, PTL_INT64_T), PTL_ARG_INVALID);
  });
  EXPECT_THAT(numbers.target, ElementsAre(10, 20, 30, 40));
}

TEST(Atomic, ChecksArgumentsOfFetches) {
  Numbers numbers;
  numbers.run([](const Side& side, ptl_handle_md_t out, ptl_handle_md_t in) {
    const Side other(PTL_NI_MATCHING | PTL_NI_PHYSICAL);
    std::vector<char> big(2048);
    const ptl_handle_md_t large = side.bind(big.data(), 2048);
    const auto fetch = [&](ptl_handle_md_t to, ptl_handle_md_t from, ptl_size_t length,
                           ptl_op_t op) {
      return PtlFetchAtomic(to, 0, from, 0, length, rank_id(1), kPortal, 0, 0, nullptr, 0, op,
                            PTL_INT64_T);
    };
    EXPECT_EQ(fetch(large, large, 1032, PTL_SUM), PTL_ARG_INVALID) << "1 KiB is the most";
    EXPECT_EQ(fetch(in, out, 8, PTL_CSWAP), PTL_ARG_INVALID);
    EXPECT_EQ(fetch(PTL_INVALID_HANDLE, out, 8, PTL_SUM), PTL_ARG_INVALID);
    EXPECT_EQ(fetch(in, PTL_INVALID_HANDLE, 8, PTL_SUM), PTL_ARG_INVALID);
    EXPECT_EQ(fetch(other.bind(big.data(), 8), out, 8, PTL_SUM), PTL_ARG_INVALID)
        << "descriptors of two interfaces";
  });
  EXPECT_THAT(numbers.target, ElementsAre(10, 20, 30, 40));
}

TEST(Atomic, ChecksArgumentsOfSwaps) {
  Numbers numbers;
  numbers.run([](const Side&, ptl_handle_md_t out, ptl_handle_md_t in) {
    const std::int64_t operand = 0;
    const auto swap = [&](ptl_size_t length, const void* with, ptl_op_t op, ptl_datatype_t type) {
      return PtlSwap(in, 0, out, 0, length, rank_id(1), kPortal, 0, 0, nullptr, 0, with, op, type);
    };
    EXPECT_EQ(swap(16, &operand, PTL_CSWAP, PTL_INT64_T), PTL_ARG_INVALID) << "one element only";
    EXPECT_EQ(swap(8, nullptr, PTL_CSWAP, PTL_INT64_T), PTL_ARG_INVALID);
    EXPECT_EQ(swap(8, &operand, PTL_SUM, PTL_INT64_T), PTL_ARG_INVALID);
    EXPECT_EQ(swap(8, &operand, PTL_MSWAP, PTL_DOUBLE), PTL_ARG_INVALID);
    EXPECT_EQ(swap(8, &operand, PTL_CSWAP_LT, PTL_FLOAT_COMPLEX), PTL_ARG_INVALID);
  });
  EXPECT_THAT(numbers.target, ElementsAre(10, 20, 30, 40));
}

// Atomics change memory even where payloads of puts are not carried: programs synchronise by them.
TEST(Atomic, HappensWithoutPayloads) {
  Bed bed(1, {"portals.copy_payload=no", "portals.coherent_atomics=no"});
  bed.run([](std::uint32_t) {
    const Side side;
    std::int64_t one = 1, target = 1;
    side.append(me_of(&target, 8, kPutGet));
    EXPECT_OK(PtlAtomic(side.bind(&one, 8), 0, 8, PTL_NO_ACK_REQ, rank_id(0), kPortal, 0, 0,
                        nullptr, 0, PTL_SUM, PTL_INT64_T));
    pause();
    EXPECT_OK(PtlAtomicSync());
    EXPECT_EQ(target, 2);
  });
}

}  // namespace
}  // namespace heddle::portals
