// An XML document whose elements and attributes know their place in the file.
#pragma once

#include <pugixml.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace heddle::platform::simgrid {

class XmlDocument;

/// An element of an XmlDocument, which must outlive it.
class Element {
 public:
  Element(const XmlDocument& document, pugi::xml_node node) : document_(&document), node_(node) {}

  std::string_view tag() const { return node_.name(); }
  /// The elements inside; throws InputError where there is text between them.
  std::vector<Element> children() const;

  struct Content {
    std::string text;
    SourceLocation where;  ///< Of its first line.
  };
  /// The text inside; throws InputError where there are elements in it.
  Content content() const;

  /// Throws InputError at an attribute that is given twice or not in `accepted`.
  void accept_attributes(std::initializer_list<std::string_view> accepted) const;
  bool has(std::string_view attribute) const;
  /// The attribute's value; throws InputError if it is missing.
  std::string_view text(std::string_view attribute) const;
  std::string_view text_or(std::string_view attribute, std::string_view fallback) const;

  /// The place of the element's name, or of an attribute's value if it is there.
  SourceLocation where() const;
  SourceLocation where(std::string_view attribute) const;
  [[noreturn]] void fail(std::string_view problem) const;
  /// It is not among the `accepted` elements of `parent`.
  [[noreturn]] void fail_inside(const Element& parent,
                                const std::vector<std::string_view>& accepted) const;
  /// "'value' of attribute x of <tag>: problem", at the value.
  [[noreturn]] void fail_at(std::string_view attribute, std::string_view problem) const;

 private:
  pugi::xml_attribute find(std::string_view attribute) const;

  const XmlDocument* document_;
  pugi::xml_node node_;
};

/// A parsed file. Throws InputError, with its place, for text that is not XML.
class XmlDocument {
 public:
  XmlDocument(std::string_view text, std::string file_name);
  XmlDocument(const XmlDocument&) = delete;
  XmlDocument& operator=(const XmlDocument&) = delete;

  Element root() const { return Element(*this, document_.document_element()); }
  const std::string& file_name() const { return file_name_; }
  /// The place that a string inside the parsed buffer came from; only the file for any other.
  SourceLocation place(const char* inside) const;

 private:
  SourceLocation place_at(std::size_t offset) const;
  void check_prologue() const;

  std::string file_name_;
  std::string buffer_;  ///< Parsed in place, so that names and values point to where they stood.
  std::vector<std::size_t> line_starts_;
  pugi::xml_document document_;
};

}  // namespace heddle::platform::simgrid
