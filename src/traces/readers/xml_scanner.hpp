// XML taken apart as it is read, tag by tag, without a tree of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::traces {

/// A tag that opens an element. Its parts are the text's own.
struct XmlTag {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
  std::size_t offset = 0;  ///< In the text, in bytes.

  /// As it stands there; nothing for one that is missing.
  std::string_view attribute(std::string_view key) const {
    for (const auto& [name_of, value] : attributes) {
      if (name_of == key) return value;
    }
    return {};
  }
};

/// Gives tags one after another; text between them, comments and declarations are left out. Throws
/// InputError with line and byte.
class XmlScanner {
 public:
  XmlScanner(std::string_view text, const std::string& file) : text_(text), file_(&file) {}

  /// Goes to the next element within the one that is open, or to its end, where it is open no
  /// longer. At the end of the text there is no other, which ends nothing.
  bool next();
  /// The element that next() has gone to.
  const XmlTag& tag() const { return tag_; }
  /// Leaves out what is within the one that next() has gone to.
  void skip();
  [[noreturn]] void fail(std::size_t offset, const std::string& problem) const;

 private:
  void skip_to(std::string_view end);
  void skip_blanks();
  std::string_view name();
  void open();
  void close();
  void read_attribute();

  std::string_view text_;
  const std::string* file_;
  std::size_t at_ = 0;
  XmlTag tag_;
  std::vector<std::string_view> within_;  ///< Names of the elements that are open.
  bool empty_ = false;                    ///< The tag closes its element, too.
};

/// A value of an attribute with what stands for '&', '<', '>' and quotes as these.
std::string xml_text(std::string_view value);

}  // namespace heddle::traces
