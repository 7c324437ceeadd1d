// Makes schedules of SimAI's and ASTRA-sim's text workloads: layers with the time and the
// communication of their passes, the same for all ranks.
#include <algorithm>

#include <fmt/core.h>

#include "goal/formats/mapped_file.hpp"
#include "goal/schedule_builder.hpp"
#include "goal/training/streams.hpp"
#include "traces/readers/fields.hpp"
#include "traces/readers/simai_workload.hpp"
#include "traces/readers/trace_reader.hpp"

namespace heddle::traces {
namespace {

using goal::Before;
using goal::GpuGroup;
using goal::Ring;
using goal::Stream;

constexpr std::string_view kPolicies[] = {"HYBRID_TRANSFORMER_FWD_IN_BCKWD",
                                          "HYBRID_TRANSFORMER",
                                          "HYBRID_DATA_MODEL",
                                          "HYBRID_MODEL_DATA",
                                          "HYBRID_DLRM",
                                          "HYBRID_CUSTOMIZED",
                                          "DATA",
                                          "MODEL",
                                          "MICRO"};

/// What is expected somewhere, as pieces that only an error puts together.
struct SimaiWhat {
  SimaiWhat(const char* text) : begin(text) {}
  SimaiWhat(std::string_view its_begin, std::string_view its_pass, std::string_view its_end = {})
      : begin(its_begin), pass(its_pass), end(its_end) {}
  std::string text() const { return fmt::format("{}{}{}", begin, pass, end); }

  std::string_view begin;
  std::string_view pass = {};
  std::string_view end = {};
};

/// Words of a line, with their places.
class Words {
 public:
  Words(std::string_view line, std::uint32_t number, const std::string& file)
      : line_(line), number_(number), file_(file) {}

  /// The next one; "" at the end.
  std::string_view next() {
    constexpr std::string_view kBlank = " \t";
    const std::size_t begin = std::min(line_.find_first_not_of(kBlank, at_), line_.size());
    at_ = std::min(line_.find_first_of(kBlank, begin), line_.size());
    word_ = begin;
    return line_.substr(begin, at_ - begin);
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError({file_, number_, static_cast<std::uint32_t>(word_ + 1)}, problem);
  }
  std::string_view take(const SimaiWhat& what) {
    const std::string_view word = next();
    if (word.empty()) fail(what.text() + " is expected");
    return word;
  }
  std::uint64_t number(const SimaiWhat& what) {
    const std::string_view word = take(what);
    constexpr std::uint64_t kMost = 1'000'000'000'000'000;  // Ten days, a thousand terabytes.
    const auto value = whole_number<std::uint64_t>(word);
    if (!value || *value > kMost) fail(fmt::format("'{}' is not {}", word, what.text()));
    return *value;
  }

