#include "mpi/coll/rules_file.hpp"

#include <fmt/core.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/error.hpp"
#include "core/text.hpp"
#include "mpi/coll/rules_writer.hpp"

namespace heddle::mpi::coll {
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
std::string_view numbered(Collective collective, std::int64_t number, const SourceLocation& where) {
  const auto all = openmpi_algorithms(collective);
  if (number == 0) return {};
  if (number >= 1 && number <= static_cast<std::int64_t>(all.size()))
    return all[static_cast<std::size_t>(number - 1)].name;
  throw InputError(where, fmt::format("{} has no algorithm {}: accepted are 0 to {}",
                                      name_of(collective), number, all.size()));
}

std::int64_t number_in(std::string_view text, const SourceLocation& where, std::string_view what) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0)
    throw InputError(where,
                     fmt::format("{} is no {}: a whole number that is not negative is accepted",
                                 in_quotes(text), what));
  return number;
}

}  // namespace

/// Numbers with blanks between them; what follows a '#' is a comment.
class ClassicRulesReader {
 public:
  ClassicRulesReader(const std::string& name, std::string_view text, RulesFile& rules)
      : rules_(rules) {
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
      const std::int64_t version =
          number_in(word.text.substr(kVersion.size()), word.where, "version");
      if (version < 1 || version > 2)
        throw InputError(word.where,
                         fmt::format("version {} is not known: accepted are 1 and 2", version));
      requests_ = version == 2;
    }
    const std::int64_t collectives = number("number of collectives");
    for (std::int64_t i = 0; i < collectives; ++i) read_collective();
    if (next_ < words_.size())
      throw InputError(words_[next_].where,
                       fmt::format("{} comes after the last rule that was announced",
                                   in_quotes(words_[next_].text)));
  }

 private:
  struct Word {
    std::string_view text;
    SourceLocation where;
  };
  Word word(std::string_view what) {
    if (next_ == words_.size())
      throw InputError(end_, fmt::format("the file ends where a {} should be", what));
    return words_[next_++];
  }
  std::int64_t number(std::string_view what) {
    const Word one = word(what);
    return number_in(one.text, one.where, what);
  }
  void read_collective() {
    const Word word_of_id = word("number of a collective");
    const std::int64_t id = number_in(word_of_id.text, word_of_id.where, "number of a collective");
    if (id >= static_cast<std::int64_t>(kNumbered.size()))
      throw InputError(
          word_of_id.where,
          fmt::format("there is no collective {}: accepted are 0 to {}", id, kNumbered.size() - 1));
    const Collective collective = kNumbered[static_cast<std::size_t>(id)];
    const std::int64_t sizes = number("number of communicator sizes");
    for (std::int64_t i = 0; i < sizes; ++i) read_size(collective);
  }
  void read_size(Collective collective) {
    const std::int64_t ranks = std::min<std::int64_t>(number("communicator size"), INT32_MAX);
    const std::int64_t rules = number("number of message sizes");
    for (std::int64_t i = 0; i < rules; ++i) {
      const std::int64_t bytes = number("message size");
      const Word algorithm = word("algorithm");
      const std::int64_t chosen = number_in(algorithm.text, algorithm.where, "algorithm");
      const std::int64_t radix = std::min<std::int64_t>(number("fan-out"), INT32_MAX);
      const std::int64_t segment = number("segment size");
      if (requests_) number("number of requests");
      rules_.list(collective)
          .push_back({static_cast<std::int32_t>(ranks), bytes,
                      numbered(collective, chosen, algorithm.where),
                      segment == 0 ? kWhole : segment, static_cast<int>(radix)});
    }
  }

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
  void read(const YAML::Node& root) {
    const YAML::Node all = member(root, "collectives");
    need(all.IsMap(), all, "an object with a member for each collective");
    for (const auto& entry : all) {
      const auto collective = collective_named(entry.first.Scalar());
      if (!collective)
        throw InputError(place(entry.first),
                         fmt::format("there is no collective {}", in_quotes(entry.first.Scalar())));
      need(entry.second.IsSequence(), entry.second, "a list of communicator sizes");
      for (const YAML::Node& size : entry.second) read_size(*collective, size);
    }
  }

 private:
  SourceLocation place(const YAML::Node& node) const {
    const YAML::Mark mark = node.Mark();
    if (mark.is_null()) return {name_, 0, 0};
    return {name_, static_cast<std::uint32_t>(mark.line + 1),
            static_cast<std::uint32_t>(mark.column + 1)};
  }
  void need(bool right, const YAML::Node& node, std::string_view what) const {
    if (!right) throw InputError(place(node), fmt::format("this is not {}", what));
  }
  YAML::Node member(const YAML::Node& node, const char* name) const {
    need(node.IsMap(), node, "an object");
    const YAML::Node found = node[name];
    if (!found) throw InputError(place(node), fmt::format("there is no member '{}'", name));
    return found;
  }
  std::int64_t number(const YAML::Node& node, const char* name, std::int64_t otherwise) const {
    const YAML::Node found = node[name];
    if (!found) return otherwise;
    need(found.IsScalar(), found, "a number");
    return number_in(found.Scalar(), place(found), name);
  }
  void read_size(Collective collective, const YAML::Node& size) {
    const YAML::Node all = member(size, "rules");
    need(all.IsSequence(), all, "a list of rules");
    const auto ranks = static_cast<std::int32_t>(
        std::min<std::int64_t>(number(size, "comm_size_min", 0), INT32_MAX));
    for (const YAML::Node& one : all) {
      const YAML::Node algorithm = member(one, "alg");
      const std::int64_t segment = number(one, "segsize", 0);
      rules_.list(collective)
          .push_back(
              {ranks, number(one, "msg_size_min", 0), named(collective, algorithm),
               segment == 0 ? kWhole : segment,
               static_cast<int>(std::min<std::int64_t>(number(one, "faninout", 0), INT32_MAX))});
    }
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
    if (!text.empty() && text[0] >= '0' && text[0] <= '9')
      return numbered(collective, number_in(text, place(algorithm), "algorithm"), place(algorithm));
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

RulesFile::RulesFile(const std::string& name, std::string_view text) {
  if (trimmed(text).starts_with('{')) {
    try {
      JsonRulesReader(name, *this).read(YAML::Load(std::string(text)));
    } catch (const YAML::Exception& error) {
      throw InputError({name, static_cast<std::uint32_t>(error.mark.line + 1),
                        static_cast<std::uint32_t>(error.mark.column + 1)},
                       error.msg);
    }
  } else {
    ClassicRulesReader(name, text, *this).read();
  }
  sort();
}

std::vector<Rule>& RulesFile::list(Collective collective) {
  for (List& one : lists_) {
    if (one.collective == collective) return one.rules;
  }
  return lists_.emplace_back(List{collective, {}}).rules;
}

RuleList RulesFile::rules(Collective collective) const {
  for (const List& one : lists_) {
    if (one.collective == collective) return one.rules;
  }
  return {};
}

void RulesFile::sort() {
  for (List& one : lists_) {
    std::stable_sort(one.rules.begin(), one.rules.end(), [](const Rule& a, const Rule& b) {
      return a.ranks != b.ranks ? a.ranks < b.ranks : a.bytes < b.bytes;
    });
  }
}

}  // namespace heddle::mpi::coll
