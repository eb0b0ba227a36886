// Finds which of many short rows of words are equal.
//
// A table of all of them would be larger than the caches, and each look into it would wait for the
// memory. So the rows are first parted by some bits of their hashes, and each part has a small
// table. Rows with the same hash are compared later, all together, so that they can be fetched in
// advance; only if two of them are different after all, their part is done again with care.

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace exactile {

class EqualRows {
public:
    // Hashes have fewer bits in tests, which meet different rows of the same hash.
    explicit EqualRows(int hash_bits = 64) : unused_(64 - hash_bits) {}

    // For each of `count` rows of `words` words, one after the other, the first row that is equal
    // to it; valid until the next call.
    const std::uint32_t* find(const std::uint64_t* rows, std::size_t words, std::size_t count);

private:
    template <std::size_t Words>
    void find_rows();
    template <std::size_t Words>
    void part_by_hash(int bits);
    template <std::size_t Words, bool Careful>
    void find_in(std::size_t begin, std::size_t end);
    template <std::size_t Words>
    bool same(std::size_t a, std::size_t b) const;
    template <std::size_t Words>
    bool confirmed() const;

    int unused_;
    const std::uint64_t* rows_ = nullptr;
    std::size_t words_ = 0, count_ = 0;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint64_t> parted_;  // upper half of a hash and row, part by part
    std::vector<std::size_t> ends_;      // of the parts
    std::vector<std::uint64_t> table_;   // upper half of a hash and row + 1, or 0
    std::vector<std::uint32_t> matched_;
    std::vector<std::uint32_t> first_;
};

}  // namespace exactile