 private:
  std::string_view line_;
  std::uint32_t number_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t word_ = 0;
};

SimaiComm comm_of(Words& words, const SimaiWhat& what) {
  struct Named {
    std::string_view name;
    SimaiComm::Kind kind;
  };
  using enum SimaiComm::Kind;
  static constexpr Named kKinds[] = {{"NONE", none},
                                     {"ALLREDUCE", allreduce},
                                     {"ALLGATHER", allgather},
                                     {"REDUCESCATTER", reduce_scatter},
                                     {"ALLTOALL", alltoall}};
  const std::string_view word = words.take(what);
  for (const Named& named : kKinds) {
    if (!word.starts_with(named.name)) continue;
    const std::string_view suffix = word.substr(named.name.size());
    using enum SimaiComm::Among;
    if (suffix.empty()) return {named.kind, own, 0};
    if (suffix == "_EP") return {named.kind, ep, 0};
    if (suffix == "_DP_EP") return {named.kind, dp_ep, 0};
    if (suffix == "_DP") return {named.kind, dp, 0};
    if (suffix == "_TP") return {named.kind, tp, 0};
  }
  words.fail(
      fmt::format("'{}' is not {}: accepted are NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER "
                  "and ALLTOALL, with _TP, _DP, _EP or _DP_EP behind them",
                  word, what.text()));
}

SimaiPass pass_of(Words& words, std::string_view what) {
  SimaiPass pass;
  pass.time = words.number({"the time of the ", what, " in ns"});
  pass.comm = comm_of(words, {"the communication of the ", what});
  pass.comm.bytes = words.number({"the bytes of the ", what});
  return pass;
}

/// "model_parallel_NPU_group: 2 ep: 1 pp: 1 all_gpus: 16"
void read_header(Words& words, SimaiWorkload& workload) {
  const std::pair<std::string_view, std::uint64_t*> known[] = {
      {"model_parallel_NPU_group:", &workload.tp},
      {"ep:", &workload.ep},
      {"pp:", &workload.pp},
      {"all_gpus:", &workload.gpus}};
  for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
    for (const auto& [name, value] : known) {
      if (word == name) *value = words.number({"a number behind ", name});
    }
  }
  constexpr std::uint64_t kMost = 1'000'000;
  for (const std::uint64_t size : {workload.tp, workload.ep, workload.pp}) {
    if (size == 0 || size > kMost) words.fail("groups of GPUs: accepted are 1 to 1000000");
  }
  if (workload.gpus > kMost) words.fail("GPUs: accepted are at most 1000000");
}

bool begins_like_simai(std::string_view beginning) {
  const std::size_t end = beginning.find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view line = beginning.substr(0, end);
  const std::string_view word = line.substr(0, line.find_first_of(" \t\r"));
  return std::find(std::begin(kPolicies), std::end(kPolicies), word) != std::end(kPolicies) &&
         end + 1 < beginning.size() && beginning[end + 1] >= '0' && beginning[end + 1] <= '9';
}

}  // namespace

SimaiWorkload parse_simai(std::string_view text, const std::string& file) {
  SimaiWorkload workload;
  std::uint64_t layers = 0;
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    Words words(line, number, file);
    if (number == 1) {
      workload.policy = std::string(words.take("a kind of parallelism such as DATA"));
      return read_header(words, workload);
    }
    if (number == 2) {
      layers = words.number("the number of layers");
      constexpr std::size_t kShortestLine = 24;
      workload.layers.reserve(std::min<std::size_t>(layers, text.size() / kShortestLine));
      return;
    }
    if (line.find_first_not_of(" \t") == std::string_view::npos) return;
    SimaiLayer layer;
    words.take("the name of a layer");
    words.take("the layer it depends on, or -1");
    layer.forward = pass_of(words, "forward pass");
    layer.input_gradient = pass_of(words, "pass for input gradients");
    layer.weight_gradient = pass_of(words, "pass for weight gradients");
    layer.update = words.number("the time of the update in ns");
    workload.layers.push_back(layer);
  });
  if (workload.layers.size() != layers) {
    throw InputError({file}, fmt::format("{} layers are announced in line 2, and there are {}",
                                         layers, workload.layers.size()));
  }
  return workload;
}

namespace {

/// The step of one rank.
class SimaiWriter {
 public:
  SimaiWriter(const SimaiWorkload& workload, const goal::CollectiveAlgorithms* algorithms,
              goal::ScheduleBuilder& builder, std::uint32_t rank)
      : workload_(workload), out_(builder, algorithms) {
    const auto tp = static_cast<std::uint32_t>(workload.tp);
    const auto ep = static_cast<std::uint32_t>(workload.ep);
    const auto stage = static_cast<std::uint32_t>(workload.gpus / workload.pp);
    const std::uint32_t copies = stage / tp;
    const std::uint32_t first = rank / stage * stage + rank % tp;
    const std::uint32_t x = rank % stage / tp;
    tp_ = {rank - rank % tp, 1, tp, rank % tp};
    dp_ = {first, tp, copies, x};
    ep_ = {first + tp * (x - x % ep), tp, ep, x % ep};
    dp_ep_ = {first + tp * (x % ep), tp * ep, copies / ep, x / ep};
  }

  /// Forward through all layers, backward through them, and the updates. Gradients of weights are
  /// not waited for until there is nothing else to do.
  void write() {
    for (const SimaiLayer& layer : workload_.layers) do_pass(layer.forward);
    for (auto layer = workload_.layers.rbegin(); layer != workload_.layers.rend(); ++layer) {
      do_pass(layer->input_gradient);
      now_ = out_.calc(layer->weight_gradient.time, now_);
      Before both = now_;
      both.add(gradients_);
      if (layer->weight_gradient.comm.kind != SimaiComm::Kind::none) {
        gradients_ = communicate(layer->weight_gradient.comm, Stream::dp, dp_, both);
      }
    }
    now_.add(gradients_);
    std::uint64_t update = 0;
    for (const SimaiLayer& layer : workload_.layers) update += layer.update;
    out_.calc(update, now_);
  }

