// SPDX-License-Identifier: Apache-2.0
// The entry of benchmarks that simulate: the SystemC library has main.
#include <benchmark/benchmark.h>

#include <systemc>

int sc_main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
