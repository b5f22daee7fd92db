// SPDX-License-Identifier: MIT
// rows DECODER [NAME ARCH OBJECT]…: every instruction that the interpreter knows, one a line,
// fields between tabs: mnemonic, encoding, targets, accuracy, and the NAMEs of the objects in whose
// kernels it can be reached.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "driverless/arch/arch.h"
#include "driverless/code_object/loader.h"
#include "driverless/decode/decoder.h"
#include "driverless/interp/rows_by_name.h"
#include "driverless/isa/accuracy.h"

namespace compass {
namespace {

using Witnesses = std::map<std::string, std::set<std::string>, std::less<>>;  // by mnemonic

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "rows: %s\n", why.c_str());
  std::exit(1);
}

template <class T>
T expect(Result<T> result) {
  if (!result) fail(result.error().message);
  return std::move(*result);
}

const char* name_of(isa::Encoding encoding) {
  switch (encoding) {
    case isa::Encoding::kSop1:
      return "SOP1";
    case isa::Encoding::kSop2:
      return "SOP2";
    case isa::Encoding::kSopc:
      return "SOPC";
    case isa::Encoding::kSopk:
      return "SOPK";
    case isa::Encoding::kSopp:
      return "SOPP";
    case isa::Encoding::kSmem:
      return "SMEM";
    case isa::Encoding::kVop1:
      return "VOP1";
    case isa::Encoding::kVop2:
      return "VOP2";
    case isa::Encoding::kVop3:
      return "VOP3";
    case isa::Encoding::kVop3p:
      return "VOP3P";
    case isa::Encoding::kVopc:
      return "VOPC";
    case isa::Encoding::kDs:
      return "DS";
    case isa::Encoding::kGlobal:
      return "GLOBAL";
    case isa::Encoding::kMfma:
      return "VOP3P-MAI";
    case isa::Encoding::kFlat:
      return "FLAT";
    case isa::Encoding::kScratch:
      return "SCRATCH";
    case isa::Encoding::kBuffer:
      return "MUBUF";
    default:
      return "other";
  }
}

const char* name_of(isa::Accuracy accuracy) {
  if (accuracy == isa::Accuracy::kBounded) return "bounded";
  return accuracy == isa::Accuracy::kAssumed ? "assumed" : "exact";
}

std::string targets_of(const interp::Row& row) {
  std::string text;
  if ((row.targets & isa::GFX942) != 0) text += "gfx942";
  if ((row.targets & isa::GFX950) != 0) text += text.empty() ? "gfx950" : ", gfx950";
  return text;
}

Bytes read(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail("cannot read " + file);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const ByteView view = as_byte_view(text);
  return {view.begin(), view.end()};
}

/// Adds `name` to what every kernel of `file` reaches.
void add(Witnesses& witnesses, const std::string& decoder_path, const std::string& name,
         const std::string& architecture, const std::string& file) {
  const arch::Architecture* declared = arch::find(architecture);
  if (declared == nullptr) fail("no architecture " + architecture);
  const LoadedImage image = expect(load_image(read(file), {0x10000}, *declared));
  decode::Decoder decoder(decoder_path, architecture);
  for (const LoadedImageKernel& kernel : image.kernels) {
    const auto range = std::find_if(
        image.ranges.begin(), image.ranges.end(), [&](const LoadedImageRange& candidate) {
          return candidate.executable &&
                 kernel.entry_offset - candidate.offset < candidate.size_bytes;
        });
    if (range == image.ranges.end()) fail("no code in " + file);
    const ByteView code(image.image.data() + range->offset, range->size_bytes);
    const auto listing = expect(decoder.decode(code, kernel.entry_offset - range->offset));
    for (const auto& [pc, instruction] : listing.instructions) {
      witnesses[instruction.mnemonic].insert(name);
    }
  }
}

void print(const Witnesses& witnesses) {
  for (const interp::Row* row : interp::rows_by_name()) {
    std::string names;
    const auto found = witnesses.find(row->mnemonic);
    if (found != witnesses.end()) {
      for (const std::string& name : found->second) names += (names.empty() ? "" : ",") + name;
    }
    std::printf("%s\t%s\t%s\t%s\t%s\n", std::string(row->mnemonic).c_str(), name_of(row->encoding),
                targets_of(*row).c_str(), name_of(isa::accuracy_of(row->mnemonic)), names.c_str());
  }
}

}  // namespace
}  // namespace compass

int main(int argc, char** argv) {
  if (argc < 2 || argc % 3 != 2) compass::fail("usage: rows DECODER [NAME ARCH OBJECT]…");
  compass::Witnesses witnesses;
  for (int i = 2; i < argc; i += 3) {
    compass::add(witnesses, argv[1], argv[i], argv[i + 1], argv[i + 2]);
  }
  compass::print(witnesses);
}
