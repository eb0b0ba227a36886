#include "front_lists.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "scratch.hpp"

namespace exactile {

ListStore::ListStore(std::uint64_t most_bytes, std::string directory)
    : most_bytes_(most_bytes), directory_(std::move(directory)) {}

ListStore::~ListStore() {
    for (const File& file : files_)
        if (file.handle >= 0) scratch::close(file.handle);
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
            file.handle = scratch::open_in(directory_);
            if (file.handle < 0) complain("No file can be made in", directory_);
        }
        handle = file.handle;
        place = file.end;
        file.end += bytes;
        file.live += bytes;
    }
    if (!scratch::write_at(handle, data, bytes, place)) {
        const std::lock_guard lock(mutex_);
        files_[page_].live -= bytes;
        complain("Lists cannot be written to", directory_);
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
    if (!scratch::read_at(handle, bytes, size, list.place + from))
        complain("Lists cannot be read back from", directory_);
}

void ListStore::drop(List& list) {
    if (list.data) {
        in_memory_ -= list.bytes();
    } else if (list.made && list.size > 0) {
        const std::lock_guard lock(mutex_);
        File& file = files_[list.file];
        file.live -= list.bytes();
        if (file.live == 0 && list.file != page_) {
            scratch::close(file.handle);
            file.handle = -1;
        }
    }
    list = List();
    list.made = true;
}

}  // namespace exactile
