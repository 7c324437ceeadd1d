// Every algorithm that reduces, against reductions done one rank after another.
#include "collective_cases.hpp"

namespace heddle::coll {
namespace {

/// Two numbers (a, b) are the function x -> a x + b; functions one after another are associative,
/// but their order matters. In memory with a gap between the numbers, and one behind.
struct Function {
  std::uint32_t a;
  std::uint32_t unused;
  std::uint32_t b;
  std::uint32_t unused_too;
};
Function then(const Function& first, const Function& second) {
  return {first.a * second.a, second.unused, second.a * first.b + second.b, second.unused_too};
}
void compose(void* in, void* inout, int* count, int*) {
  for (int i = 0; i < *count; ++i) {
    Function& result = static_cast<Function*>(inout)[i];
    result = then(static_cast<const Function*>(in)[i], result);
  }
}

/// An operation with the type it is for, and the plain way to do it.
struct Operator {
  OpRef op;
  DatatypeRef type;
};
const std::vector<Operator>& operators() {
  static const std::vector<Operator> all = [] {
    const DatatypeRef pair = make_vector(Form::plain, 2, 1, 2, int_type());
    const DatatypeRef function = make_resized(Form::plain, *pair, 0, 16);
    return std::vector<Operator>{
        {OpRef(Op::predefined(0x58000003)), DatatypeRef(&int_type())},
        {make_ref<const Op>(compose, false), function},
    };
  }();
  return all;
}

using Values = std::vector<std::uint32_t>;
Values numbers(std::size_t size, int rank) {
  Values all(size);
  for (std::size_t i = 0; i < size; ++i) {
    all[i] = static_cast<std::uint32_t>(rank * 2654435761U + i * 40503U + 3U) | 1U;
  }
  return all;
}
/// What ranks `first` to `last` have together: element by element.
Values reduced(bool commutative, std::size_t size, int first, int last) {
  Values sum = numbers(size, first);
  for (int r = first + 1; r <= last; ++r) {
    const Values next = numbers(size, r);
    if (commutative) {
      for (std::size_t i = 0; i < size; ++i) sum[i] += next[i];
      continue;
    }
    for (std::size_t i = 0; i + 1 < size; i += 2) {
      const Function f = then({sum[i], 0, sum[i + 1], 0}, {next[i], 0, next[i + 1], 0});
      sum[i] = f.a;
      sum[i + 1] = f.b;
    }
  }
  return sum;
}
Bytes8 as_bytes(const Values& values) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
  return {first, first + values.size() * sizeof(std::uint32_t)};
}

/// Calls `check(case, per_element)` for both operators; elements have one number or two.
template <class Check>
void for_operators(int large, Check check) {
  for (const Operator& one : operators()) {
    // The same type several times: as many draws of the rest.
    for_cases({one.type, one.type, one.type}, large, [&](Case c) {
      if (::testing::Test::HasFatalFailure()) return;
      c.op = one.op.get();
      check(c, one.type->size() / 4);
    });
  }
}
std::vector<Array> filled(const Case& c, std::int64_t count, std::int64_t per_element) {
  std::vector<Array> data(at(c.ranks), Array(count, *c.type));
  for (int r = 0; r < c.ranks; ++r) {
    data[at(r)].set(as_bytes(numbers(static_cast<std::size_t>(count * per_element), r)));
  }
  return data;
}

TEST(CollReduction, ReduceGivesTheRootTheReductionInTheOrderOfRanks) {
  for (const auto& algorithm : reduce_algorithms()) {
    for_operators(257, [&](const Case& c, std::int64_t per_element) {
      std::vector<Array> data = filled(c, c.count, per_element);
      Array result(c.count, *c.type);
      const auto work = [&](int r) {
        const bool root = r == c.root;
        return Reduce{data[at(r)].buffer(),
                      !root        ? Buffer{}
                      : c.in_place ? data[at(r)].buffer()
                                   : result.buffer(),
                      c.root, c.op->commutative()};
      };
      ASSERT_RIGHT(attempt<Reduce>(reduce_algorithms(), algorithm, c, work), algorithm, c);
      const auto size = static_cast<std::size_t>(c.count * per_element);
      Array& got = c.in_place ? data[at(c.root)] : result;
      ASSERT_EQ(got.get(), as_bytes(reduced(c.op->commutative(), size, 0, c.ranks - 1)))
          << algorithm.name << " on " << c.text();
      for (int r = 0; r < c.ranks; ++r) {
        if (r == c.root && c.in_place) continue;
        ASSERT_EQ(data[at(r)].get(), as_bytes(numbers(size, r))) << "data of others is left alone";
      }
    });
  }
}

TEST(CollReduction, AllreduceGivesEveryRankTheReduction) {
  for (const auto& algorithm : allreduce_algorithms()) {
    for_operators(257, [&](const Case& c, std::int64_t per_element) {
      std::vector<Array> data = filled(c, c.count, per_element);
      const auto work = [&](int r) { return Allreduce{data[at(r)].buffer(), c.op->commutative()}; };
      ASSERT_RIGHT(attempt<Allreduce>(allreduce_algorithms(), algorithm, c, work), algorithm, c);
      const auto size = static_cast<std::size_t>(c.count * per_element);
      const Bytes8 expected = as_bytes(reduced(c.op->commutative(), size, 0, c.ranks - 1));
      for (int r = 0; r < c.ranks; ++r) {
        ASSERT_EQ(data[at(r)].get(), expected)
            << algorithm.name << " on " << c.text() << " at " << r;
      }
    });
  }
}

/// Rank r gets r % 3 * count elements if blocks differ, else count.
TEST(CollReduction, ReduceScatterGivesEveryRankItsBlockOfTheReduction) {
  for (const auto& algorithm : reduce_scatter_algorithms()) {
    for_operators(131, [&](const Case& c, std::int64_t per_element) {
      const bool uneven = c.per_node % 2 == 0;
      std::vector<std::int64_t> counts;
      std::int64_t total = 0;
      for (int r = 0; r < c.ranks; ++r) {
        counts.push_back(uneven ? r % 3 * c.count : c.count);
        total += counts.back();
      }
      std::vector<Array> data = filled(c, total, per_element);
      std::vector<Array> results;
      for (int r = 0; r < c.ranks; ++r) results.emplace_back(counts[at(r)], *c.type);
      const auto work = [&](int r) {
        Buffer result = c.in_place ? data[at(r)].buffer() : results[at(r)].buffer();
        result.count = counts[at(r)];
        return ReduceScatter{Blocks::packed(data[at(r)].address(), counts, *c.type), result,
                             c.op->commutative()};
      };
      ASSERT_RIGHT(attempt<ReduceScatter>(reduce_scatter_algorithms(), algorithm, c, work),
                   algorithm, c);
      const Bytes8 whole = as_bytes(reduced(
          c.op->commutative(), static_cast<std::size_t>(total * per_element), 0, c.ranks - 1));
      std::size_t first = 0;
      for (int r = 0; r < c.ranks; ++r) {
        const auto size = static_cast<std::size_t>(counts[at(r)] * c.type->size());
        const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(first);
        Bytes8 got = (c.in_place ? data[at(r)] : results[at(r)]).get();
        got.resize(size);
        ASSERT_EQ(got, Bytes8(begin, begin + static_cast<std::ptrdiff_t>(size)))
            << algorithm.name << " on " << c.text() << " at " << r;
        first += size;
      }
    });
  }
}

TEST(CollReduction, ScanGivesEveryRankTheReductionUpToIt) {
  for (const bool exclusive : {false, true}) {
    for (const auto& algorithm : scan_algorithms()) {
      for_operators(101, [&](const Case& c, std::int64_t per_element) {
        std::vector<Array> data = filled(c, c.count, per_element);
        const auto work = [&](int r) { return Scan{data[at(r)].buffer(), exclusive}; };
        ASSERT_RIGHT(attempt<Scan>(scan_algorithms(), algorithm, c, work), algorithm, c);
        const auto size = static_cast<std::size_t>(c.count * per_element);
        for (int r = exclusive ? 1 : 0; r < c.ranks; ++r) {
          const int last = exclusive ? r - 1 : r;
          ASSERT_EQ(data[at(r)].get(), as_bytes(reduced(c.op->commutative(), size, 0, last)))
              << algorithm.name << " on " << c.text() << " at " << r << (exclusive ? " excl" : "");
        }
      });
    }
  }
}

}  // namespace
}  // namespace heddle::coll
