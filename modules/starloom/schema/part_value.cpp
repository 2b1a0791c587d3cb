// SPDX-License-Identifier: Apache-2.0
#include <starloom/schema/part_value.hpp>

#include <algorithm>

#include <starloom/support/names.hpp>

namespace starloom {
namespace {

const PartForm* form_of(const std::vector<PartForm>& forms, const std::string& name) {
  const auto found = std::find_if(forms.begin(), forms.end(), [&](const PartForm& form) { return form.name == name; });
  return found == forms.end() ? nullptr : &*found;
}

/// `{tree: 2, of: round-robin}`.
std::string example(const PartForm& form) {
  PartValue part{form.name, {}, {}};
  if (form.number) part.number = std::min<std::int64_t>(2, form.number->most);
  if (!form.of.empty()) part.of.push_back({form.of, {}, {}});
  return part_text(part);
}

/// The error in what a part is given, without regard to the part that it is made of.
std::string form_error(const PartForm& form, const PartValue& part) {
  const bool takes_number = form.number.has_value(), takes_part = !form.of.empty();
  if ((part.number && !takes_number) || (!part.of.empty() && !takes_part))
    return takes_number || takes_part
               ? form.name + (takes_number ? " takes a number" : " takes an arbiter") + ", as in " + example(form)
               : form.name + " takes no value; write " + form.name;
  if (!takes_number) return "";
  if (!part.number) return form.number->by_default ? "" : form.name + " needs a number, as in " + example(form);
  if (*part.number >= form.number->least && *part.number <= form.number->most) return "";
  return form.name + ": " + std::to_string(*part.number) + " is out of range (" + std::to_string(form.number->least) +
         " to " + std::to_string(form.number->most) + ")";
}

}  // namespace

std::string part_error(const PartForms& forms, const PartValue& part, const std::string& noun) {
  const PartForm* form = form_of(forms.outer, part.name);
  if (form == nullptr) return unknown_name(noun, part.name, names_of(forms.outer));
  if (const std::string error = form_error(*form, part); !error.empty()) return error;
  if (part.of.empty()) return "";
  const std::string inner = part_error({forms.inner, forms.inner}, part.of.front(), "arbiter");
  return inner.empty() ? "" : form->name + ": " + inner;
}

PartValue with_defaults(const PartForms& forms, PartValue part) {
  const PartForm& form = *form_of(forms.outer, part.name);
  if (form.number && !part.number) part.number = form.number->by_default;
  if (!form.of.empty() && part.of.empty()) part.of.push_back({form.of, {}, {}});
  for (PartValue& inner : part.of) inner = with_defaults({forms.inner, forms.inner}, std::move(inner));
  return part;
}

std::string parts_example(const PartForms& forms) {
  for (const PartForm& form : forms.outer)
    if (example(form) != form.name) return example(form);
  return "";
}

std::string part_text(const PartValue& part) {
  if (!part.number && part.of.empty()) return part.name;
  std::string text = "{" + part.name + ": ";
  if (part.number) text += std::to_string(*part.number);
  if (part.number && !part.of.empty()) text += ", of: ";
  if (!part.of.empty()) text += part_text(part.of.front());
  return text + "}";
}

}  // namespace starloom
