#include "coll/rules/rules_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>

#include "coll/rules/rules_writer.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "platform/yaml_document.hpp"

namespace heddle::coll {
namespace {

/// The collectives in the order of the numbers that the classic format gives them.
constexpr std::array kNumbered = {
    Collective::allgather,      Collective::allgatherv,
    Collective::allreduce,      Collective::alltoall,
    Collective::alltoallv,      Collective::alltoallw,
    Collective::barrier,        Collective::bcast,
    Collective::exscan,         Collective::gather,
    Collective::gatherv,        Collective::reduce,
    Collective::reduce_scatter, Collective::reduce_scatter_block,
    Collective::scan,           Collective::scatter,
    Collective::scatterv,
};

/// The algorithm with a number; throws InputError at `where`.
std::string_view numbered(Collective collective, std::int64_t number, OpenMpi version,
                          const SourceLocation& where) {
  const auto all = openmpi_algorithms(collective, version);
  if (number == 0) return {};
  if (number >= 1 && number <= static_cast<std::int64_t>(all.size())) {
    return all[static_cast<std::size_t>(number - 1)].name;
  }
  const std::size_t newest = openmpi_algorithms(collective).size();
  const std::string newer = number <= static_cast<std::int64_t>(newest)
                                ? fmt::format(", and 0 to {} with mpi.rules_for=5", newest)
                                : std::string();
  throw InputError(where,
                   fmt::format("{} has no algorithm {} in Open MPI {}: accepted are 0 to {}{}",
                               name_of(collective), number, text_of(version), all.size(), newer));
}

/// A rule as a file has it. To Open MPI no fan-out is one chain, and that of k-nomial trees is the
/// value of a variable, 4, whatever rules say.
Rule rule_of(std::int64_t ranks, std::int64_t bytes, std::string_view algorithm, std::int64_t radix,
             std::int64_t segment) {
  if (algorithm == "chain") radix = std::max<std::int64_t>(1, radix);
  if (algorithm == "knomial") radix = 0;
  return {static_cast<std::int32_t>(std::min<std::int64_t>(ranks, INT32_MAX)), bytes, algorithm,
          segment == 0 ? kWhole : segment,
          static_cast<int>(std::min<std::int64_t>(radix, INT32_MAX))};
}

std::int64_t number_in(std::string_view text, const SourceLocation& where, std::string_view what) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) {
    throw InputError(where,
                     fmt::format("{} is no {}: a whole number that is not negative is accepted",
                                 in_quotes(text), what));
  }
  return number;
}

}  // namespace

/// Numbers with blanks between them; what follows a '#' is a comment.
class ClassicRulesReader {
 public:
  ClassicRulesReader(const std::string& name, std::string_view text, OpenMpi version,
                     RulesFile& rules)
      : version_(version), rules_(rules) {
    std::uint32_t line = 0;
    for_each_line(text, [&](std::string_view whole) {
      ++line;
      std::vector<Field> fields;
      split_by_blanks(whole.substr(0, whole.find('#')), fields);
      for (const Field& field : fields) words_.push_back({field.text, {name, line, field.column}});
    });
    end_ = {name, line, 0};
  }
  void read() {
    constexpr std::string_view kVersion = "rule-file-version-";
    if (next_ < words_.size() && words_[next_].text.starts_with(kVersion)) {
      const Word word = words_[next_++];
      if (version_ == OpenMpi::v4_1) {
        throw InputError(word.where,
                         "Open MPI 4.1 reads no files with a version: accepted is one that begins "
                         "with a number, and this one with mpi.rules_for=5");
      }
      const std::int64_t version =
          number_in(word.text.substr(kVersion.size()), word.where, "version");
      if (version < 1 || version > 2) {
        throw InputError(word.where,
                         fmt::format("version {} is not known: accepted are 1 and 2", version));
      }
      requests_ = version == 2;
    }
    const std::int64_t collectives = number("number of collectives");
    for (std::int64_t i = 0; i < collectives; ++i) read_collective();
    if (next_ < words_.size()) {
      throw InputError(words_[next_].where,
                       fmt::format("{} comes after the last rule that was announced",
                                   in_quotes(words_[next_].text)));
    }
  }

