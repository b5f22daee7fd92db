// SPDX-License-Identifier: MIT
#include "driverless/code_vector.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "driverless/agent.h"

namespace compass {
namespace {

constexpr unsigned kRowWords = 64;

// Puts words where the code expects them, row after row, and collects them afterwards. v255 is the
// lane's offset in a row, v254 the word, s[4:5] and s[6:7] the next rows to read and write.
class KernelText {
 public:
  KernelText(const CodeVector& vector, const std::string& target) : vector_(vector) {
    text_ << ".amdgcn_target \"amdgcn-amd-amdhsa--" << target << "\"\n.text\n.p2align 8\n"
          << ".globl k\n.type k,@function\nk:\n"
          << "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_load_dwordx2 s[8:9], s[0:1], 0x10\n"
          << "s_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v255, 2, v0\n";
  }

  std::string finish() {
    read_rows();
    text_ << vector_.code << "\ns_waitcnt vmcnt(0) lgkmcnt(0)\n";
    write_rows();
    text_ << "s_endpgm\n.size k, .-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n"
          << ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_group_segment_fixed_size 16384\n"
          << ".amdhsa_private_segment_fixed_size " << vector_.scratch_bytes << "\n"
          << ".amdhsa_next_free_vgpr 512\n.amdhsa_next_free_sgpr 96\n.amdhsa_accum_offset 256\n"
          << ".amdhsa_float_denorm_mode_32 3\n"
          << ".end_amdhsa_kernel\n.amdgpu_metadata\n---\namdhsa.version: [ 1, 2 ]\n"
          << "amdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 24\n"
          << "    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 16384\n"
          << "    .private_segment_fixed_size: " << vector_.scratch_bytes << "\n"
          << "    .wavefront_size: 64\n    .sgpr_count: 96\n    .vgpr_count: 512\n"
          << "    .max_flat_workgroup_size: 64\n    .args:\n"
          << argument(0) << argument(8) << argument(16) << "...\n.end_amdgpu_metadata\n";
    return text_.str();
  }

 private:
  static std::string argument(unsigned offset) {
    return concat("      - { .offset: ", offset,
                  ", .size: 8, .value_kind: global_buffer, .address_space: global }\n");
  }
  static bool is_register(const std::string& place) { return place[0] == 'v'; }
  static unsigned rows_of(const std::vector<std::uint32_t>& words) {
    return static_cast<unsigned>(words.size()) / kRowWords;
  }

  void advance(unsigned sgpr) {
    text_ << "s_add_u32 s" << sgpr << ", s" << sgpr << ", 0x100\ns_addc_u32 s" << sgpr + 1 << ", s"
          << sgpr + 1 << ", 0\n";
  }

  void read_rows() {
    for (const auto& [place, words] : vector_.in) {
      if (place == "memory") continue;
      for (unsigned row = 0; row < rows_of(words); ++row) {
        const std::string to = is_register(place) ? place : "v254";
        text_ << "global_load_dword " << to << ", v255, s[4:5]\ns_waitcnt vmcnt(0)\n";
        if (!is_register(place)) text_ << "ds_write_b32 v255, v254 offset:" << 256 * row << "\n";
        advance(4);
      }
    }
    text_ << "s_waitcnt lgkmcnt(0)\n";
  }

  void write_rows() {
    for (const auto& [place, words] : vector_.out) {
      if (place == "memory") continue;
      for (unsigned row = 0; row < rows_of(words); ++row) {
        const std::string from = is_register(place) ? place : "v254";
        if (!is_register(place)) {
          text_ << "ds_read_b32 v254, v255 offset:" << 256 * row << "\ns_waitcnt lgkmcnt(0)\n";
        }
        text_ << "global_store_dword v255, " << from << ", s[6:7]\n";
        advance(6);
      }
    }
  }

