#include "cli/completion.hpp"

#include <algorithm>

#include "cli/completion_values.hpp"
#include "core/error.hpp"

namespace heddle::cli {
namespace {

/// How far the words of a command line lead.
class Walk {
 public:
  explicit Walk(const CommandDescription& program) : command_(&program) {}

  void pass(const std::string& word) {
    if (beyond_) return;
    if (value_of_ != nullptr) {
      value_of_ = nullptr;
    } else if (word.starts_with('-') && word != "-") {
      const OptionDescription* const option = named(word.substr(0, word.find('=')));
      if (option != nullptr && !option->type.empty() && word.find('=') == word.npos) {
        value_of_ = option;
      }
      beyond_ = word == "--" && command_->takes_program;
    } else {
      pass_argument(word);
    }
  }

  /// What `word`, the next one, may become.
  Candidates next(const std::string& word) const {
    if (beyond_) return {.files = true};
    if (value_of_ != nullptr) {
      return values_of(path_, value_of_->names.back(), value_of_->type, word);
    }
    const std::size_t equals = word.find('=');
    if (word.starts_with("--") && equals != word.npos) return value_behind(word, equals);
    return word.starts_with('-') ? options() : arguments(word);
  }

 private:
  void pass_argument(const std::string& word) {
    for (const CommandDescription& sub : command_->commands) {
      if (sub.name != word) continue;
      command_ = &sub;
      path_ += (path_.empty() ? "" : " ") + word;
      passed_ = 0;
      return;
    }
    beyond_ = command_->takes_program;
    ++passed_;
  }

  const OptionDescription* named(const std::string& name) const {
    for (const OptionDescription& option : command_->options) {
      if (!option.positional && std::ranges::find(option.names, name) != option.names.end()) {
        return &option;
      }
    }
    return nullptr;
  }

  /// "--network=qu"
  Candidates value_behind(const std::string& word, std::size_t equals) const {
    const OptionDescription* const option = named(word.substr(0, equals));
    if (option == nullptr) return {};
    Candidates values =
        values_of(path_, option->names.back(), option->type, word.substr(equals + 1));
    for (Candidate& one : values.words) one.word = word.substr(0, equals + 1) + one.word;
    return values;
  }

  Candidates options() const {
    Candidates candidates;
    for (const OptionDescription& option : command_->options) {
      if (option.positional) continue;
      for (const std::string& name : option.names) candidates.words.push_back({name, option.help});
    }
    return candidates;
  }

  /// Its commands, and values of the argument whose turn it is; the last may be a list.
  Candidates arguments(const std::string& word) const {
    Candidates candidates{.files = command_->takes_program};
    std::vector<const OptionDescription*> positional;
    for (const OptionDescription& option : command_->options) {
      if (option.unnamed) positional.push_back(&option);
    }
    if (!positional.empty()) {
      const OptionDescription& one = *positional[std::min(passed_, positional.size() - 1)];
      candidates = values_of(path_, one.names.front(), one.type, word);
    }
    for (const CommandDescription& sub : command_->commands) {
      candidates.words.push_back({sub.name, sub.about});
    }
    return candidates;
  }

  const CommandDescription* command_;
  std::string path_;  ///< "goal gen"
  const OptionDescription* value_of_ = nullptr;
  std::size_t passed_ = 0;  ///< Arguments.
  bool beyond_ = false;     ///< What follows is a program's.
};

}  // namespace

Candidates complete(const CommandDescription& program, std::vector<std::string> words) {
  const std::string last = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  Walk walk(program);
  for (const std::string& word : words) walk.pass(word);
  Candidates candidates = walk.next(last);
  std::erase_if(candidates.words,
                [&](const Candidate& one) { return !one.word.starts_with(last); });
  return candidates;
}

std::string completion_lines(const Candidates& candidates) {
  std::string text;
  for (const Candidate& one : candidates.words) {
    std::string about = one.about;
    std::replace(about.begin(), about.end(), '\n', ' ');
    text += one.word + (about.empty() ? "" : "\t" + about) + "\n";
  }
  if (candidates.files) text += ":files\n";
  if (candidates.folders) text += ":folders\n";
  return text;
}

namespace {

// bash takes words apart at '='; here they are put together again. It gets back what stands behind
// the last '=', and no blank behind one.
constexpr const char* kBash = R"(# Completion of heddle for bash.
_heddle() {
  local word joined=('') i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ $word == =* || ${joined[-1]} == *= ]] && ((i > 1)); then
      joined[-1]+=$word
    else
      joined+=("$word")
    fi
  done
  local current=${joined[-1]} prefix=''
  [[ $current == *=* ]] && prefix=${current%=*}=
  COMPREPLY=()
  local line found=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o filenames; mapfile -t found < <(compgen -f -- "${current#"$prefix"}") ;;
      :folders) compopt -o filenames; mapfile -t found < <(compgen -d -- "${current#"$prefix"}") ;;
      *) line=${line%%$'\t'*}; COMPREPLY+=("${line#"$prefix"}") ;;
    esac
  done < <("${COMP_WORDS[0]}" help --complete "${joined[@]:1}" 2>/dev/null)
  COMPREPLY+=("${found[@]}")
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[=:] ]]; then compopt -o nospace; fi
}
complete -F _heddle heddle
)";

constexpr const char* kZsh = R"(#compdef heddle
# Completion of heddle for zsh.
_heddle() {
  local -a given open
  local line word about files=
  for line in "${(@f)$("${(Q)words[1]}" help --complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    case $line in
      '') ;;
      :files) files=_files ;;
      :folders) files='_files -/' ;;
      *)
        word=${line%%$'\t'*}
        about=${line#*$'\t'}
        [[ $about == $line ]] && about=
        if [[ $word == *[=:] ]]; then open+=("${word//:/\\:}:$about"); else given+=("${word//:/\\:}:$about"); fi ;;
    esac
  done
  local found=1
  (( ${#given} )) && _describe -t values heddle given && found=0
  (( ${#open} )) && _describe -t values heddle open -S '' && found=0
  [[ -n $files ]] && ${=files} && found=0
  return found
}
if [[ $funcstack[1] == _heddle ]]; then _heddle "$@"; else compdef _heddle heddle; fi
)";

constexpr const char* kFish = R"(# Completion of heddle for fish.
function __heddle_complete
    set -l words (commandline -opc) (commandline -ct)
    for line in ($words[1] help --complete $words[2..-1] 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path (commandline -ct)
            case :folders
                __fish_complete_directories (commandline -ct)
            case '*'
                echo $line
        end
    end
end
complete -c heddle -f -a '(__heddle_complete)'
)";

}  // namespace

std::string completion_script(const std::string& shell) {
  if (shell == "bash") return kBash;
  if (shell == "zsh") return kZsh;
  if (shell == "fish") return kFish;
  throw InputError({"--completion"}, "'" + shell + "': accepted are bash, zsh and fish");
}

}  // namespace heddle::cli