 private:
  void do_pass(const SimaiPass& pass) {
    now_ = out_.calc(pass.time, now_);
    now_ = communicate(pass.comm, Stream::tp, tp_, now_);
  }

  Before communicate(const SimaiComm& comm, Stream stream, const GpuGroup& of_pass,
                     const Before& before) {
    const GpuGroup* const groups[] = {&of_pass, &tp_, &dp_, &ep_, &dp_ep_};
    const GpuGroup& group = *groups[static_cast<std::size_t>(comm.among)];
    const goal::TaggedStream on = comm.among == SimaiComm::Among::ep
                                      ? goal::TaggedStream(Stream::ep)
                                      : goal::TaggedStream(stream);
    using enum SimaiComm::Kind;
    switch (comm.kind) {
      case allreduce:
        return out_.ring(Ring::allreduce, on, group, comm.bytes, before);
      case allgather:
        return out_.ring(Ring::allgather, on, group, comm.bytes, before);
      case reduce_scatter:
        return out_.ring(Ring::reduce_scatter, on, group, comm.bytes, before);
      case alltoall:
        return out_.alltoall(on, group, comm.bytes, before);
      default:
        return before;
    }
  }

  const SimaiWorkload& workload_;
  goal::StreamWriter out_;
  GpuGroup tp_;
  GpuGroup dp_;
  GpuGroup ep_;
  GpuGroup dp_ep_;
  Before now_;
  Before gradients_;
};

void require_division(const SimaiWorkload& w, const std::string& file) {
  if (w.gpus == 0) {
    throw InputError(
        {file}, "it does not say how many GPUs there are: accepted with a value of convert.ranks");
  }
  if (w.gpus % (w.tp * w.pp * w.ep) == 0) return;
  throw InputError({file, 1}, fmt::format("{} GPUs cannot be divided by {} x {} x {} (model "
                                          "parallel, pp, ep)",
                                          w.gpus, w.tp, w.pp, w.ep));
}

Conversion schedule_simai(const std::vector<std::string>& files, const ConvertConfig& config) {
  const goal::MappedFile file(files[0], "workload");
  SimaiWorkload workload = parse_simai(file.bytes(), files[0]);
  if (config.ranks) workload.gpus = static_cast<std::uint64_t>(*config.ranks);
  require_division(workload, files[0]);
  if (config.unit != Time::ns(1)) {
    throw InputError({files[0]}, "its times are in nanoseconds: accepted is convert.time_unit=1ns");
  }
  Conversion conversion;
  const auto ranks = static_cast<std::uint32_t>(workload.gpus);
  goal::ScheduleBuilder builder(ranks, files[0]);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    builder.begin_rank(r);
    SimaiWriter(workload, config.collectives, builder, r).write();
    builder.end_rank();
  }
  conversion.report.calls = workload.layers.size() * ranks;
  for (const SimaiLayer& layer : workload.layers) {
    for (const SimaiPass* pass : {&layer.forward, &layer.input_gradient, &layer.weight_gradient}) {
      if (pass->comm.kind != SimaiComm::Kind::none) conversion.report.collectives += ranks;
    }
  }
  if (workload.pp > 1) {
    conversion.report.warn("stages of a pipeline, between which a workload has no messages",
                           workload.pp);
  }
  conversion.schedule = builder.finish();
  return conversion;
}

bool holds_all_ranks(const std::string&, const TraceReadOptions&) {
  return true;
}

}  // namespace

const TraceReader& simai_reader() {
  static const TraceReader reader = {
      "SimAI or ASTRA-sim text",
      "a text workload of SimAI or ASTRA-sim (HYBRID_TRANSFORMER... and the number of layers)",
      begins_like_simai,
      nullptr,
      holds_all_ranks,
      nullptr,
      nullptr,
      schedule_simai};
  return reader;
}

}  // namespace heddle::traces
