// Lists of what is used of the supply, with numbers of ways; in memory, and beyond it on disk.
//
// A list is written once and read a few times. In memory it is one block: the counts, then the
// keys. All counts have the same number of 32-bit limbs. A ranked list has no keys: it has a count
// for each key of its class, in the order of ranks.
//
// Files of lists have no names: they vanish when they are closed, also after a crash.

#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "limbs.hpp"

namespace exactile {

// The scratch directory cannot be written to, or what was written there cannot be read.
struct ScratchError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct List {
    std::uint64_t size = 0;  // entries
    std::uint32_t limbs = 1;
    std::uint32_t bits = 0;  // no count has more
    bool ranked = false;
    bool made = false;
    std::uint8_t key_bytes = 4;
    std::unique_ptr<std::byte[]> data;  // none if it is on disk
    std::uint32_t file = 0;
    std::uint64_t place = 0;

    // Keys stand behind the counts, where 64-bit words may.
    std::uint64_t keys_at() const { return (size * 4 * limbs + 7) / 8 * 8; }
    std::uint64_t bytes() const { return ranked ? size * 4 * limbs : keys_at() + size * key_bytes; }
};

class ListStore {
public:
    // Largest number of bytes in memory; with an empty directory nothing goes to disk.
    ListStore(std::uint64_t most_bytes, std::string directory);
    ~ListStore();
    ListStore(const ListStore&) = delete;
    ListStore& operator=(const ListStore&) = delete;

    // Keep the data of a list; false if they fit neither in memory nor on disk.
    // May be called by several threads.
    bool keep(List& list, std::unique_ptr<std::byte[]> data);
    // The bytes of a list; `buffer` is used for those on disk.
    const std::byte* read(const List& list, std::vector<std::byte>& buffer) const;
    // A part of the bytes.
    void read_part(const List& list, std::uint64_t from, std::uint64_t size, void* to) const;
    void drop(List& list);
    // Lists that are kept from now on go to another file than those before.
    void turn_page() { ++page_; }

    void set_most(std::uint64_t bytes) { most_bytes_ = bytes; }

    std::uint64_t peak() const { return peak_; }        // bytes in memory at most
    std::uint64_t written() const { return written_; }  // bytes on disk in all

private:
    struct File {
        int handle = -1;
        std::uint64_t end = 0, live = 0;
    };

    std::uint32_t append(const std::byte* data, std::uint64_t bytes, std::uint64_t& place);

    std::atomic<std::uint64_t> most_bytes_;
    std::string directory_;
    std::atomic<std::uint64_t> in_memory_ = 0, peak_ = 0, written_ = 0;
    mutable std::mutex mutex_;
    std::vector<File> files_;  // by page
    std::uint32_t page_ = 0;
};

}  // namespace exactile