  const CodeVector& vector_;
  std::ostringstream text_;
};

Result<Bytes> assemble(const std::string& text, const std::string& target) {
  char directory[] = "/tmp/compass-vector-XXXXXX";
  if (mkdtemp(directory) == nullptr) return Error{ErrorCode::kSystem, "no temporary directory"};
  const std::string base = directory;
  std::ofstream(base + "/k.s") << text;
  const std::string command = concat("clang-22 -target amdgcn-amd-amdhsa -mcpu=", target, " ", base,
                                     "/k.s -o ", base, "/k.co");
  const int status = std::system(command.c_str());
  Bytes bytes;
  std::ifstream file(base + "/k.co", std::ios::binary);
  for (char c; file.get(c);) bytes.push_back(static_cast<std::byte>(c));
  std::filesystem::remove_all(base);
  if (status != 0 || bytes.empty()) return Error{ErrorCode::kSystem, "clang-22 failed"};
  return bytes;
}

struct Problems : Observer {
  std::string first;
  void on_fault(const Fault& fault) override {
    const char* const spaces[] = {"global memory", "LDS", "scratch"};
    const char* const space = spaces[static_cast<unsigned>(fault.space)];
    if (first.empty())
      first = concat("fault of lane ", fault.lane, " in ", space, ": ", fault.instruction);
  }
  void on_stopped(std::uint64_t, const std::string& cause) override { first = cause; }
};

/// Words that the kernel may reach, in memory of the program's.
class Buffer {
 public:
  Buffer(Agent& agent, std::uint32_t id, std::size_t words)
      : words(words), address{0x7000'0000'0000 + std::uint64_t{id} * 0x1'0000'0000} {
    mapped = agent.memory()
                 .map({.base = address,
                       .size_bytes = 4 * words,
                       .host = reinterpret_cast<std::byte*>(this->words.data()),
                       .kind = RegionKind::kPinnedHost,
                       .id = AllocationId{id}})
                 .has_value();
  }
  std::vector<std::uint32_t> words;
  DeviceAddress address;
  bool mapped = false;
};

using Places = std::map<std::string, std::vector<std::uint32_t>>;

std::size_t words_of(const Places& places) {
  std::size_t count = kRowWords;
  for (const auto& [place, words] : places) count += place == "memory" ? 0 : words.size();
  return count;
}

std::size_t memory_words_of(const Places& places) {
  const auto memory = places.find("memory");
  return memory != places.end() ? memory->second.size() : kRowWords;
}

// The three buffers that the kernel's arguments are.
struct Buffers {
  Buffers(Agent& agent, const CodeVector& vector)
      : in(agent, 1, words_of(vector.in)),
        out(agent, 2, words_of(vector.out)),
        memory(agent, 3, memory_words_of(vector.in)) {
    auto next = in.words.begin();
    for (const auto& [place, words] : vector.in) {
      if (place == "memory") {
        std::copy(words.begin(), words.end(), memory.words.begin());
      } else {
        next = std::copy(words.begin(), words.end(), next);
      }
    }
  }

  Places results(const CodeVector& vector) const {
    Places results;
    auto from = out.words.begin();
    for (const auto& [place, words] : vector.out) {
      if (place == "memory") {
        results[place] = memory.words;
      } else {
        results[place].assign(from, from + static_cast<std::ptrdiff_t>(words.size()));
        from += static_cast<std::ptrdiff_t>(words.size());
      }
    }
    return results;
  }

  Buffer in, out, memory;
};

}  // namespace

Result<CodeVector> read_code_vector(const std::string& path) {
  std::ifstream file(path);
  CodeVector vector;
  std::string section;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    const bool starts = !line.empty() && line[0] != ' ' && colon != std::string::npos;
    if (starts) section = line.substr(0, colon);
    std::istringstream rest(starts ? line.substr(colon + 1) : line);
    if (section == "witness") vector.witness += rest.str();
    if (section == "code") vector.code += rest.str() + "\n";
    if (section == "scratch") rest >> vector.scratch_bytes;
    const std::size_t blank = section.find(' ');
    const bool is_in = blank != std::string::npos && section.substr(blank) == " in";
    for (std::string word; rest >> word;) {
      if (section == "target") vector.targets.push_back(word);
      if (blank == std::string::npos) continue;
      (is_in ? vector.in : vector.out)[section.substr(0, blank)].push_back(
          static_cast<std::uint32_t>(std::stoul(word, nullptr, 16)));
    }
  }
  if (vector.witness.empty() || vector.targets.empty() || vector.out.empty()) {
    return Error{ErrorCode::kInvalid, concat(path, " lacks a witness, a target or a result")};
  }
  return vector;
}

Result<std::map<std::string, std::vector<std::uint32_t>>> run_code_vector(
    const CodeVector& vector, const std::string& target) {
  ASSIGN_OR_RETURN(const Bytes elf, assemble(KernelText(vector, target).finish(), target));
  Agent agent(*arch::find(target), COMPASS_DECODER);
  ASSIGN_OR_RETURN(LoadedCodeObject* const object, agent.load(elf));
  const Buffers buffers(agent, vector);
  const std::uint64_t arguments[] = {buffers.in.address.value, buffers.out.address.value,
                                     buffers.memory.address.value};
  Problems problems;
  Dispatch dispatch;
  dispatch.kernel = Agent::find_kernel(*object, "k");
  dispatch.workgroup_workitems = {64, 1, 1};
  dispatch.explicit_kernarg =
      ByteView(reinterpret_cast<const std::byte*>(arguments), sizeof arguments);
  ASSIGN_OR_RETURN(const bool done, agent.dispatch(dispatch, problems));
  if (!done || !problems.first.empty()) return Error{ErrorCode::kInvalid, problems.first};
  return buffers.results(vector);
}

}  // namespace compass
