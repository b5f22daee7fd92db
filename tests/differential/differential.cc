// SPDX-License-Identifier: MIT
// differential ARCH DECODER TABLE OBJECT: runs every operation of a table as a kernel, interpreted,
// and as code of the CPU, on the same operands, and compares bit for bit. Open in the language and
// so here: which NaN a NaN is, and where a table says so the sign of a zero.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "driverless/agent.h"
#include "driverless/arch/arch.h"
#include "tests/differential/host.h"
#include "tests/differential/inputs.h"

namespace compass::differential {
namespace {

constexpr unsigned kWorkitems = 256, kWorkgroups = 256, kCount = kWorkitems * kWorkgroups;
constexpr std::uint64_t kFirstBuffer = std::uint64_t{1} << 44, kStride = std::uint64_t{1} << 32;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "differential: %s\n", why.c_str());
  std::exit(1);
}

template <class T>
T expect(Result<T> result) {
  if (!result) fail(result.error().message);
  return std::move(*result);
}

Bytes packed(const std::vector<std::uint64_t>& values, unsigned size_bytes) {
  Bytes bytes(values.size() * size_bytes);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::memcpy(&bytes[i * size_bytes], &values[i], size_bytes);
  }
  return bytes;
}

std::uint64_t element(const Bytes& bytes, std::size_t index, unsigned size_bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &bytes[index * size_bytes], size_bytes);
  return bits;
}

class FirstTrouble : public Observer {
 public:
  void on_fault(const Fault& fault) override {
    if (cause.empty()) cause = "a fault at " + fault.instruction;
  }
  void on_stopped(std::uint64_t, const std::string& why) override { cause = why; }
  std::string cause;
};

/// Runs one operation as a kernel. Gives its results; what went wrong is in `cause`.
Bytes run_kernel(Agent& agent, const LoadedKernel* kernel, std::vector<Bytes> buffers,
                 std::string& cause) {
  Bytes kernarg(buffers.size() * 8);
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const std::uint64_t address = kFirstBuffer + i * kStride;
    std::memcpy(&kernarg[i * 8], &address, sizeof address);
    const auto mapped = agent.memory().map({.base = {address},
                                            .size_bytes = buffers[i].size(),
                                            .host = buffers[i].data(),
                                            .id = {static_cast<std::uint32_t>(i + 1)}});
    if (!mapped) fail(mapped.error().message);
    agent.memory().note_write({address}, buffers[i].size(), ByteState::kKnown, 0);
  }
  FirstTrouble trouble;
  expect(agent.dispatch({.kernel = kernel,
                         .grid_workgroups = {kWorkgroups, 1, 1},
                         .workgroup_workitems = {kWorkitems, 1, 1},
                         .explicit_kernarg = kernarg,
                         .record = 1},
                        trouble));
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    expect(agent.memory().unmap({kFirstBuffer + i * kStride}));
  }
  cause = trouble.cause;
  return buffers.back();
}

bool is_same(const HostOperation& operation, std::uint64_t got, std::uint64_t want) {
  if (got == want) return true;
  const Layout layout = layout_of(operation.to);
  if (layout.is_nan(got) && layout.is_nan(want)) return true;
  return operation.any_zero != 0 && layout.is_zero(got) && layout.is_zero(want);
}

/// Whether the kernel computes what the host does.
bool check(const HostOperation& operation, Agent& agent, const LoadedCodeObject& code) {
  const LoadedKernel* kernel = Agent::find_kernel(code, operation.name);
  if (kernel == nullptr) fail(std::string("no kernel ") + operation.name);
  const unsigned from = layout_of(operation.from).size_bytes,
                 to = layout_of(operation.to).size_bytes;
  const Operands operands = make_operands(layout_of(operation.from), kCount);
  const Bytes a = packed(operands.a, from), b = packed(operands.b, from),
              c = packed(operands.c, from);
  Bytes want(std::size_t{kCount} * to);
  operation.run(a.data(), b.data(), c.data(), want.data(), kCount);
  std::string cause;
  const Bytes got = run_kernel(agent, kernel, {a, b, c, Bytes(want.size())}, cause);
  if (!cause.empty()) return std::printf("%s: %s\n", operation.name, cause.c_str()), false;
  unsigned differing = 0;
  for (unsigned i = 0; i < kCount; ++i) {
    const std::uint64_t is = element(got, i, to), should = element(want, i, to);
    if (is_same(operation, is, should) || differing++ != 0) continue;
    std::printf("%s(%s, %s, %s): expected %s, found %s\n", operation.name,
                hex(operands.a[i]).c_str(), hex(operands.b[i]).c_str(), hex(operands.c[i]).c_str(),
                hex(should).c_str(), hex(is).c_str());
  }
  if (differing != 0) std::printf("%s: %u of %u differ\n", operation.name, differing, kCount);
  return differing == 0;
}

const HostTable& find_table(const std::string& name) {
  for (const HostTable* table :
       {&integer_table, &f32_table, &f64_table, &f16_table, &packed_table}) {
    if (name == table->name) return *table;
  }
  fail("no table " + name);
}

Bytes read(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(std::string("cannot read ") + file);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const ByteView view = as_byte_view(text);
  return {view.begin(), view.end()};
}

int run(const char* architecture, const char* decoder, const char* name, const char* object) {
  const HostTable& table = find_table(name);
  Agent agent(*arch::find(architecture), decoder);
  const LoadedCodeObject* code = expect(agent.load(read(object)));
  unsigned wrong = 0;
  for (unsigned i = 0; i < table.count; ++i) {
    if (!check(table.operations[i], agent, *code)) ++wrong;
  }
  std::printf("%u of %u operations agree on %s\n", table.count - wrong, table.count, architecture);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace compass::differential

int main(int argc, char** argv) {
  if (argc != 5) compass::differential::fail("usage: differential ARCH DECODER TABLE OBJECT");
  return compass::differential::run(argv[1], argv[2], argv[3], argv[4]);
}
