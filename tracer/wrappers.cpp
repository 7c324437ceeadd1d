// Defines every MPI function of calls.def: calls the real one through PMPI and records it.
#include "calls.hpp"
#include "recorder.hpp"

#include <tuple>
#include <utility>

namespace heddle_trace {
namespace {

template <class F>
struct Signature;
template <class... Args>
struct Signature<int(Args...)> {
  using Tuple = std::tuple<Args...>;
};
#ifdef __cpp_noexcept_function_type
template <class... Args>
struct Signature<int(Args...) noexcept> {
  using Tuple = std::tuple<Args...>;
};
#endif
template <class F, std::size_t N>
using Argument = std::tuple_element_t<N, typename Signature<F>::Tuple>;

template <auto Real, class... Args, std::size_t... Index>
int call(const Word* words, std::index_sequence<Index...>) {
  return Real(from_word<Args>(words[Index])...);
}

template <CallId Id, auto Real, class... Args>
int traced(Args... args) {
  Scope scope;
  if (scope.nested()) return Real(args...);
  // One more, as arrays have at least one element.
  Word words[] = {to_word(args)..., 0};
  Recorder& recorder = Recorder::instance();
  recorder.before(Id, words);
  const std::int64_t start = now();
  const int result = call<Real, Args...>(words, std::index_sequence_for<Args...>{});
  const std::int64_t end = now();
  recorder.after(Id, words, start, end, result == MPI_SUCCESS);
  return result;
}

}  // namespace
}  // namespace heddle_trace

// The parameters of a function of N arguments, with the types that mpi.h gives them, and their
// names.
#define PARAMETER(F, n) heddle_trace::Argument<decltype(PMPI_##F), n> a##n
#define PARAMETERS_0(F)
#define PARAMETERS_1(F) PARAMETER(F, 0)
#define PARAMETERS_2(F) PARAMETERS_1(F), PARAMETER(F, 1)
#define PARAMETERS_3(F) PARAMETERS_2(F), PARAMETER(F, 2)
#define PARAMETERS_4(F) PARAMETERS_3(F), PARAMETER(F, 3)
#define PARAMETERS_5(F) PARAMETERS_4(F), PARAMETER(F, 4)
#define PARAMETERS_6(F) PARAMETERS_5(F), PARAMETER(F, 5)
#define PARAMETERS_7(F) PARAMETERS_6(F), PARAMETER(F, 6)
#define PARAMETERS_8(F) PARAMETERS_7(F), PARAMETER(F, 7)
#define PARAMETERS_9(F) PARAMETERS_8(F), PARAMETER(F, 8)
#define PARAMETERS_10(F) PARAMETERS_9(F), PARAMETER(F, 9)
#define PARAMETERS_11(F) PARAMETERS_10(F), PARAMETER(F, 10)
#define PARAMETERS_12(F) PARAMETERS_11(F), PARAMETER(F, 11)
#define PARAMETERS_13(F) PARAMETERS_12(F), PARAMETER(F, 12)
#define NAMES_0
#define NAMES_1 a0
#define NAMES_2 NAMES_1, a1
#define NAMES_3 NAMES_2, a2
#define NAMES_4 NAMES_3, a3
#define NAMES_5 NAMES_4, a4
#define NAMES_6 NAMES_5, a5
#define NAMES_7 NAMES_6, a6
#define NAMES_8 NAMES_7, a7
#define NAMES_9 NAMES_8, a8
#define NAMES_10 NAMES_9, a9
#define NAMES_11 NAMES_10, a10
#define NAMES_12 NAMES_11, a11
#define NAMES_13 NAMES_12, a12

#define CALL(arity, name, letters)                                                       \
  static_assert(sizeof(letters) == arity + 1, "one letter per argument");                \
  extern "C" int MPI_##name(PARAMETERS_##arity(name)) {                                  \
    return heddle_trace::traced<heddle_trace::CallId::name, PMPI_##name>(NAMES_##arity); \
  }
#include "calls.def"