 private:
  struct Word {
    std::string_view text;
    SourceLocation where;
  };
  Word word(std::string_view what) {
    if (next_ == words_.size()) {
      throw InputError(end_, fmt::format("the file ends where a {} should be", what));
    }
    return words_[next_++];
  }
  std::int64_t number(std::string_view what) {
    const Word one = word(what);
    return number_in(one.text, one.where, what);
  }
  void read_collective() {
    const Word word_of_id = word("number of a collective");
    const std::int64_t id = number_in(word_of_id.text, word_of_id.where, "number of a collective");
    if (id >= static_cast<std::int64_t>(kNumbered.size())) {
      throw InputError(
          word_of_id.where,
          fmt::format("there is no collective {}: accepted are 0 to {}", id, kNumbered.size() - 1));
    }
    const Collective collective = kNumbered[static_cast<std::size_t>(id)];
    const std::int64_t sizes = number("number of communicator sizes");
    for (std::int64_t i = 0; i < sizes; ++i) read_size(collective);
    most_first(rules_.list(collective),
               [](const RulesFile::ForRanks& one) { return one.ranks.least; });
  }
  void read_size(Collective collective) {
    const std::int64_t ranks = std::min<std::int64_t>(number("communicator size"), INT32_MAX);
    const std::int64_t rules = number("number of message sizes");
    RulesFile::ForRanks& size = rules_.list(collective).emplace_back();
    size.ranks.least = ranks;
    for (std::int64_t i = 0; i < rules; ++i) {
      const std::int64_t bytes = size_of_rule(i);
      const Word algorithm = word("algorithm");
      const std::int64_t chosen = number_in(algorithm.text, algorithm.where, "algorithm");
      const std::int64_t radix = number("fan-out");
      const std::int64_t segment = number("segment size");
      if (requests_) number("number of requests");
      size.rules.push_back(
          {{bytes},
           rule_of(ranks, bytes, numbered(collective, chosen, version_, algorithm.where), radix,
                   segment)});
    }
    most_first(size.rules, [](const RulesFile::ForBytes& one) { return one.bytes.least; });
  }
  /// The first of a communicator size is for all messages, or Open MPI drops the file.
  std::int64_t size_of_rule(std::int64_t number) {
    const Word word = this->word("message size");
    const std::int64_t bytes = number_in(word.text, word.where, "message size");
    if (number == 0 && bytes != 0) {
      throw InputError(word.where,
                       fmt::format("the first rule of a communicator size is for {} bytes or more: "
                                   "accepted is 0, for Open MPI takes no file without",
                                   bytes));
    }
    return bytes;
  }
  /// Sizes hold up to the next larger one: where the largest comes first, the first that holds
  /// counts. Of the same size, the last in the file does.
  template <class List, class Size>
  static void most_first(List& list, Size size) {
    std::ranges::reverse(list);
    std::ranges::stable_sort(list, std::greater(), size);
  }

  OpenMpi version_;
  RulesFile& rules_;
  std::vector<Word> words_;
  std::size_t next_ = 0;
  SourceLocation end_;
  bool requests_ = false;
};

/// {"collectives": {"allreduce": [{"comm_size_min": 4, "rules": [{"msg_size_min": 0, "alg": 3}]}]}}
class JsonRulesReader {
 public:
  JsonRulesReader(const std::string& name, RulesFile& rules) : name_(name), rules_(rules) {}
  void read(const std::string& text) {
    const YAML::Node root =
        platform::load_yaml(text, name_, "rules", "JSON such as {\"collectives\": {}}");
    const Members members = members_of(
        root, {"collectives", "rule_file_version", "module", "$schema", "comm_rank_distribution"});
    anywhere(members);
    const YAML::Node all = needed(members, root, "collectives");
    need(all.IsMap(), all, "an object with a member for each collective");
    for (const auto& entry : all) {
      const auto collective = collective_named(entry.first.Scalar());
      if (!collective) {
        throw InputError(place(entry.first),
                         fmt::format("there is no collective {}", in_quotes(entry.first.Scalar())));
      }
      need(entry.second.IsSequence(), entry.second, "a list of communicator sizes");
      if (!rules_.list(*collective).empty()) {
        throw InputError(place(entry.first),
                         fmt::format("{} is given twice", in_quotes(entry.first.Scalar())));
      }
      for (const YAML::Node& size : entry.second) read_size(*collective, size);
    }
  }

 private:
  using Members = std::map<std::string, YAML::Node>;

