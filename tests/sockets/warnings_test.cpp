// SPDX-License-Identifier: Apache-2.0
/// \file No warning of SystemC passes a test unseen.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <systemc>

namespace starloom {
namespace {

TEST(Warnings, OfSystemCAreFailuresOfTheTest) {
  EXPECT_NONFATAL_FAILURE(SC_REPORT_WARNING("/starloom/some", "text"), "SystemC warns: /starloom/some: text");
}

}  // namespace
}  // namespace starloom
