// Profiles of a platform file: how bandwidths and latencies of its links change.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/link_profiles.hpp"
#include "platform/simgrid/model.hpp"
#include "platform/simgrid/reading/values.hpp"
#include "platform/simgrid/reading/xml_element.hpp"

namespace heddle::platform::simgrid {

/// The lines of a profile: "TIME VALUE" in seconds and SI units, "PERIODICITY TIME", "LOOPAFTER
/// TIME" and comments, as SimGrid 3.32 reads them. `where` is the place of the first line;
/// `period` is that of the element around them, zero for none. Nothing for a profile of random
/// draws. Throws InputError for anything else.
std::optional<Profile> parse_profile(std::string_view text, const SourceLocation& where,
                                     Time period);

/// Gathers the profiles of a platform and which of its links follow them. Traces and links may be
/// connected before they are declared.
class ProfileReader {
 public:
  ProfileReader(Model& model, Warnings& warnings) : model_(model), warnings_(warnings) {}

  /// <trace>: a profile with a name.
  void read_trace(const Element& element);
  /// <trace_connect>: which profile is whose.
  void read_connection(const Element& element);
  /// An attribute that names the file of a profile for a cable, if it is there.
  void read_file(const Element& element, std::string_view attribute, LinkQuantity quantity,
                 std::uint32_t cable);
  /// Connects traces and links, once all have been read.
  void finish();

 private:
  struct Connection {
    LinkQuantity quantity;
    std::string trace;
    std::string link;
    SourceLocation where;
  };

  std::optional<std::uint32_t> add(std::optional<Profile> profile, const SourceLocation& where);
  static Time period_of(const Element& trace);
  std::optional<std::uint32_t> profile_of_file(const Element& element, std::string_view attribute);
  void connect(const Connection& connection);
  std::vector<LinkId> links_called(const Connection& connection) const;
  void follow(LinkId link, LinkQuantity quantity, std::uint32_t profile,
              const SourceLocation& where);

  Model& model_;
  Warnings& warnings_;
  /// By name; nothing for those that are not obeyed.
  std::map<std::string, std::optional<std::uint32_t>, std::less<>> traces_;
  std::map<std::string, std::optional<std::uint32_t>, std::less<>> files_;  ///< By path.
  std::vector<Connection> connections_;
};

}  // namespace heddle::platform::simgrid
