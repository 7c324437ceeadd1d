// Properties, which elements of platform files may have.
#pragma once

#include "platform/simgrid/reading/xml_element.hpp"

namespace heddle::platform::simgrid {

/// Throws InputError where a property lacks something.
inline void check_prop(const Element& prop) {
  prop.accept_attributes({"id", "value"});
  prop.text("id");
  prop.text("value");
}

/// The element may hold properties, and nothing else.
inline void check_props(const Element& element) {
  for (const Element& prop : element.children()) {
    if (prop.tag() != "prop") prop.fail_inside(element, {"prop"});
    check_prop(prop);
  }
}

}  // namespace heddle::platform::simgrid
