// SPDX-License-Identifier: MIT
#include "capture/testing/recorded_run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace compass::capture {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void redirect(int descriptor, const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(file, descriptor);
  ::close(file);
}

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(argument.c_str()));
  }
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

}  // namespace

RecordedRun::RecordedRun(const std::vector<std::string>& command, const Options& options) {
  std::string pattern = testing::TempDir() + "capture_test.XXXXXX";
  EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
  std::filesystem::create_directory(folder_ / "journals");
  const std::filesystem::path journals =
      options.journal_folder.empty() ? folder_ / "journals" : options.journal_folder;
  const std::string recorder = test_file("COMPASS_TEST_RECORDER");
  process_ = ::fork();
  if (process_ != 0) return;
  redirect(STDOUT_FILENO, folder_ / "output");
  redirect(STDERR_FILENO, folder_ / "errors");
  ::setenv("COMPASS_JOURNAL_DIR", journals.c_str(), 1);
  if (options.preload) ::setenv("LD_PRELOAD", recorder.c_str(), 1);
  for (const std::string& variable : options.environment) {
    const std::size_t equals = variable.find('=');
    ::setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
  }
  become(command);
}

RecordedRun::~RecordedRun() {
  if (process_ > 0) kill();
  std::filesystem::remove_all(folder_);
}

int RecordedRun::wait() {
  int status = -1;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  return status;
}

void RecordedRun::kill() {
  ::kill(process_, SIGKILL);
  wait();
}

std::string RecordedRun::output() const { return text_of(folder_ / "output"); }
std::string RecordedRun::errors() const { return text_of(folder_ / "errors"); }

std::vector<std::filesystem::path> RecordedRun::journals() const {
  std::vector<std::filesystem::path> paths;
  for (const auto& file : std::filesystem::directory_iterator(folder_ / "journals")) {
    paths.push_back(file.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string test_file(const char* variable) {
  const char* path = std::getenv(variable);
  if (path == nullptr) ADD_FAILURE() << variable << " is not set: run the test through meson";
  return path == nullptr ? "" : path;
}

journal::Contents read_journal(const std::filesystem::path& path) {
  Result<journal::Contents> contents = journal::read(path);
  if (contents) return std::move(contents).value();
  ADD_FAILURE() << contents.error().message;
  return {};
}

}  // namespace compass::capture
