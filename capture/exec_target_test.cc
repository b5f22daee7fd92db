// SPDX-License-Identifier: MIT
#include "capture/exec_target.h"

#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "capture/exec_mark.h"

namespace compass::capture {
namespace {

/// An empty folder that goes with this object.
class Folder {
 public:
  Folder() {
    std::string pattern = testing::TempDir() + "exec_target_test.XXXXXX";
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string path(const std::string& name) const { return path_ / name; }
  std::string file(const std::string& name, const std::string& bytes, mode_t mode = 0755) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    ::chmod(path(name).c_str(), mode);
    return path(name);
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

/// An executable as far as its headers go, whose segments have these types.
std::string elf(const std::vector<std::uint32_t>& segments, std::uint16_t machine = EM_X86_64,
                unsigned char elf_class = ELFCLASS64) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = elf_class;
  header.e_type = ET_DYN;
  header.e_machine = machine;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = static_cast<std::uint16_t>(segments.size());
  std::string bytes(reinterpret_cast<const char*>(&header), sizeof header);
  for (const std::uint32_t type : segments) {
    Elf64_Phdr segment{};
    segment.p_type = type;
    bytes.append(reinterpret_cast<const char*>(&segment), sizeof segment);
  }
  return bytes;
}

Obstacle obstacle_of(const std::string& file, PlainText plain_text = PlainText::kFails) {
  return find_obstacle(file.c_str(), plain_text);
}

TEST(FindObstacle, IsAMissingInterpreter) {
  const Folder folder;
  EXPECT_EQ(obstacle_of(folder.file("dynamic", elf({PT_PHDR, PT_INTERP, PT_LOAD}))),
            Obstacle::kNone);
  EXPECT_EQ(obstacle_of(folder.file("static", elf({PT_LOAD, PT_LOAD}))), Obstacle::kStatic);
  std::vector<std::uint32_t> many(20, PT_LOAD);
  EXPECT_EQ(obstacle_of(folder.file("many", elf(many))), Obstacle::kStatic);
  many.back() = PT_INTERP;
  EXPECT_EQ(obstacle_of(folder.file("late", elf(many))), Obstacle::kNone);
}

TEST(FindObstacle, IsNotTheDynamicLinkerItself) {
  const Folder folder;
  EXPECT_EQ(obstacle_of(folder.file("ld-linux-x86-64.so.2", elf({PT_LOAD}))), Obstacle::kNone);
  EXPECT_EQ(obstacle_of(folder.file("ld.so", elf({PT_LOAD}))), Obstacle::kNone);
  EXPECT_EQ(obstacle_of(folder.file("ldconfig", elf({PT_LOAD}))), Obstacle::kStatic);
}

TEST(FindObstacle, IsAnotherMachineOrWordSize) {
  const Folder folder;
  EXPECT_EQ(obstacle_of(folder.file("arm", elf({PT_INTERP}, EM_AARCH64))), Obstacle::kOtherMachine);
  EXPECT_EQ(obstacle_of(folder.file("i386", elf({PT_INTERP}, EM_386, ELFCLASS32))),
            Obstacle::kOtherMachine);
  EXPECT_EQ(obstacle_of(folder.file("x32", elf({PT_INTERP}, EM_X86_64, ELFCLASS32))),
            Obstacle::kOtherMachine);
}

TEST(FindObstacle, IsAnotherUser) {
  const Folder folder;
  const std::string program = folder.file("program", elf({PT_INTERP}));
  ::chmod(program.c_str(), 04755);
  EXPECT_EQ(obstacle_of(program), Obstacle::kNone) << "it is the user's own";
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  ASSERT_EQ(::chown(program.c_str(), 65534, 65534), 0);
  EXPECT_EQ(obstacle_of(program), Obstacle::kNone) << "chown takes the bit away";
  ::chmod(program.c_str(), 04755);
  EXPECT_EQ(obstacle_of(program), Obstacle::kPrivileged);
  ::chmod(program.c_str(), 02755);
  EXPECT_EQ(obstacle_of(program), Obstacle::kPrivileged);
  ::chmod(program.c_str(), 02745);
  EXPECT_EQ(obstacle_of(program), Obstacle::kNone) << "without x for the group it is no setgid";
}

TEST(FindObstacle, OfAScriptIsThatOfItsInterpreter) {
  const Folder folder;
  const std::string program = folder.file("static", elf({PT_LOAD}));
  EXPECT_EQ(obstacle_of(folder.file("script", "#!" + program)), Obstacle::kStatic);
  EXPECT_EQ(obstacle_of(folder.file("spaced", "#! \t" + program + " -x\nrest")), Obstacle::kStatic);
  EXPECT_EQ(obstacle_of(folder.file("nested", "#!" + folder.path("script") + "\n")),
            Obstacle::kStatic);
  EXPECT_EQ(obstacle_of(folder.file("shell", "#!/bin/sh\n")), Obstacle::kNone);
  EXPECT_EQ(obstacle_of(folder.file("endless", "#!" + folder.path("endless"))), Obstacle::kNone);
  EXPECT_EQ(obstacle_of(folder.file("nothing", "#!")), Obstacle::kNone);
  EXPECT_EQ(obstacle_of(folder.file("blank", "#!  \n" + program)), Obstacle::kNone);
}

TEST(FindObstacle, IsNoneInWhatIsNoProgram) {
  const Folder folder;
  ASSERT_EQ(::mkfifo(folder.path("fifo").c_str(), 0700), 0);
  EXPECT_EQ(obstacle_of(folder.path("fifo")), Obstacle::kNone);
  EXPECT_EQ(obstacle_of(folder.path(".")), Obstacle::kNone);
  EXPECT_EQ(obstacle_of(folder.path("missing")), Obstacle::kNone);
  EXPECT_EQ(obstacle_of(folder.file("empty", "")), Obstacle::kNone);
  EXPECT_EQ(obstacle_of(folder.file("text", "echo\n"), PlainText::kIsShellScript), Obstacle::kNone)
      << "the shell is recorded";
  EXPECT_EQ(obstacle_of(folder.file("cut", elf({PT_LOAD}).substr(0, 40))), Obstacle::kNone);
}

TEST(NamesRecorder, WantsBothVariablesAsTheyAre) {
  const RecorderNames names{"/lib/recorder.so", "/tmp/journals"};
  const auto holds = [&](std::vector<const char*> variables) {
    variables.push_back(nullptr);
    return names_recorder(const_cast<char* const*>(variables.data()), names);
  };
  const char* const folder = "COMPASS_JOURNAL_DIR=/tmp/journals";
  EXPECT_TRUE(holds({"LD_PRELOAD=/lib/recorder.so", folder}));
  EXPECT_TRUE(holds({folder, "X=", "LD_PRELOAD=a.so /lib/recorder.so:b.so"}));
  EXPECT_TRUE(holds({"LD_PRELOAD=b.so", "LD_PRELOAD=/lib/recorder.so", folder}));
  EXPECT_FALSE(holds({"LD_PRELOAD=/lib/recorder.so", "LD_PRELOAD=b.so", folder}));
  EXPECT_FALSE(holds({"LD_PRELOAD=/lib/recorder.so.1", folder}));
  EXPECT_FALSE(holds({"LD_PRELOAD=/lib/recorder.so", "COMPASS_JOURNAL_DIR=/tmp"}));
  EXPECT_FALSE(holds({"LD_PRELOAD=/lib/recorder.so"}));
  EXPECT_FALSE(holds({folder}));
  EXPECT_FALSE(holds({}));
  EXPECT_FALSE(names_recorder(nullptr, names));
}

TEST(FindInPath, TakesTheFirstThatCanBeExecuted) {
  const Folder folder;
  for (const char* name : {"a", "b", "c"}) std::filesystem::create_directory(folder.path(name));
  folder.file("a/tool", "#!/bin/sh\n", 0644);
  folder.file("b/tool", "#!/bin/sh\n");
  folder.file("c/tool", "#!/bin/sh\n");
  const std::string before = std::getenv("PATH");
  const std::string path = folder.path("none") + ":" + folder.path("a") + ":" + folder.path("b") +
                           ":" + folder.path("c");
  ::setenv("PATH", path.c_str(), 1);
  char file[PATH_MAX];
  EXPECT_TRUE(find_in_path("tool", file, sizeof file));
  EXPECT_EQ(file, folder.path("b/tool"));
  EXPECT_FALSE(find_in_path("no-tool", file, sizeof file));
  EXPECT_FALSE(find_in_path("", file, sizeof file));
  EXPECT_FALSE(find_in_path("tool", file, 5)) << "it does not fit";
  EXPECT_TRUE(find_in_path(folder.path("c/tool").c_str(), file, sizeof file));
  ::setenv("PATH", before.c_str(), 1);
}

TEST(ExecMark, SaysWhatRunsAndWhyOnce) {
  const Folder folder;
  const std::string journals = folder.path(".");
  errno = 7;
  ExecMark first("./tool", Obstacle::kStatic, journals.c_str());
  ExecMark again("./tool", Obstacle::kStatic, journals.c_str());
  ExecMark none("./tool", Obstacle::kNone, journals.c_str());
  ASSERT_EQ(folder.files(), 1u);
  const auto mark = *std::filesystem::directory_iterator(folder.path("."));
  EXPECT_EQ(mark.path().extension(), kExecMarkSuffix);
  EXPECT_EQ(std::filesystem::read_symlink(mark.path()), "static ./tool");
  again.withdraw();
  none.withdraw();
  EXPECT_EQ(folder.files(), 1u) << "only who made a mark takes it back";
  first.withdraw();
  EXPECT_EQ(folder.files(), 0u);
  EXPECT_EQ(errno, 7);
}

}  // namespace
}  // namespace compass::capture
