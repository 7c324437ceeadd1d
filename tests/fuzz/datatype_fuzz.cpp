#include <mpi.h>

#include <cstdlib>
#include <sstream>

#include "coll/datatype/construct.hpp"
#include "coll/datatype/sizes.hpp"
#include "fuzz.hpp"

namespace {

using namespace heddle::coll;

/// Up to eight numbers of a line.
std::vector<std::int64_t> numbers_of(std::istream& line) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 0; numbers.size() < 8 && line >> number;) numbers.push_back(number);
  return numbers;
}

/// A datatype made of another as a line says: a letter and its numbers.
DatatypeRef made(char kind, const std::vector<std::int64_t>& n, const Datatype& old) {
  const auto counts = [&](std::size_t first) {
    for (std::size_t i = first; i < n.size(); ++i) {
      if (n[i] < 0) throw Error{MPI_ERR_COUNT, ""};
    }
    return Numbers(n).subspan(std::min(first, n.size()));
  };
  const std::size_t half = n.size() / 2;
  const Numbers lengths = Numbers(n).first(half);
  const Numbers places = Numbers(n).subspan(half, half);
  switch (kind) {
    case 'c':
      return n.empty() || n[0] < 0 ? nullptr : make_contiguous(Form::large, n[0], old);
    case 'v':
    case 'h':
      if (n.size() < 3 || n[0] < 0 || n[1] < 0) return nullptr;
      return kind == 'v' ? make_vector(Form::large, n[0], n[1], n[2], old)
                         : make_hvector(Form::large, n[0], n[1], n[2], old);
    case 'i':
    case 'd':
      for (const std::int64_t length : lengths) {
        if (length < 0) return nullptr;
      }
      return kind == 'i' ? make_indexed(Form::large, lengths, places, old)
                         : make_hindexed(Form::large, lengths, places, old);
    case 'r':
      return n.size() < 2 ? nullptr : make_resized(Form::large, old, n[0], n[1]);
    case 's': {
      const std::vector<const Datatype*> types(half, &old);
      return make_struct(Form::large, counts(half).first(half), lengths, types);
    }
    case 'b': {
      if (n.size() < 6 || n[1] < 0 || n[2] < 0 || n[4] < 0 || n[5] < 0) return nullptr;
      const Subarray box{{n[0], n[3]}, {n[1], n[4]}, {n[2], n[5]}, MPI_ORDER_C};
      for (std::size_t i = 0; i < 2; ++i) {
        if (box.sizes[i] < 1 || box.subsizes[i] < 1 || box.subsizes[i] > box.sizes[i]) {
          return nullptr;
        }
        if (box.starts[i] > box.sizes[i] - box.subsizes[i]) return nullptr;
      }
      return make_subarray(Form::large, box, old);
    }
    default:
      return nullptr;
  }
}

void look_at(const Datatype& type) {
  constexpr std::int64_t kPadding = 64;
  for (const std::int64_t bound :
       {type.bounds().lower, type.bounds().upper, type.true_bounds().lower,
        type.true_bounds().upper, type.size()}) {
    if (bound > kLargestSize + kPadding || bound < -kLargestSize - kPadding) std::abort();
  }
  if (type.size() < 0 || type.signature().elements < 0 || type.signature().elements > type.size()) {
    std::abort();
  }
  for (const std::int64_t count : {std::int64_t{1}, std::int64_t{3}, INT64_MAX}) {
    try {
      check_elements(count, type, "count");
    } catch (const Error&) {
      continue;
    }
    if (bytes({nullptr, count, &type}) < 0) std::abort();
  }
}

}  // namespace

// However types are made of types, each is right or refused, and nothing overflows.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream text(std::string(reinterpret_cast<const char*>(data), size));
  DatatypeRef type(Datatype::predefined(MPI_DOUBLE_INT));
  for (std::string line; std::getline(text, line) && !line.empty();) {
    std::istringstream rest(line.substr(1));
    try {
      if (const DatatypeRef next = made(line[0], numbers_of(rest), *type)) type = next;
    } catch (const Error&) {
      continue;
    }
    look_at(*type);
  }
  return 0;
}
