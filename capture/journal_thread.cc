// SPDX-License-Identifier: MIT
#include "capture/journal_thread.h"

#include <pthread.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>

namespace compass::capture {
namespace {

using journal::AppendFile;

/// Whether the main thread has ended alone (pthread_exit) and no other is left: the process ends
/// with its last thread. Opens nothing: a program that opens a file counts on the number it gets.
bool is_last_thread() {
  constexpr nlink_t kFolders = 2, kMainAndThis = 2;
  struct stat threads {};
  if (::stat("/proc/self/task", &threads) != 0) return false;
  if (threads.st_nlink > kFolders + kMainAndThis) return false;
  char path[1];
  return ::readlink("/proc/self/exe", path, sizeof path) < 0 && errno == ENOENT &&
         ::readlink("/proc/thread-self/exe", path, sizeof path) >= 0;
}

void serve(AppendFile& file) {
  constexpr std::chrono::seconds kLongestWait{1};
  ::prctl(PR_SET_NAME, "compass-journal");
  for (;;) {
    const AppendFile::Work work = file.work();
    if (work == AppendFile::Work::kOver) return;
    if (work == AppendFile::Work::kDone) continue;
    if (is_last_thread()) return;
    file.wait_for_work(kLongestWait);
  }
}

void* thread_main(void* argument) {
  const std::unique_ptr<std::shared_ptr<AppendFile>> file(
      static_cast<std::shared_ptr<AppendFile>*>(argument));
  serve(**file);
  return nullptr;
}

}  // namespace

void serve_by_thread(const std::shared_ptr<AppendFile>& file) {
  auto argument = std::make_unique<std::shared_ptr<AppendFile>>(file);
  file->set_served(AppendFile::Served::kYes);
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it
  pthread_t thread{};
  const bool started = ::pthread_create(&thread, nullptr, &thread_main, argument.get()) == 0;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!started) {
    file->set_served(AppendFile::Served::kNo);
    return;
  }
  ::pthread_detach(thread);
  argument.release();  // the thread's
}

}  // namespace compass::capture
