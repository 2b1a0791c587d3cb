// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Reads XML strictly enough to find text that is not well-formed. Uses the parser inside Boost.PropertyTree,
/// because the library's own reader does not compare closing tags.
#include <boost/property_tree/detail/rapidxml.hpp>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace starloom {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< its own, in front of the first child
  std::vector<XmlElement> children;

  /// All elements of a name, at any depth.
  std::vector<const XmlElement*> all(const std::string& wanted) const {
    std::vector<const XmlElement*> found;
    if (name == wanted) found.push_back(this);
    for (const XmlElement& child : children)
      for (const XmlElement* element : child.all(wanted)) found.push_back(element);
    return found;
  }
};

namespace rapid = boost::property_tree::detail::rapidxml;

inline XmlElement element_of(const rapid::xml_node<char>& node) {
  XmlElement element{{node.name(), node.name_size()}, {}, {node.value(), node.value_size()}, {}};
  for (const auto* a = node.first_attribute(); a != nullptr; a = a->next_attribute())
    if (!element.attributes.emplace(std::string(a->name(), a->name_size()), std::string(a->value(), a->value_size()))
             .second)
      throw std::runtime_error(element.name + " has an attribute twice");
  for (const auto* child = node.first_node(); child != nullptr; child = child->next_sibling())
    if (child->type() == rapid::node_element) element.children.push_back(element_of(*child));
  return element;
}

/// The root element. \throws std::exception if the text is not well-formed.
inline XmlElement parse_xml(std::string text) {
  for (std::size_t at = text.find('&'); at != std::string::npos; at = text.find('&', at + 1)) {
    const std::string entity = text.substr(at, text.find(';', at) - at);
    if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot" &&
        entity.find_first_not_of("&#0123456789") != std::string::npos)
      throw std::runtime_error("a bare & in " + text.substr(at, 20));
  }
  rapid::xml_document<char> document;
  document.parse<rapid::parse_validate_closing_tags>(text.data());
  const auto* root = document.first_node();
  if (root == nullptr || root->next_sibling() != nullptr) throw std::runtime_error("not one root element");
  return element_of(*root);
}

}  // namespace starloom
