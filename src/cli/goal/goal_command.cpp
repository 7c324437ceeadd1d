// `heddle goal`: making, checking and converting schedules.
#include "cli/goal/goal_command.hpp"

namespace heddle::cli {
namespace {

class GoalCommand final : public CommandGroup {
 public:
  explicit GoalCommand(CommandLine line)
      : CommandGroup(line,
                     {goal_gen_command(), goal_generate_command(), goal_list_command(),
                      goal_info_command(), goal_check_command(), goal_cat_command(),
                      goal_to_text_command(), goal_to_binary_command(), goal_to_compact_command(),
                      goal_to_chakra_command(), goal_dot_command(), goal_scale_command()}) {}
};

}  // namespace

CommandKind goal_command() {
  return {"goal", "Make, check, join, convert and draw GOAL schedules",
          "  heddle goal list                                    # the patterns there are\n"
          "  heddle goal gen dissemination -o d.goal --set pattern.ranks=64\n"
          "  heddle goal generate llm --model llama3-8b --gpus 16 --tp 8 --batch 8 -o s.goal\n"
          "  heddle goal check app.goal                          # cycles, unmatched operations\n"
          "  heddle goal to-binary app.goal -o app.bin           # for LogGOPSim",
          make_command<GoalCommand>};
}

}  // namespace heddle::cli
