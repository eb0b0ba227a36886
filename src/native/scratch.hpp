// Files without names: they vanish when they are closed, also after a crash.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace exactile::scratch {

// A handle of a new file in a directory, or -1 with the reason in errno.
int open_in(const std::string& directory);
void close(int handle);

// Write or read bytes at a place; false with the reason in errno if that failed. Several
// threads may do so with the same handle.
bool write_at(int handle, const std::byte* data, std::uint64_t size, std::uint64_t place);
bool read_at(int handle, std::byte* data, std::uint64_t size, std::uint64_t place);

}  // namespace exactile::scratch
