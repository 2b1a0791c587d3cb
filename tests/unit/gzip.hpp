// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Packing of texts for tests that read gzip files.
#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <sstream>
#include <string>

namespace starloom {

inline std::string gzip(const std::string& text) {
  std::istringstream in(text);
  boost::iostreams::filtering_streambuf<boost::iostreams::input> packed;
  packed.push(boost::iostreams::gzip_compressor());
  packed.push(in);
  std::ostringstream out;
  boost::iostreams::copy(packed, out);
  return out.str();
}

}  // namespace starloom