  SourceLocation place(const YAML::Node& node) const {
    return platform::place_of(node.Mark(), name_);
  }
  void need(bool right, const YAML::Node& node, std::string_view what) const {
    if (!right) throw InputError(place(node), fmt::format("this is not {}", what));
  }
  /// Those of an object, each of them known and given once.
  Members members_of(const YAML::Node& node, const std::vector<std::string>& known) const {
    need(node.IsMap(), node, "an object");
    Members members;
    for (const auto& entry : node) {
      need(entry.first.IsScalar(), entry.first, "a member's name");
      const std::string& name = entry.first.Scalar();
      if (std::ranges::find(known, name) == known.end()) {
        throw InputError(place(entry.first),
                         fmt::format("unknown member {}{}: accepted are {}", in_quotes(name),
                                     did_you_mean(name, known), joined(known)));
      }
      if (!members.emplace(name, entry.second).second) {
        throw InputError(place(entry.first), fmt::format("{} is given twice", in_quotes(name)));
      }
    }
    return members;
  }
  YAML::Node needed(const Members& members, const YAML::Node& node, const char* name) const {
    const auto found = members.find(name);
    if (found == members.end()) {
      throw InputError(place(node), fmt::format("there is no member '{}'", name));
    }
    return found->second;
  }
  std::int64_t number(const Members& members, const char* name, std::int64_t otherwise) const {
    const auto found = members.find(name);
    if (found == members.end()) return otherwise;
    const YAML::Node& node = found->second;
    need(node.IsScalar(), node, "a number");
    const std::string& text = node.Scalar();
    if (text == "inf" || text == "Inf" || text == "INF") return INT64_MAX;
    return number_in(text, place(node), name);
  }
  /// How ranks lie on nodes is not asked.
  void anywhere(const Members& members) const {
    const auto found = members.find("comm_rank_distribution");
    if (found == members.end()) return;
    const YAML::Node& node = found->second;
    if (!node.IsScalar() || node.Scalar() != "any") {
      throw InputError(place(node), fmt::format("comm_rank_distribution is {}: accepted is \"any\"",
                                                platform::token_of(node)));
    }
  }
  void read_size(Collective collective, const YAML::Node& node) {
    const Members members =
        members_of(node, {"comm_size_min", "comm_size_max", "comm_rank_distribution", "rules"});
    anywhere(members);
    const YAML::Node all = needed(members, node, "rules");
    need(all.IsSequence(), all, "a list of rules");
    RulesFile::ForRanks& size = rules_.list(collective).emplace_back();
    size.ranks = {number(members, "comm_size_min", 0), number(members, "comm_size_max", INT64_MAX)};
    for (const YAML::Node& one : all) read_rule(collective, one, size);
  }
  void read_rule(Collective collective, const YAML::Node& node, RulesFile::ForRanks& size) const {
    const Members members =
        members_of(node, {"msg_size_min", "msg_size_max", "alg", "faninout", "seg_size", "reqs"});
    number(members, "reqs", 0);
    const std::int64_t segment = number(members, "seg_size", 0);
    const std::int64_t radix = number(members, "faninout", 0);
    const RulesFile::Range bytes{number(members, "msg_size_min", 0),
                                 number(members, "msg_size_max", INT64_MAX)};
    size.rules.push_back(
        {bytes, rule_of(size.ranks.least, bytes.least,
                        named(collective, needed(members, node, "alg")), radix, segment)});
  }
  /// By its number or by Open MPI's name.
  std::string_view named(Collective collective, const YAML::Node& algorithm) const {
    need(algorithm.IsScalar(), algorithm, "an algorithm");
    const std::string& text = algorithm.Scalar();
    std::vector<std::string> names = {"ignore"};
    for (const NumberedAlgorithm& one : openmpi_algorithms(collective)) {
      if (one.openmpi == text) return one.name;
      names.emplace_back(one.openmpi);
    }
    if (text == "ignore") return {};
    if (!text.empty() && text[0] >= '0' && text[0] <= '9') {
      return numbered(collective, number_in(text, place(algorithm), "algorithm"), OpenMpi::v5,
                      place(algorithm));
    }
    throw InputError(place(algorithm),
                     fmt::format("{} has no algorithm {}: accepted are {}", name_of(collective),
                                 in_quotes(text), joined(names)));
  }

  const std::string& name_;
  RulesFile& rules_;
};

std::optional<int> openmpi_number(Collective collective) {
  const auto* found = std::find(kNumbered.begin(), kNumbered.end(), collective);
  if (found == kNumbered.end()) return std::nullopt;
  return static_cast<int>(found - kNumbered.begin());
}

RulesFile::RulesFile(const std::string& name, std::string_view text, OpenMpi version) {
  if (trimmed(text).starts_with('{')) {
    JsonRulesReader(name, *this).read(std::string(text));
  } else {
    ClassicRulesReader(name, text, version, *this).read();
  }
}

const Rule* RulesFile::find(Collective collective, int ranks, std::int64_t bytes) const {
  for (const ForRanks& size : lists_[static_cast<std::size_t>(collective)]) {
    if (!size.ranks.holds(ranks)) continue;
    for (const ForBytes& one : size.rules) {
      if (one.bytes.holds(bytes)) return &one.rule;
    }
    return nullptr;
  }
  return nullptr;
}

}  // namespace heddle::coll
