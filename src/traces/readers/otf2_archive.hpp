// An OTF2 archive, read through the library of that name.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "traces/readers/otf2_events.hpp"

namespace heddle::traces {

/// Whether this program was built with the library; else archives cannot be opened.
bool reads_otf2();

/// One archive. What it throws is an InputError with the file and what the library says.
class Otf2Archive {
 public:
  /// Opens the archive with this anchor file and reads its definitions.
  explicit Otf2Archive(const std::string& anchor);
  ~Otf2Archive();

  const Otf2Definitions& definitions() const;
  /// The file with the events of a rank.
  std::string events_file(std::uint32_t rank) const;
  /// Gives the events of a rank in their order, a piece of the file in memory at a time. Returns
  /// what was there beside such events, and how often.
  std::map<std::string, std::uint64_t> read_events(
      std::uint32_t rank, const std::function<void(const Otf2Event&)>& take);

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace heddle::traces
