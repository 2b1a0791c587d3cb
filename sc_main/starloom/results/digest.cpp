// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/digest.hpp>

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <stdexcept>

#include <starloom/support/error.hpp>

namespace starloom {
namespace {

/// A SHA-256 that is computed piece by piece.
class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    if (context_ == nullptr || EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) != 1)
      throw std::runtime_error("SHA-256 is not available in the OpenSSL library");
  }
  void add(const char* bytes, std::size_t count) { EVP_DigestUpdate(context_.get(), bytes, count); }
  std::string digits() {
    std::array<unsigned char, 32> digest{};
    EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr);
    std::string text;
    for (const unsigned char byte : digest) text += fmt::format("{:02x}", byte);
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

std::string sha256(const std::string& bytes) {
  Sha256 hash;
  hash.add(bytes.data(), bytes.size());
  return hash.digits();
}

std::string sha256_of_files(const std::vector<std::filesystem::path>& files) {
  Sha256 hash;
  for (const std::filesystem::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw InputError(fmt::format("{}: cannot be read", file.string()));
    std::array<char, 1 << 16> piece{};
    while (stream.read(piece.data(), piece.size()) || stream.gcount() > 0)
      hash.add(piece.data(), static_cast<std::size_t>(stream.gcount()));
  }
  return hash.digits();
}

}  // namespace starloom
