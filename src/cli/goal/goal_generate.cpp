// `heddle goal generate`: schedules of programs that there is no trace of.
#include <fmt/core.h>

#include "cli/common.hpp"
#include "cli/goal/goal_command.hpp"
#include "cli/goal/schedule_files.hpp"
#include "cli/shorthand_options.hpp"
#include "goal/generators/generators.hpp"
#include "goal/nccl/nccl_pattern.hpp"
#include "goal/training/llm.hpp"
#include "goal/training/step_facts.hpp"
#include "report/table.hpp"
#include "traces/readers/collective_files.hpp"

namespace heddle::cli {
namespace {

using goal::Format;
using goal::LlmPlan;

/// An option that is short for a parameter of section llm.
Shorthand short_for(const std::string& option, const std::string& name, const std::string& help,
                    const std::string& type = "N") {
  return {option, "llm." + name, type, help};
}

std::vector<Shorthand> llm_shorthands() {
  std::vector<std::string> models;
  for (const goal::LlmModel& model : goal::llm_models()) models.emplace_back(model.name);
  return {
      short_for("--model", "model", "What is trained: " + joined(models), "NAME"),
      short_for("--gpus", "gpus", "GPUs, each a rank"),
      short_for("--tp", "tp", "GPUs that share the matrices of a layer"),
      short_for("--pp", "pp", "Stages of the pipeline of layers"),
      short_for("--cp", "cp", "GPUs that share a sequence"),
      short_for("--ep", "ep", "GPUs that share the experts of a layer"),
      short_for("--virtual-stages", "virtual_stages", "Parts of the layers that a stage has"),
      short_for("--zero", "zero", "What copies of the model share: 0 to 3"),
      short_for("--sequence-parallel", "sequence_parallel",
                "Reduce-scatters and all-gathers instead of all-reduces of tp", "yes|no"),
      short_for("--sequence", "sequence", "Tokens of a sequence"),
      short_for("--micro-batch", "micro_batch", "Sequences of a micro-batch"),
      short_for("--batch", "batch", "Sequences of a step, on all GPUs together"),
  };
}

std::string bytes_text(std::uint64_t bytes) {
  return format_bytes(Bytes(static_cast<std::int64_t>(bytes)));
}

/// A line for each kind of parallelism: who communicates, and what.
std::string groups_text(const LlmPlan& p) {
  const goal::GpuPlace first = p.place_of(0);
  report::Table table({{"kind"}, {"group", report::Align::right}, {"bytes"}});
  const auto add = [&](const char* kind, const goal::GpuGroup& group, const std::string& bytes) {
    if (group.size > 1) table.add({kind, std::to_string(group.size), bytes});
  };
  const bool sp = p.config.sequence_parallel;
  add("tp", first.tp,
      fmt::format("{} per layer, micro-batch and {}", bytes_text(p.activations),
                  sp ? "all-gather or reduce-scatter" : "all-reduce"));
  add("cp", first.cp, fmt::format("{} per layer, micro-batch and step", bytes_text(p.keys)));
  add("ep", first.ep, fmt::format("{} per layer, micro-batch and way", bytes_text(p.dispatched)));
  add("pp", first.pp, fmt::format("{} per micro-batch and way", bytes_text(p.handed_on)));
  add("dp", first.dp,
      fmt::format("{} of gradients, {} of parameters",
                  bytes_text(p.dense_gradients + p.expert_gradients),
                  bytes_text(p.dense_bytes + p.expert_bytes)));
  return table.text();
}

std::string plan_text(const LlmPlan& p) {
  const auto passes = static_cast<std::uint64_t>(p.config.virtual_stages);
  const auto ns = [](std::uint64_t n) {
    return format_time(Time::ns(static_cast<std::int64_t>(n)));
  };
  return fmt::format(
      "{}: {:.4g} G parameters, {} tokens and {:.4g} Pflop a step\n"
      "{} copies of the model, {} micro-batches each; a stage's forward pass takes {}, backward "
      "{}, the update {}\n\n{}",
      p.model.name, (p.dense_parameters + p.expert_parameters) / 1e9, p.tokens(), p.flops / 1e15,
      p.copies, p.micro_batches, ns(passes * p.forward),
      ns(passes * (p.backward + (p.config.recompute ? p.forward : 0))), ns(p.update),
      groups_text(p));
}

/// What is generated goes to a file, and a summary to the user unless that is the standard output.
class GeneratingCommand : public Command {
 public:
  GeneratingCommand(CommandLine line, const std::string& section,
                    const std::vector<Shorthand>& shorthands)
      : section_(section) {
    short_.add_to(line, shorthands);
    line.add_option("--set", assignments_,
                    "Set a parameter; `heddle params " + section + "` lists them")
        .type_name(section + ".NAME=VALUE")
        .one_at_a_time();
    line.add_option("-o,--output", output_, "File to write; - for the standard output")
        .type_name("FILE")
        .show_default();
    const Option binary = line.add_flag("--binary", binary_, "Write LogGOPSim's binary format");
    line.add_flag("--compact", compact_, "Write Heddle's compact format").excludes(binary);
  }

