#include <starloom/verify/verify.hpp>

#include <starloom/core/error.hpp>
#include <starloom/verify/links/verify.hpp>
#include <starloom/verify/result_document.hpp>

namespace starloom {

VerifyReport verify_folder(const std::filesystem::path& folder, const pops::DeclaredRules& rules) {
  if (!std::filesystem::is_directory(folder)) throw InputError(folder.string() + ": is not a folder");
  const ResultDocument document(folder / "result.json");
  const bool couplers = document.text("experiment.network.topology") == "pops";
  return couplers ? pops::verify_folder(folder, document, rules) : links::verify_folder(folder, document);
}

}  // namespace starloom
