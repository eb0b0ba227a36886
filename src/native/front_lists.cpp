#include "front_lists.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace exactile {

ListStore::ListStore(std::uint64_t most_bytes, std::string directory)
    : most_bytes_(most_bytes), directory_(std::move(directory)) {}

ListStore::~ListStore() {
    for (const File& file : files_)
        if (file.handle >= 0) ::close(file.handle);
}

[[noreturn]] static void complain(const std::string& what, const std::string& directory) {
    throw ScratchError(what + " " + directory + ": " + std::strerror(errno));
}

bool ListStore::keep(List& list, std::unique_ptr<std::byte[]> data) {
    const std::uint64_t bytes = list.bytes();
    if (const std::uint64_t now = in_memory_ += bytes; now <= most_bytes_) {
        list.data = std::move(data);
        std::uint64_t peak = peak_;
        while (peak < now && !peak_.compare_exchange_weak(peak, now)) {
        }
    } else {
        in_memory_ -= bytes;
        if (directory_.empty()) return false;
        list.file = append(data.get(), bytes, list.place);
        written_ += bytes;
    }
    list.made = true;
    return true;
}

// Write to the file of the present page, which is made if need be.
std::uint32_t ListStore::append(const std::byte* data, std::uint64_t bytes, std::uint64_t& place) {
    int handle = -1;
    {
        const std::lock_guard lock(mutex_);
        if (files_.size() <= page_) files_.resize(page_ + 1);
        File& file = files_[page_];
        if (file.handle < 0) {
            std::string name = directory_ + "/exactile-XXXXXX";
            file.handle = ::mkstemp(name.data());
            if (file.handle < 0) complain("No file can be made in", directory_);
            ::unlink(name.c_str());
        }
        handle = file.handle;
        place = file.end;
        file.end += bytes;
        file.live += bytes;
    }
    for (std::uint64_t done = 0; done < bytes;) {
        const ssize_t n =
            ::pwrite(handle, data + done, bytes - done, static_cast<off_t>(place + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            const std::lock_guard lock(mutex_);
            files_[page_].live -= bytes;
            complain("Lists cannot be written to", directory_);
        }
        done += static_cast<std::uint64_t>(n);
    }
    return page_;
}

const std::byte* ListStore::read(const List& list, std::vector<std::byte>& buffer) const {
    if (list.data) return list.data.get();
    const std::uint64_t bytes = list.bytes();
    if (buffer.size() < bytes) buffer.resize(bytes);
    read_part(list, 0, bytes, buffer.data());
    return buffer.data();
}

void ListStore::read_part(const List& list, std::uint64_t from, std::uint64_t size,
                          void* to) const {
    auto* const bytes = static_cast<std::byte*>(to);
    if (list.data) {
        std::copy_n(list.data.get() + from, size, bytes);
        return;
    }
    int handle = -1;
    {
        const std::lock_guard lock(mutex_);
        handle = files_[list.file].handle;
    }
    for (std::uint64_t done = 0; done < size;) {
        const ssize_t n = ::pread(handle, bytes + done, size - done,
                                  static_cast<off_t>(list.place + from + done));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) complain("Lists cannot be read back from", directory_);
        done += static_cast<std::uint64_t>(n);
    }
}

void ListStore::drop(List& list) {
    if (list.data) {
        in_memory_ -= list.bytes();
    } else if (list.made && list.size > 0) {
        const std::lock_guard lock(mutex_);
        File& file = files_[list.file];
        file.live -= list.bytes();
        if (file.live == 0 && list.file != page_) {
            ::close(file.handle);
            file.handle = -1;
        }
    }
    list = List();
    list.made = true;
}

}  // namespace exactile
