// SPDX-License-Identifier: MIT
//
// The helper process compass-decode: turns machine code into assembler text through LLVM MC. LLVM's
// disassembler crashes on some bytes; here that ends only this process.
#include <fcntl.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCDisassembler/MCDisassembler.h>
#include <llvm/MC/MCInst.h>
#include <llvm/MC/MCInstPrinter.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/TargetSelect.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "driverless/decode/protocol.h"

namespace compass::decode {
namespace {

bool read_all(void* data, std::size_t size) {
  auto* at = static_cast<char*>(data);
  while (size > 0) {
    const ssize_t got = ::read(STDIN_FILENO, at, size);
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(const void* data, std::size_t size) {
  const auto* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t put = ::write(STDOUT_FILENO, at, size);
    if (put <= 0) return false;
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

/// The program that started us has files open that it knows nothing of here: whoever reads the
/// other end of one must see it end with that program.
void close_inherited_files() { ::close_range(STDERR_FILENO + 1, ~0u, 0); }

/// A crash is an answer, and no one's to look at.
void crash_in_silence() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::prctl(PR_SET_DUMPABLE, 0);  // also where cores are piped to a program
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGPROF}) {
    ::signal(signal, SIG_DFL);
  }
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);
}

/// Ends this process after `seconds` more of CPU time; 0 calls that off.
void end_after(int seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

/// LLVM's disassembler and printer for one processor.
class Disassembler {
 public:
  static std::unique_ptr<Disassembler> create(const char* processor) {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUDisassembler();
    auto result = std::unique_ptr<Disassembler>(new Disassembler);
    return result->set_up(processor) ? std::move(result) : nullptr;
  }

  /// The size of the instruction at the start of `bytes`, 0 if there is none; its text in `text`.
  std::uint64_t decode(llvm::ArrayRef<std::uint8_t> bytes, std::uint64_t pc, std::string& text) {
    llvm::MCInst instruction;
    std::uint64_t size = 0;
    const auto status = disassembler_->getInstruction(instruction, size, bytes, pc, llvm::nulls());
    if (status != llvm::MCDisassembler::Success || size == 0) return 0;
    text.clear();
    llvm::raw_string_ostream stream(text);
    printer_->printInst(&instruction, pc, "", *subtarget_, stream);
    const std::size_t first = text.find_first_not_of(" \t");
    text.erase(0, first == std::string::npos ? text.size() : first);
    return size;
  }

 private:
  Disassembler() = default;

  bool set_up(const char* processor) {
    const llvm::Triple triple("amdgcn-amd-amdhsa");
    std::string error;
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (target == nullptr) return false;
    registers_.reset(target->createMCRegInfo(triple));
    assembly_.reset(target->createMCAsmInfo(*registers_, triple, llvm::MCTargetOptions()));
    instructions_.reset(target->createMCInstrInfo());
    subtarget_.reset(target->createMCSubtargetInfo(triple, processor, ""));
    context_ = std::make_unique<llvm::MCContext>(triple, assembly_.get(), registers_.get(),
                                                 subtarget_.get());
    disassembler_.reset(target->createMCDisassembler(*subtarget_, *context_));
    printer_.reset(target->createMCInstPrinter(triple, 0, *assembly_, *instructions_, *registers_));
    if (!disassembler_ || !printer_) return false;
    printer_->setPrintImmHex(true);
    return true;
  }

  std::unique_ptr<llvm::MCRegisterInfo> registers_;
  std::unique_ptr<llvm::MCAsmInfo> assembly_;
  std::unique_ptr<llvm::MCInstrInfo> instructions_;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget_;
  std::unique_ptr<llvm::MCContext> context_;
  std::unique_ptr<llvm::MCDisassembler> disassembler_;
  std::unique_ptr<llvm::MCInstPrinter> printer_;
};

bool path_ends_with(const std::string& text) {
  for (const char* prefix : {"s_endpgm", "s_branch", "s_setpc", "s_swappc", "s_rfe"}) {
    if (text.rfind(prefix, 0) == 0) return true;
  }
  return false;
}

bool answer(Disassembler& disassembler, const std::vector<std::uint8_t>& code,
            const Request& request) {
  std::uint64_t at = request.offset;
  std::string text;
  for (std::uint32_t count = 0; count < request.size; ++count) {
    const auto rest = llvm::ArrayRef(code).drop_front(std::min<std::uint64_t>(at, code.size()));
    const std::uint64_t size = disassembler.decode(rest, at, text);
    if (size == 0) {
      const Reply end{Reply::Kind::kUndecodable, 0, 0};
      return write_all(&end, sizeof end);
    }
    const Reply reply{Reply::Kind::kInstruction, static_cast<std::uint32_t>(size),
                      static_cast<std::uint32_t>(text.size())};
    if (!write_all(&reply, sizeof reply) || !write_all(text.data(), text.size())) return false;
    at += size;
    if (path_ends_with(text)) {
      const Reply end{Reply::Kind::kPathEnds, 0, 0};
      return write_all(&end, sizeof end);
    }
  }
  const Reply end{Reply::Kind::kLimit, 0, 0};
  return write_all(&end, sizeof end);
}

int serve(const char* processor) {
  const auto disassembler = Disassembler::create(processor);
  if (!disassembler) {
    std::fprintf(stderr, "compass-decode: LLVM has no disassembler for '%s'\n", processor);
    return 2;
  }
  crash_in_silence();
  std::vector<std::uint8_t> code;
  Request request{};
  constexpr int kSeconds = 5;
  while (read_all(&request, sizeof request)) {
    if (request.kind == RequestKind::kCode) {
      code.resize(request.size);
      if (!read_all(code.data(), code.size())) return 0;
    } else {
      end_after(kSeconds);
      if (!answer(*disassembler, code, request)) return 0;
      end_after(0);
    }
  }
  return 0;
}

}  // namespace
}  // namespace compass::decode

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: compass-decode PROCESSOR (a helper of compass-capture)\n");
    return 2;
  }
  if (std::string_view(argv[1]) == "--version") {
    std::puts("LLVM " LLVM_VERSION_STRING);
    return 0;
  }
  compass::decode::close_inherited_files();
  return compass::decode::serve(argv[1]);
}
