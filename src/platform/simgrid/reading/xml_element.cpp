#include "platform/simgrid/reading/xml_element.hpp"

#include <algorithm>
#include <cstring>
#include <functional>

#include "core/units.hpp"
#include "platform/simgrid/reading/xml_syntax.hpp"

namespace heddle::platform::simgrid {

std::vector<Element> Element::children() const {
  std::vector<Element> elements;
  for (const pugi::xml_node child : node_.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      throw InputError(document_->place(child.value()),
                       "text inside <" + std::string(tag()) + ">: only elements are accepted here");
    }
    if (child.type() == pugi::node_element) elements.emplace_back(*document_, child);
  }
  return elements;
}

Element::Content Element::content() const {
  Content content{"", where()};
  for (const pugi::xml_node child : node_.children()) {
    if (child.type() == pugi::node_element) {
      throw InputError(document_->place(child.name()), "<" + std::string(child.name()) +
                                                           "> inside <" + std::string(tag()) +
                                                           ">: only text is accepted here");
    }
    if (content.text.empty()) content.where = document_->place(child.value());
    content.text += child.value();
  }
  return content;
}

void Element::accept_attributes(std::initializer_list<std::string_view> accepted) const {
  const std::vector<std::string> names(accepted.begin(), accepted.end());
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    const std::string name = attribute.name();
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      throw InputError(document_->place(attribute.name()),
                       "attribute '" + name + "' of <" + std::string(tag()) + "> is not supported" +
                           did_you_mean(name, names) + ": accepted are " + joined(names));
    }
    if (find(name) != attribute) {
      throw InputError(document_->place(attribute.name()), "attribute '" + name + "' given twice");
    }
  }
}

pugi::xml_attribute Element::find(std::string_view attribute) const {
  return node_.attribute(std::string(attribute).c_str());
}

bool Element::has(std::string_view attribute) const {
  return !find(attribute).empty();
}

std::string_view Element::text(std::string_view attribute) const {
  const pugi::xml_attribute found = find(attribute);
  if (found.empty()) {
    fail("<" + std::string(tag()) + "> needs the attribute '" + std::string(attribute) + "'");
  }
  return found.value();
}

std::string_view Element::text_or(std::string_view attribute, std::string_view fallback) const {
  const pugi::xml_attribute found = find(attribute);
  return found.empty() ? fallback : std::string_view(found.value());
}

SourceLocation Element::where() const {
  return document_->place(node_.name());
}

SourceLocation Element::where(std::string_view attribute) const {
  const pugi::xml_attribute found = find(attribute);
  return found.empty() ? where() : document_->place(found.value());
}

void Element::fail(std::string_view problem) const {
  throw InputError(where(), problem);
}

void Element::fail_inside(const Element& parent,
                          const std::vector<std::string_view>& accepted) const {
  const std::vector<std::string> names(accepted.begin(), accepted.end());
  fail("<" + std::string(tag()) + "> is not supported inside <" + std::string(parent.tag()) + ">" +
       did_you_mean(tag(), names) + ": accepted are " + joined(names));
}

void Element::fail_at(std::string_view attribute, std::string_view problem) const {
  std::string text = "'" + std::string(text_or(attribute, "")) + "' of attribute " +
                     std::string(attribute) + " of <" + std::string(tag()) + ">: ";
  throw InputError(where(attribute), text += problem);
}

XmlDocument::XmlDocument(std::string_view text, std::string file_name)
    : file_name_(std::move(file_name)), buffer_(text), line_starts_{0} {
  for (std::size_t i = 0; i < buffer_.size(); ++i) {
    if (buffer_[i] == '\n') line_starts_.push_back(i + 1);
  }
  // As a fragment, so that what stands around the document's element is not thrown away.
  const pugi::xml_parse_result result = document_.load_buffer_inplace(
      buffer_.data(), buffer_.size(),
      pugi::parse_default | pugi::parse_fragment | pugi::parse_declaration, pugi::encoding_utf8);
  if (!result) {
    const auto offset = static_cast<std::size_t>(result.offset);
    throw InputError(place_at(offset), "not well-formed XML at " + token_at(text, offset) + " (" +
                                           result.description() + "): accepted is " +
                                           accepted_instead(result.status));
  }
  if (const auto mistake = find_bad_character(text)) {
    throw InputError(place_at(mistake->offset), mistake->problem);
  }
  check_prologue();
}

/// A declaration comes first, if at all, and then one element and nothing else.
void XmlDocument::check_prologue() const {
  const pugi::xml_node element = document_.document_element();
  if (element.empty()) {
    throw InputError({file_name_, 1, 1}, "no XML element: accepted is " +
                                             accepted_instead(pugi::status_no_document_element));
  }
  for (const pugi::xml_node node : document_.children()) {
    const bool first = node == document_.first_child();
    if (node == element || (node.type() == pugi::node_declaration && first)) continue;
    const bool text = node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata;
    const char* inside = text ? node.value() : node.name();
    inside += std::strspn(inside, " \t\r\n");
    throw InputError(place(inside), token_at(inside, 0) + " beside <" + element.name() +
                                        ">: accepted is one element and nothing else");
  }
}

SourceLocation XmlDocument::place(const char* inside) const {
  const char* begin = buffer_.data();
  const std::less<> before;  // The order of pointers into different objects, too.
  if (before(inside, begin) || !before(inside, begin + buffer_.size())) return {file_name_, 0, 0};
  return place_at(static_cast<std::size_t>(inside - begin));
}

SourceLocation XmlDocument::place_at(std::size_t offset) const {
  const auto next = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(next - line_starts_.begin());
  return {file_name_, line, static_cast<std::uint32_t>(offset - line_starts_[line - 1] + 1)};
}

}  // namespace heddle::platform::simgrid