  void run() override {
    const report::OutputFile file("--output", output_);
    file.keep_off({});
    const goal::Generator& generator = *goal::find_generator(section_);
    Settings settings({&generator.section(), &traces::collective_table()});
    assign_all(settings, assignments_);
    short_.assign(settings);
    const goal::CollectiveAlgorithms algorithms =
        load_collectives(settings.get(traces::collective_table()), Time::ns(1));
    with_places(settings, [&] { write(file, generator.make(settings, {}, algorithms), settings); });
    warn(algorithms.remarks());
  }

 protected:
  /// What stands before the text of a schedule.
  virtual std::string note(const Settings& settings) const = 0;
  /// What the user is told.
  virtual std::string summary(const Settings& settings) const = 0;

 private:
  /// Other formats than text have no place for what is no operation.
  void write(const report::OutputFile& file, const goal::Schedule& schedule,
             const Settings& settings) const {
    const Format format = binary_ ? Format::binary : compact_ ? Format::compact : Format::text;
    write_through(file, [&](std::ostream& out) {
      if (format == Format::text) out << note(settings);
      write_schedule(schedule, format, out);
    });
    if (!file.is_stdout()) fmt::print("{}", summary(settings));
  }

  std::string section_;
  ShorthandOptions short_;
  std::vector<std::string> assignments_;
  std::string output_ = "-";
  bool binary_ = false;
  bool compact_ = false;
};

class LlmCommand final : public GeneratingCommand {
 public:
  explicit LlmCommand(CommandLine line) : GeneratingCommand(line, "llm", llm_shorthands()) {}

 protected:
  std::string note(const Settings& settings) const override {
    return note_of(facts_of(plan_of(settings.get(goal::llm_table()))));
  }
  std::string summary(const Settings& settings) const override {
    return plan_text(plan_of(settings.get(goal::llm_table())));
  }
};

std::vector<Shorthand> nccl_shorthands() {
  return {
      {"--operation", "nccl.operation", "NAME",
       "allreduce, allgather, reduce_scatter, broadcast or reduce"},
      {"--algorithm", "nccl.algorithm", "NAME",
       "ring, tree, pat, nvls or nvls-tree; auto: as NCCL would choose"},
      {"--protocol", "nccl.protocol", "NAME", "ll, ll128 or simple; auto: as NCCL would choose"},
      {"--gpus", "nccl.ranks", "N", "GPUs, each a rank"},
      {"--gpus-per-node", "nccl.ranks_per_node", "N", "GPUs of a node"},
      {"--size", "nccl.size", "BYTES", "The whole buffer: what each has in the end, or at first"},
      {"--channels", "nccl.channels", "N", "Parts of the data that go ways of their own"},
  };
}

class NcclCommand final : public GeneratingCommand {
 public:
  explicit NcclCommand(CommandLine line) : GeneratingCommand(line, "nccl", nccl_shorthands()) {}

 protected:
  std::string note(const Settings& settings) const override {
    return switches_note(plan_of(settings.get(goal::nccl_table())));
  }
  std::string summary(const Settings& settings) const override {
    const goal::NcclPlan plan = plan_of(settings.get(goal::nccl_table()));
    std::string text =
        fmt::format("{} of {} on {} GPUs of {} nodes: {}, protocol {}, {} channels, chunks of {}\n",
                    name_of(plan.operation), bytes_text(plan.bytes), plan.ranks, plan.nodes,
                    name_of(plan.algorithm), name_of(plan.protocol), plan.channels,
                    bytes_text(plan.division.chunk));
    if (plan.switches() > 0) {
      text +=
          fmt::format("The last {} ranks are the switches inside the nodes.\n", plan.switches());
    }
    return text;
  }
};

CommandKind llm_command() {
  return {
      "llm", "Generate a step of training a large language model",
      "  heddle goal generate llm --model llama3-8b --gpus 16 --tp 8 --pp 2 --batch 8 -o s.goal\n"
      "  heddle goal generate llm --model mixtral-8x7b --gpus 16 --ep 8 --zero 1 -o m.goal",
      make_command<LlmCommand>};
}

CommandKind nccl_command() {
  return {"nccl", "Generate a collective as NCCL carries it out",
          "  heddle goal generate nccl --gpus 64 --size 16MiB -o reduce.goal  # as NCCL chooses\n"
          "  heddle goal generate nccl --gpus 16 --algorithm tree --protocol ll -o tree.goal",
          make_command<NcclCommand>};
}

class GenerateCommand final : public CommandGroup {
 public:
  explicit GenerateCommand(CommandLine line)
      : CommandGroup(line, {llm_command(), nccl_command()}) {}
};

}  // namespace

CommandKind goal_generate_command() {
  return {"generate", "Generate the schedule of a program that there is no trace of",
          "  heddle goal generate llm --model llama3-8b --gpus 16 --tp 8 --batch 8 -o s.goal\n"
          "  heddle goal generate nccl --gpus 64 --size 16MiB -o reduce.goal",
          make_command<GenerateCommand>};
}

}  // namespace heddle::cli
